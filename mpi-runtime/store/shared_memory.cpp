// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "store/shared_memory.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace epochcast::runtime {

namespace {

Error refused(const std::string& what) {
    return {ErrorKind::environment, "shared memory: " + what + ": " + std::strerror(errno)};
}

}  // namespace

Result<SharedMemory> SharedMemory::create() {
    const int fd = memfd_create("epochcast-board", MFD_CLOEXEC);
    if (fd < 0) {
        return refused("cannot create it");
    }
    return SharedMemory(fd);
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      base_(std::exchange(other.base_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

SharedMemory::~SharedMemory() {
    if (base_ != nullptr) {
        munmap(base_, bytes_);
    }
    if (fd_ >= 0) {
        close(fd_);
    }
}

Result<void> SharedMemory::resize(std::uint64_t bytes) {
    if (ftruncate(fd_, static_cast<off_t>(bytes)) != 0) {
        return refused("cannot make it " + std::to_string(bytes) + " bytes large");
    }
    return {};
}

Result<std::byte*> SharedMemory::map() {
    struct stat status {};
    if (fstat(fd_, &status) != 0 || status.st_size <= 0) {
        return refused("it has no size");
    }
    bytes_ = static_cast<std::uint64_t>(status.st_size);
    void* base = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (base == MAP_FAILED) {
        return refused("cannot map " + std::to_string(bytes_) + " bytes");
    }
    base_ = static_cast<std::byte*>(base);
    return base_;
}

}  // namespace epochcast::runtime
