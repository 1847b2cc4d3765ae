// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "forecast_file/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/text.hpp"
#include "forecast_file/descriptor.hpp"

namespace epochcast {

namespace {

Error failed(const char* verb, const std::filesystem::path& path, const std::string& why) {
    return Error{
        ErrorKind::environment,
        std::string("cannot ") + verb + " " + epochcast::quoted(path.native(), 400) + ": " + why};
}

Error failed(const char* verb, const std::filesystem::path& path, int error_number) {
    return failed(verb, path, std::generic_category().message(error_number));
}

// Returns 0 or an errno.
int write_all(int file, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return 0;
}

// Fills the new file; returns 0 or an errno.
int fill(int file, std::span<const std::uint8_t> bytes) {
    if (const int error_number = write_all(file, bytes)) return error_number;
    if (::fchmod(file, 0644) != 0 || ::fsync(file) != 0) return errno;
    return 0;
}

}  // namespace

Result<std::vector<std::uint8_t>> read_regular_file(const std::filesystem::path& path,
                                                    std::uint64_t max_bytes) {
    // O_NONBLOCK: opening a pipe does not wait for its other end.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file.is_open() && errno == ELOOP) return failed("read", path, "is a symbolic link");
    if (!file.is_open()) return failed("read", path, errno);
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) return failed("read", path, errno);
    if (!S_ISREG(status.st_mode)) return failed("read", path, "is not a regular file");
    // One byte more than the size shows the end without another round, or that the file grew.
    std::vector<std::uint8_t> bytes(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(status.st_size), max_bytes) + 1);
    std::size_t size = 0;
    while (true) {
        if (size == bytes.size()) bytes.resize(std::min<std::size_t>(2 * size, max_bytes + 1));
        const ssize_t count = ::read(file.number(), bytes.data() + size, bytes.size() - size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failed("read", path, errno);
        if (count == 0) break;
        size += static_cast<std::size_t>(count);
        if (size > max_bytes) {
            return Error{ErrorKind::bad_input,
                         "larger than " + std::to_string(max_bytes >> 20) + " MiB"};
        }
    }
    bytes.resize(size);
    return bytes;
}

Result<void> replace_file(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
    std::string temporary = path.parent_path() / ("." + path.filename().native() + ".XXXXXX");
    const Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!file.is_open()) return failed("write", path, errno);
    int error_number = fill(file.number(), bytes);
    if (error_number == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error_number = errno;
    if (error_number != 0) {
        ::unlink(temporary.c_str());
        return failed("write", path, error_number);
    }
    // The rename is on disk only after this; a folder that cannot be synced holds the file anyway.
    const std::string folder = path.has_parent_path() ? path.parent_path().native() : ".";
    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.is_open()) ::fsync(directory.number());
    return {};
}

}  // namespace epochcast
