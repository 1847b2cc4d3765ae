// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "history/folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/text.hpp"

namespace epochcast {
namespace {

Error refused(const std::string& what, const std::filesystem::path& path, std::error_code error) {
    return {
        ErrorKind::environment,
        "cannot " + what + " " + epochcast::quoted(path.native(), 400) + ": " + error.message()};
}

std::error_code last_error() { return {errno, std::generic_category()}; }

// The number in "segment-000042.h5", 0 for any other name.
std::uint64_t segment_number(std::string_view name) {
    constexpr std::string_view prefix = "segment-";
    constexpr std::string_view suffix = ".h5";
    std::uint64_t number = 0;
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) {
        return 0;
    }
    name.remove_prefix(prefix.size());
    const auto [end, error] = std::from_chars(name.begin(), name.end(), number);
    return error == std::errc() && std::string_view(end, name.end()) == suffix ? number : 0;
}

}  // namespace

Result<FolderLock> FolderLock::take(const std::filesystem::path& dir) {
    std::error_code error;
    std::filesystem::create_directories(dir, error);
    if (error) {
        return refused("make the history folder", dir, error);
    }
    const std::filesystem::path path = dir / "lock";
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (descriptor < 0) {
        return refused("write to the history: open", path, last_error());
    }
    FolderLock lock(descriptor);
    while (flock(descriptor, LOCK_EX) != 0) {
        if (errno != EINTR) {
            return refused("write to the history: lock", path, last_error());
        }
    }
    return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
    if (descriptor_ >= 0) {
        close(descriptor_);
    }
}

Result<std::map<std::uint64_t, std::filesystem::path>> list_segments(
    const std::filesystem::path& dir) {
    std::map<std::uint64_t, std::filesystem::path> segments;
    std::error_code error;
    std::filesystem::directory_iterator entry(dir, error);
    if (error == std::errc::no_such_file_or_directory) {
        return segments;
    }
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        if (const auto number = segment_number(entry->path().filename().native()); number != 0) {
            segments.emplace(number, entry->path());
        }
    }
    if (error) {
        return refused("read the history folder", dir, error);
    }
    return segments;
}

std::filesystem::path segment_path(const std::filesystem::path& dir, std::uint64_t number) {
    char name[40];
    std::snprintf(name, sizeof name, "segment-%06llu.h5", static_cast<unsigned long long>(number));
    return dir / name;
}

}  // namespace epochcast
