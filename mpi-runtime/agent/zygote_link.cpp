// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/zygote_link.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace epochcast::runtime {

namespace {

Error refused(const std::string& what) {
    return {ErrorKind::environment, what + ": " + std::strerror(errno)};
}

// The worker program lies beside this one.
std::filesystem::path worker_path() {
    std::error_code code;
    return std::filesystem::read_symlink("/proc/self/exe", code).parent_path() / worker_program;
}

std::vector<std::string> worker_arguments(const ModelSpec& spec,
                                          std::uint64_t parameter_seed,
                                          std::uint32_t micro_batch) {
    return {worker_program,
            spec.name,
            std::to_string(spec.channels),
            std::to_string(spec.height),
            std::to_string(spec.width),
            std::to_string(spec.classes),
            std::to_string(parameter_seed),
            std::to_string(micro_batch)};
}

// Becomes the worker program. Its math libraries read these variables when they are loaded; one
// thread per worker, because workers are what uses the CPUs.
[[noreturn]] void become_zygote(const std::filesystem::path& program,
                                std::vector<std::string>& arguments,
                                int socket,
                                int memory) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const char* name : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"}) {
        setenv(name, "1", 1);
    }
    // Above both targets first, so that neither overwrites the other.
    const int high_socket = fcntl(socket, F_DUPFD, 10);
    const int high_memory = fcntl(memory, F_DUPFD, 10);
    dup2(high_socket, pool_socket_fd);
    dup2(high_memory, pool_memory_fd);
    close(high_socket);
    close(high_memory);
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (auto& argument : arguments) {
        argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    PoolEvent event{.kind = PoolEvent::Kind::failed};
    std::snprintf(event.text,
                  sizeof event.text,
                  "cannot start %s: %s",
                  program.c_str(),
                  std::strerror(errno));
    [[maybe_unused]] const auto written = write(pool_socket_fd, &event, sizeof event);
    _exit(127);
}

}  // namespace

std::string ending_of(int wait_status) {
    if (WIFSIGNALED(wait_status)) {
        return "was ended by signal " + std::to_string(WTERMSIG(wait_status)) + " (" +
               strsignal(WTERMSIG(wait_status)) + ")";
    }
    return "ended with exit code " + std::to_string(WEXITSTATUS(wait_status));
}

ZygoteLink::ZygoteLink(ZygoteLink&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), pid_(std::exchange(other.pid_, -1)) {}

ZygoteLink::~ZygoteLink() {
    if (socket_ >= 0) {
        close(socket_);
    }
    if (pid_ > 0) {
        waitpid(pid_, nullptr, 0);
    }
}

Result<ZygoteLink> ZygoteLink::launch(const ModelSpec& spec,
                                      std::uint64_t parameter_seed,
                                      std::uint32_t micro_batch,
                                      int memory) {
    std::array<int, 2> sockets{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
        return refused("cannot make a socket to the workers");
    }
    const auto program = worker_path();
    auto arguments = worker_arguments(spec, parameter_seed, micro_batch);
    const pid_t pid = fork();
    if (pid == 0) {
        become_zygote(program, arguments, sockets[1], memory);
    }
    close(sockets[1]);
    if (pid < 0) {
        close(sockets[0]);
        return refused("cannot fork the workers' zygote");
    }
    return ZygoteLink(sockets[0], pid);
}

Result<void> ZygoteLink::ask(const PoolRequest& request) {
    ssize_t written = 0;
    do {
        written = ::send(socket_, &request, sizeof request, MSG_NOSIGNAL);
    } while (written < 0 && errno == EINTR);
    if (written != sizeof request) {
        return gone();
    }
    return {};
}

Error ZygoteLink::gone() {
    int status = 0;
    if (pid_ > 0 && waitpid(pid_, &status, 0) == pid_) {
        pid_ = -1;
        return {ErrorKind::environment, "the workers' zygote " + ending_of(status)};
    }
    return {ErrorKind::environment, "the workers' zygote is gone"};
}

Result<std::optional<PoolEvent>> ZygoteLink::next_event(bool wait) {
    PoolEvent event;
    ssize_t got = 0;
    do {
        got = recv(socket_, &event, sizeof event, wait ? 0 : MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        return std::optional<PoolEvent>();
    }
    if (got != sizeof event) {
        return gone();
    }
    if (event.kind == PoolEvent::Kind::failed) {
        return Error{ErrorKind::environment, "workers: " + std::string(event.text)};
    }
    return std::optional(event);
}

}  // namespace epochcast::runtime
