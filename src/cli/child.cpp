// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/child.hpp"

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/text.hpp"

extern char** environ;

namespace epochcast {

namespace {

constexpr std::size_t max_output_bytes = 1u << 20;

// Everything until the other end closes; what exceeds the limit is read and dropped.
std::string read_all(int pipe) {
    std::string text;
    std::array<char, 4096> buffer{};
    while (true) {
        const ssize_t n = ::read(pipe, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return text;
        const std::size_t room = max_output_bytes - text.size();
        text.append(buffer.data(), std::min(room, static_cast<std::size_t>(n)));
    }
}

int wait_for(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

Result<ChildOutput> run_child(const std::vector<std::string>& arguments,
                              const std::vector<std::string>& environment) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return Error{ErrorKind::environment,
                     "no pipe for " + arguments[0] + ": " + std::generic_category().message(errno)};
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    pid_t pid = 0;
    const int failure = ::posix_spawnp(&pid,
                                       arguments[0].c_str(),
                                       &actions,
                                       nullptr,
                                       pointers_to(arguments).data(),
                                       pointers_to(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (failure != 0) {
        ::close(ends[0]);
        return Error{
            ErrorKind::environment,
            arguments[0] + " cannot be started: " + std::generic_category().message(failure)};
    }
    ChildOutput output;
    output.text = read_all(ends[0]);
    ::close(ends[0]);
    output.exit_code = wait_for(pid);
    return output;
}

std::vector<std::string> environment_outside_jobs() {
    std::vector<std::string> kept;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const bool is_of_job = text.starts_with("SLURM_") && !text.starts_with("SLURM_CONF=");
        if (!is_of_job) kept.emplace_back(text);
    }
    return kept;
}

}  // namespace epochcast
