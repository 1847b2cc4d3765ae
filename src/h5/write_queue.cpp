// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "h5/write_queue.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace epochcast::h5 {
namespace {

// Beyond its limit a process is not told but killed (SIGXFSZ), so it is never tried.
bool is_beyond_limit(std::uint64_t end) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           end > limit.rlim_cur;
}

}  // namespace

int WriteQueue::open(const std::filesystem::path& path, int extra_flags) {
    close();
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | extra_flags, 0640);
    owner_ = getpid();
    return descriptor_ < 0 ? errno : 0;
}

void WriteQueue::close() {
    if (descriptor_ < 0) {
        return;
    }
    drain();
    waiting_.clear();
    // A network file system may tell only now that it could not store something.
    if (::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) {
        error_ = errno;
    }
}

bool WriteQueue::is_ours() const { return owner_ == getpid(); }

// How many of the bytes the disk took; fewer than all with error_ set.
std::uint64_t WriteQueue::put(std::uint64_t offset, std::span<const char> bytes) {
    std::uint64_t done = 0;
    if (is_beyond_limit(offset + bytes.size())) {
        error_ = EFBIG;
        return done;
    }
    while (done < bytes.size()) {
        const auto rest = bytes.subspan(done);
        const ssize_t took =
            pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(offset + done));
        if (took < 0 && errno == EINTR) {
            continue;
        }
        if (took <= 0) {
            error_ = took < 0 ? errno : ENOSPC;
            break;
        }
        done += static_cast<std::uint64_t>(took);
    }
    return done;
}

bool WriteQueue::put_size(std::uint64_t bytes) {
    if (is_beyond_limit(bytes)) {
        error_ = EFBIG;
        return false;
    }
    if (ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) {
        error_ = errno;
        return false;
    }
    return true;
}

void WriteQueue::write(std::uint64_t offset, std::span<const char> bytes) {
    if (!is_ours()) {
        return;
    }
    const std::uint64_t done = drain() ? put(offset, bytes) : 0;
    if (done < bytes.size()) {
        const auto rest = bytes.subspan(done);
        waiting_.push_back({offset + done, {rest.begin(), rest.end()}, false});
    }
}

void WriteQueue::resize(std::uint64_t bytes) {
    if (is_ours() && !(drain() && put_size(bytes))) {
        waiting_.push_back({bytes, {}, true});
    }
}

bool WriteQueue::drain() {
    if (waiting_.empty() || !is_ours()) {
        return true;
    }
    while (!waiting_.empty()) {
        Waiting& next = waiting_.front();
        if (next.is_resize) {
            if (!put_size(next.offset)) {
                return false;
            }
        } else if (const std::uint64_t done = put(next.offset, next.bytes);
                   done < next.bytes.size()) {
            next.offset += done;
            next.bytes.erase(next.bytes.begin(),
                             next.bytes.begin() + static_cast<std::ptrdiff_t>(done));
            return false;
        }
        waiting_.pop_front();
    }
    error_ = 0;
    return true;
}

bool WriteQueue::read(std::uint64_t offset, std::span<char> bytes) const {
    std::uint64_t done = 0;
    while (done < bytes.size()) {
        const auto rest = bytes.subspan(done);
        const ssize_t got =
            pread(descriptor_, rest.data(), rest.size(), static_cast<off_t>(offset + done));
        if (got < 0 && errno != EINTR) {
            return false;
        }
        if (got == 0) {
            std::ranges::fill(rest, '\0');
            break;
        }
        done += got > 0 ? static_cast<std::uint64_t>(got) : 0;
    }
    for (const Waiting& write : waiting_) {
        const std::uint64_t begin = std::max(offset, write.offset);
        const std::uint64_t end =
            std::min(offset + bytes.size(), write.offset + write.bytes.size());
        if (begin < end) {
            std::ranges::copy(std::span(write.bytes).subspan(begin - write.offset, end - begin),
                              bytes.subspan(begin - offset).begin());
        }
    }
    return true;
}

std::uint64_t WriteQueue::size_bytes() const {
    struct stat status {};
    std::uint64_t size =
        fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
    for (const Waiting& write : waiting_) {
        size = write.is_resize ? write.offset : std::max(size, write.offset + write.bytes.size());
    }
    return size;
}

}  // namespace epochcast::h5
