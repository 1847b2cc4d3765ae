// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "decide/decision_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <system_error>

#include "core/text.hpp"
#include "forecast_file/descriptor.hpp"

namespace epochcast {

namespace {

constexpr const char* current_name = "decisions.jsonl";
constexpr const char* previous_name = "decisions.1.jsonl";

Error failed(const std::string& path, const std::string& why) {
    return Error{ErrorKind::environment,
                 "cannot record decisions in " + epochcast::quoted(path, 400) + ": " + why};
}

Error failed(const std::string& path, int error_number) {
    return failed(path, std::generic_category().message(error_number));
}

bool is_owned_by(const struct stat& status, std::uint32_t uid) {
    return status.st_uid == uid || status.st_uid == ::geteuid();
}

// Root hands what it made to the user; the umask has no say in the mode.
int hand_over(int file, std::uint32_t uid, mode_t mode) {
    if (::fchmod(file, mode) != 0) return errno;
    if (::geteuid() == 0 && ::fchown(file, uid, static_cast<gid_t>(-1)) != 0) return errno;
    return 0;
}

Result<Descriptor> open_user_folder(const std::string& dir, std::uint32_t uid) {
    const Descriptor parent(::open(dir.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (parent.number() < 0) return failed(dir, errno);
    const std::string name = std::to_string(uid);
    const std::string path = dir + '/' + name;
    const bool is_new = ::mkdirat(parent.number(), name.c_str(), 0750) == 0;
    if (!is_new && errno != EEXIST) return failed(path, errno);
    Descriptor folder(
        ::openat(parent.number(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (folder.number() < 0 || ::fstat(folder.number(), &status) != 0) return failed(path, errno);
    if (!is_owned_by(status, uid)) return failed(path, "it belongs to another user");
    if (const int error_number = is_new ? hand_over(folder.number(), uid, 0750) : 0) {
        return failed(path, error_number);
    }
    return folder;
}

// An open file of ours or the user's and its size.
struct OpenFile {
    Descriptor descriptor;
    std::int64_t size = 0;
};

Result<OpenFile> open_file(int folder, const std::string& path, std::uint32_t uid) {
    Descriptor file(::openat(folder,
                             current_name,
                             O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                             0640));
    struct stat status {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return failed(path, errno);
    // A second name of the file may lie where the user must not write.
    if (!S_ISREG(status.st_mode) || status.st_nlink != 1 || !is_owned_by(status, uid)) {
        return failed(path, "it is not a plain file of this user");
    }
    if (const int error_number = status.st_size == 0 ? hand_over(file.number(), uid, 0640) : 0) {
        return failed(path, error_number);
    }
    return OpenFile{std::move(file), status.st_size};
}

Result<void> append(const OpenFile& file, const std::string& path, std::string_view line) {
    std::string text;
    char last = '\n';
    if (file.size > 0 && ::pread(file.descriptor.number(), &last, 1, file.size - 1) == 1 &&
        last != '\n') {
        text = '\n';  // a line that was cut must not spoil this one
    }
    text += line;
    const ssize_t written = ::write(file.descriptor.number(), text.data(), text.size());
    if (written == static_cast<ssize_t>(text.size())) return {};
    const int error_number = written < 0 ? errno : ENOSPC;
    if (written > 0 && ::ftruncate(file.descriptor.number(), file.size) != 0) {
        return failed(path, "no space, and the line was cut");
    }
    return failed(path, error_number);
}

}  // namespace

Result<void> append_decision(const std::string& dir, std::uint32_t uid, std::string_view line) {
    const auto folder = open_user_folder(dir, uid);
    if (!folder) return folder.error();
    const int folder_number = folder.value().number();
    const std::string path = dir + '/' + std::to_string(uid) + '/' + current_name;
    auto file = open_file(folder_number, path, uid);
    if (!file) return file.error();
    const auto line_bytes = static_cast<std::int64_t>(line.size());
    if (file.value().size > 0 && file.value().size + line_bytes > max_decision_file_bytes) {
        if (::renameat(folder_number, current_name, folder_number, previous_name) != 0) {
            return failed(path, errno);
        }
        file = open_file(folder_number, path, uid);
        if (!file) return file.error();
    }
    return append(file.value(), path, line);
}

}  // namespace epochcast
