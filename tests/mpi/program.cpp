// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "mpi/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string_view>

extern char** environ;

namespace epochcast {

namespace {

using Clock = std::chrono::steady_clock;

// Ours without what launchers and epochcast read.
std::vector<std::string> clean_environment(const std::vector<std::string>& more) {
    std::vector<std::string> variables;
    for (char** at = environ; *at != nullptr; ++at) {
        const std::string_view variable = *at;
        bool is_foreign = false;
        for (const char* prefix : {"SLURM", "SRUN_", "PMI", "OMPI_", "PRTE", "EPOCHCAST_"}) {
            is_foreign = is_foreign || variable.starts_with(prefix);
        }
        if (!is_foreign) {
            variables.emplace_back(variable);
        }
    }
    // Traffic stays on this machine.
    for (const char* variable : {"OMPI_MCA_btl_tcp_if_include=lo",
                                 "OMPI_MCA_oob_tcp_if_include=lo",
                                 "OMPI_ALLOW_RUN_AS_ROOT=1",
                                 "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}) {
        variables.emplace_back(variable);
    }
    variables.insert(variables.end(), more.begin(), more.end());
    return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (auto& text : texts) {
        list.push_back(text.data());
    }
    list.push_back(nullptr);
    return list;
}

struct Pipe {
    Pipe() { [[maybe_unused]] const int made = pipe2(ends.data(), O_CLOEXEC); }
    ~Pipe() { close(ends[0]); }
    std::array<int, 2> ends{};
};

// Moves what is there into `text`; false at end of file.
bool drain(int fd, std::string& text) {
    std::array<char, 4096> buffer{};
    const auto got = read(fd, buffer.data(), buffer.size());
    if (got > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return got > 0;
}

int exit_code_of(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string comm_of(int pid) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/comm");
    std::string name;
    std::getline(in, name);
    return name;
}

// State and parent of a process, from /proc/<pid>/stat; '?' where it is gone.
std::pair<char, int> state_and_parent(int pid) {
    std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(in, line);
    const auto paren = line.rfind(')');
    if (paren == std::string::npos || paren + 4 > line.size()) {
        return {'?', 0};
    }
    return {line[paren + 2], std::atoi(line.c_str() + paren + 4)};
}

}  // namespace

Ended run_program(const Start& start) {
    Pipe out;
    Pipe err;
    auto arguments = start.command;
    auto variables = clean_environment(start.environment);
    const auto argv = pointers(arguments);
    const auto envp = pointers(variables);
    const pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        dup2(out.ends[1], STDOUT_FILENO);
        dup2(err.ends[1], STDERR_FILENO);
        if (chdir(start.folder.c_str()) == 0) {
            execvpe(argv[0], argv.data(), envp.data());
        }
        _exit(127);
    }
    close(out.ends[1]);
    close(err.ends[1]);

    Ended ended;
    const auto limit = Clock::now() + std::chrono::seconds(start.limit_s);
    std::array<pollfd, 2> sources{{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
    std::array<std::string*, 2> texts{&ended.out, &ended.err};
    while (sources[0].fd >= 0 || sources[1].fd >= 0) {
        poll(sources.data(), sources.size(), 5);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            if (sources[i].revents != 0 && !drain(sources[i].fd, *texts[i])) {
                sources[i].fd = -1;
            }
        }
        if (start.watch) {
            start.watch(pid, ended.out);
        }
        if (Clock::now() > limit) {
            kill(-pid, SIGKILL);
        }
    }
    int status = 0;
    waitpid(pid, &status, 0);
    ended.exit_code = exit_code_of(status);
    return ended;
}

std::vector<int> descendants_named(int pid, const std::string& name) {
    std::map<int, int> parents;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const int one = std::atoi(entry.path().filename().c_str());
        if (one > 0) {
            parents[one] = state_and_parent(one).second;
        }
    }
    std::vector<int> found;
    for (const auto& [one, parent] : parents) {
        int ancestor = parent;
        while (ancestor > 1 && ancestor != pid) {
            const auto next = parents.find(ancestor);
            ancestor = next == parents.end() ? 0 : next->second;
        }
        if (ancestor == pid && comm_of(one) == name) {
            found.push_back(one);
        }
    }
    return found;
}

bool is_alive(int pid) {
    const char state = state_and_parent(pid).first;
    return state != '?' && state != 'Z' && state != 'X';
}

}  // namespace epochcast
