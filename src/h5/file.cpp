// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "h5/file.hpp"

#include <fcntl.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "core/text.hpp"
#include "h5/call.hpp"
#include "h5/write_driver.hpp"

namespace epochcast::h5 {
namespace {

// Long enough for any path that people use; a message stays one line.
constexpr std::size_t shown_path_bytes = 400;

std::string shown(const std::filesystem::path& path) {
    return epochcast::quoted(path.native(), shown_path_bytes);
}

Error system_error(const std::string& what, const std::filesystem::path& path, int error) {
    return {ErrorKind::environment,
            what + " " + shown(path) + ": " + std::generic_category().message(error)};
}

Error bad(const std::filesystem::path& path, const std::string& finding) {
    return {ErrorKind::bad_input, shown(path) + " " + finding};
}

// How often HDF5 reads a block again that a writer may just be replacing. It doubles its wait from
// 1 ns on: 16 attempts are about 1 ms, its default of 100 takes minutes for a damaged file.
constexpr unsigned read_attempts = 16;

// Access to files of the format that has SWMR (1.10, also where the library is newer), no locks.
Handle access_properties() {
    Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_file_locking(access.id(), false, true);
    H5Pset_metadata_read_attempts(access.id(), read_attempts);
    return access;
}

// The version of the file format, learnt before HDF5 parses anything: refuses what is not a plain
// file or does not begin as HDF5 does.
Result<int> format_version(const std::filesystem::path& path) {
    // Without O_NONBLOCK a named pipe would hang us.
    const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return system_error("cannot read", path, errno);
    }
    struct stat status {};
    std::array<char, 9> begin{};
    const bool has_status = fstat(descriptor, &status) == 0;
    const bool is_file = has_status && S_ISREG(status.st_mode);
    const ssize_t got = is_file ? pread(descriptor, begin.data(), begin.size(), 0) : 0;
    const int error = errno;
    close(descriptor);
    if (!has_status || got < 0) {
        return system_error("cannot read", path, error);
    }
    if (!is_file) {
        return bad(path, "is not a plain file");
    }
    if (status.st_size == 0) {
        return bad(path, "is empty");
    }
    if (got < 9 || std::memcmp(begin.data(), "\x89HDF\r\n\x1a\n", 8) != 0) {
        return bad(path, "is not an HDF5 file");
    }
    return static_cast<int>(begin[8]);
}

}  // namespace

Result<File> File::create(const std::filesystem::path& path) {
    const Call call;
    File file(path);
    file.queue_ = std::make_unique<WriteQueue>();
    // HDF5 would only say that it could not open the file, not why.
    if (const int error = file.queue_->open(path, O_CREAT); error != 0) {
        return system_error("cannot create", path, error);
    }
    const Handle access = access_properties();
    const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    // Keep all root attributes in the object header: from the ninth on HDF5 would build a heap and
    // a B-tree of several kilobytes for them.
    H5Pset_attr_phase_change(creation.id(), 64, 0);
    if (write_through(*file.queue_, access.id())) {
        file.handle_ =
            Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose);
    }
    if (!file.handle_.is_open()) {
        return call.failure(ErrorKind::environment, "cannot create " + shown(path));
    }
    return file;
}

Result<File> File::open_to_read(const std::filesystem::path& path) {
    const Result<int> version = format_version(path);
    if (!version) {
        return version.error();
    }
    const Call call;
    const Handle access = access_properties();
    // The plain way first: it alone checks that a closed file is as long as it should be.
    Handle handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
    Error failure = {};
    if (!handle.is_open()) {
        failure = call.failure(ErrorKind::bad_input, shown(path) + " cannot be read as HDF5");
        if (version.value() >= 3) {  // older formats have no SWMR mode
            handle = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id()),
                            H5Fclose);
        }
    }
    if (!handle.is_open()) {
        return failure;
    }
    File file(path);
    file.handle_ = std::move(handle);
    return file;
}

Result<void> File::start_swmr() {
    const Call call;
    if (H5Fstart_swmr_write(id()) < 0) {
        return call.failure(ErrorKind::environment,
                            "cannot let readers into " + shown(path_) + " while it is written");
    }
    return {};
}

Result<void> File::check_written() {
    if (!queue_->drain()) {
        return system_error("cannot write", path_, queue_->error());
    }
    struct stat status {};
    if (fstat(queue_->descriptor(), &status) != 0) {
        return system_error("cannot write", path_, errno);
    }
    if (status.st_nlink == 0) {
        return Error{ErrorKind::environment, "cannot write " + shown(path_) + ": it was deleted"};
    }
    return {};
}

Result<void> File::close() {
    const Call call;
    if (!handle_.close()) {
        static_cast<void>(queue_.release());  // HDF5 still has the file, and thus the queue
        return call.failure(ErrorKind::environment, "cannot close " + shown(path_));
    }
    if (queue_ != nullptr && queue_->error() != 0) {
        return system_error("cannot write", path_, queue_->error());
    }
    return {};
}

File& File::operator=(File&& other) noexcept {
    if (this != &other) {
        static_cast<void>(close());
        path_ = std::move(other.path_);
        handle_ = std::move(other.handle_);
        queue_ = std::move(other.queue_);
    }
    return *this;
}

File::~File() { static_cast<void>(close()); }

std::uint64_t File::size_bytes() const {
    std::error_code error;
    const std::uint64_t bytes = std::filesystem::file_size(path_, error);
    return error ? 0 : bytes;
}

}  // namespace epochcast::h5
