// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/checkpoint.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "core/text.hpp"

namespace epochcast::runtime {

namespace {

constexpr std::array<char, 8> magic{'E', 'C', 'T', 'R', 'A', 'I', 'N', '1'};

// Follows the magic; then identity, parameters, velocity, statistics; then their CRC-32.
struct Head {
    std::uint64_t epoch = 0;
    std::uint64_t step = 0;
    double epoch_loss_sum = 0;
    std::uint64_t identity_bytes = 0;
    std::uint64_t parameter_floats = 0;
    std::uint64_t statistic_floats = 0;
};

Error refused(const std::filesystem::path& path, const char* what) {
    return {ErrorKind::environment,
            "checkpoint " + quoted(path.string(), 200) + ": " + what + ": " + std::strerror(errno)};
}

Error damaged(const std::filesystem::path& path, const std::string& what) {
    return {ErrorKind::bad_input,
            "checkpoint " + quoted(path.string(), 200) + ": " + what +
                "; delete it to train from the beginning"};
}

// A descriptor with a running checksum of all that went through it.
class CheckedFile {
  public:
    explicit CheckedFile(int fd) : fd_(fd) {}
    ~CheckedFile() {
        if (fd_ >= 0) {
            close(fd_);
        }
    }
    CheckedFile(const CheckedFile&) = delete;
    CheckedFile& operator=(const CheckedFile&) = delete;

    bool is_open() const { return fd_ >= 0; }
    int fd() const { return fd_; }
    std::uint32_t checksum() const { return static_cast<std::uint32_t>(crc_); }

    bool write_all(std::span<const std::byte> bytes) {
        count(bytes);
        while (!bytes.empty()) {
            const auto written = ::write(fd_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) {
                continue;
            }
            if (written < 0) {
                return false;
            }
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        return true;
    }

    // False at an early end as well.
    bool read_all(std::span<std::byte> bytes) {
        auto left = bytes;
        while (!left.empty()) {
            const auto got = ::read(fd_, left.data(), left.size());
            if (got < 0 && errno == EINTR) {
                continue;
            }
            if (got <= 0) {
                return false;
            }
            left = left.subspan(static_cast<std::size_t>(got));
        }
        count(bytes);
        return true;
    }

  private:
    void count(std::span<const std::byte> bytes) {
        crc_ = crc32_z(crc_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    }
    int fd_;
    uLong crc_ = crc32_z(0, nullptr, 0);
};

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

bool write_parts(CheckedFile& file, const std::string& identity, const TrainState& state) {
    const Head head{state.epoch,
                    state.step,
                    state.epoch_loss_sum,
                    identity.size(),
                    state.parameters.size(),
                    state.statistics.size()};
    if (!file.write_all(std::as_bytes(std::span(magic))) || !file.write_all(bytes_of(head)) ||
        !file.write_all(std::as_bytes(std::span(identity))) ||
        !file.write_all(std::as_bytes(std::span(state.parameters))) ||
        !file.write_all(std::as_bytes(std::span(state.velocity))) ||
        !file.write_all(std::as_bytes(std::span(state.statistics)))) {
        return false;
    }
    const std::uint32_t checksum = file.checksum();
    return file.write_all(bytes_of(checksum)) && fsync(file.fd()) == 0;
}

void sync_folder(const std::filesystem::path& folder) {
    const CheckedFile opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.is_open()) {
        fsync(opened.fd());
    }
}

// The head, if the sizes in it are those of the file.
Result<Head> read_head(CheckedFile& file, const std::filesystem::path& path) {
    std::array<char, 8> found{};
    Head head;
    if (!file.read_all(std::as_writable_bytes(std::span(found))) || found != magic ||
        !file.read_all(std::as_writable_bytes(std::span(&head, 1)))) {
        return damaged(path, "is not a checkpoint of epochcast-train");
    }
    struct stat status {};
    fstat(file.fd(), &status);
    const auto size = static_cast<std::uint64_t>(status.st_size);
    constexpr std::uint64_t fixed = sizeof magic + sizeof(Head) + sizeof(std::uint32_t);
    // Each part is bounded by the size before they are added, so that no sum wraps around.
    if (head.identity_bytes > size || head.parameter_floats > size / 4 ||
        head.statistic_floats > size / 4 ||
        fixed + head.identity_bytes + 8 * head.parameter_floats + 4 * head.statistic_floats !=
            size) {
        return damaged(path, "is truncated or damaged");
    }
    return head;
}

// The first line of `ours` that `theirs` does not have.
std::string first_difference(const std::string& theirs, const std::string& ours) {
    for (const auto line : split(ours, '\n')) {
        if (theirs.find(std::string(line) + "\n") == std::string::npos) {
            return std::string(line);
        }
    }
    return "";
}

}  // namespace

Result<void> write_checkpoint(const std::filesystem::path& path,
                              const std::string& identity,
                              const TrainState& state) {
    const auto fresh = path.string() + ".new";
    {
        CheckedFile file(open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640));
        if (!file.is_open()) {
            return refused(fresh, "cannot be created");
        }
        if (!write_parts(file, identity, state)) {
            const auto error = refused(fresh, "cannot be written");
            unlink(fresh.c_str());
            return error;
        }
    }
    if (rename(fresh.c_str(), path.c_str()) != 0) {
        return refused(path, "cannot be renamed into place");
    }
    sync_folder(path.parent_path());
    return {};
}

Result<std::optional<TrainState>> read_checkpoint(const std::filesystem::path& path,
                                                  const std::string& identity) {
    CheckedFile file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.is_open()) {
        if (errno == ENOENT) {
            return std::optional<TrainState>();
        }
        return refused(path, "cannot be opened");
    }
    const auto head = read_head(file, path);
    if (!head.ok()) {
        return head.error();
    }
    std::string theirs(head.value().identity_bytes, '\0');
    TrainState state;
    state.epoch = head.value().epoch;
    state.step = head.value().step;
    state.epoch_loss_sum = head.value().epoch_loss_sum;
    state.parameters.resize(head.value().parameter_floats);
    state.velocity.resize(head.value().parameter_floats);
    state.statistics.resize(head.value().statistic_floats);
    bool whole = file.read_all(std::as_writable_bytes(std::span(theirs))) &&
                 file.read_all(std::as_writable_bytes(std::span(state.parameters))) &&
                 file.read_all(std::as_writable_bytes(std::span(state.velocity))) &&
                 file.read_all(std::as_writable_bytes(std::span(state.statistics)));
    const std::uint32_t expected = file.checksum();
    std::uint32_t found = 0;
    whole = whole && file.read_all(std::as_writable_bytes(std::span(&found, 1)));
    if (!whole || found != expected) {
        return damaged(path, "is truncated or damaged");
    }
    if (theirs != identity) {
        return damaged(path,
                       "is of another training: this one has " +
                           epochcast::quoted(first_difference(theirs, identity)));
    }
    return std::optional(std::move(state));
}

}  // namespace epochcast::runtime
