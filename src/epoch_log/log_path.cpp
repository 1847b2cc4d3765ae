// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/log_path.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "core/text.hpp"

namespace epochcast {
namespace {

// A model job that was started more often than this is not restarting but looping.
constexpr std::uint32_t max_restarts = 100'000;

Error refused(const std::string& what, const std::filesystem::path& path, int error) {
    return {ErrorKind::environment,
            what + " " + epochcast::quoted(path.native(), 400) + ": " +
                std::generic_category().message(error)};
}

Result<void> make_log_dir(const std::filesystem::path& dir) {
    std::error_code error;
    if (std::filesystem::is_directory(dir, error)) {
        return {};
    }
    if (dir.has_parent_path()) {
        std::filesystem::create_directories(dir.parent_path(), error);
    }
    if (mkdir(dir.c_str(), 0755) != 0 && errno != EEXIST) {
        return refused("cannot make the log directory", dir, errno);
    }
    return {};
}

Result<void> make_user_dir(const std::filesystem::path& dir, std::uint32_t uid) {
    if (mkdir(dir.c_str(), 0750) != 0 && errno != EEXIST) {
        return refused("cannot make the folder", dir, errno);
    }
    struct stat status {};
    if (lstat(dir.c_str(), &status) != 0) {
        return refused("cannot use the folder", dir, errno);
    }
    // In a log directory that everybody may write to, somebody else may have been here first.
    const bool is_ours = status.st_uid == uid || status.st_uid == geteuid() || status.st_uid == 0;
    if (!S_ISDIR(status.st_mode) || !is_ours) {
        return Error{ErrorKind::environment,
                     "cannot use " + epochcast::quoted(dir.native(), 400) +
                         ": it is no folder that belongs to user " + std::to_string(uid)};
    }
    // Whatever the umask is; the set-group-id bit of a shared log directory stays.
    const mode_t wanted = (status.st_mode & S_ISGID) | 0750;
    const mode_t got = status.st_mode & 07777;
    if (got != wanted && (got & ~wanted) == 0 && status.st_uid == geteuid()) {
        chmod(dir.c_str(), wanted);
    }
    return {};
}

}  // namespace

Result<std::filesystem::path> reserve_log(const std::filesystem::path& dir, LogHeader& header) {
    if (Result<void> made = make_log_dir(dir); !made) {
        return made.error();
    }
    const std::filesystem::path user_dir = dir / std::to_string(header.uid);
    if (Result<void> made = make_user_dir(user_dir, header.uid); !made) {
        return made.error();
    }
    const std::string stem = header.cluster + "-" + header.job_id + "." + header.model_job + ".r";
    std::filesystem::path path;
    for (header.restart = 0; header.restart < max_restarts; ++header.restart) {
        path = user_dir / (stem + std::to_string(header.restart) + ".h5");
        const int descriptor =
            open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
        if (descriptor >= 0) {
            fchmod(descriptor, 0640);
            close(descriptor);
            return path;
        }
        if (errno != EEXIST) {
            return refused("cannot create", path, errno);
        }
    }
    return Error{ErrorKind::environment,
                 "cannot create " + epochcast::quoted(path.native(), 400) +
                     ": every restart number below it is taken"};
}

}  // namespace epochcast
