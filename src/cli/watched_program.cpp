// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/watched_program.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/child.hpp"
#include "cli/output_path.hpp"
#include "cli/signal_relay.hpp"

namespace epochcast {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds tick_every{1000};
// How long output that a left-over process still holds open is waited for.
constexpr milliseconds linger{200};

class Watch {
  public:
    Watch(OutputPath& path, SignalRelay& signals, const Watcher& watcher, pid_t pid)
        : path_(path), signals_(signals), watcher_(watcher), pid_(pid), raw_(path.has_terminal()) {}

    int run() {
        auto next_tick = Clock::now();
        std::optional<Clock::time_point> ended;
        while (!ended || (is_any_open() && Clock::now() - *ended < linger)) {
            const auto now = Clock::now();
            if (now >= next_tick && !ended) {
                watcher_.tick(pid_);
                next_tick = now + tick_every;
            }
            const auto wait =
                ended ? milliseconds(20) : std::chrono::ceil<milliseconds>(next_tick - now);
            wait_and_pass_on(static_cast<int>(wait.count()));
            if (!ended && has_ended()) ended = Clock::now();
        }
        drain();
        watcher_.tick(pid_);
        return reap();
    }

  private:
    bool is_any_open() const {
        return path_.channels()[0].ours.is_open() || path_.channels()[1].ours.is_open();
    }

    void wait_and_pass_on(int timeout_ms) {
        std::array<pollfd, 4> files{};
        nfds_t count = 0;
        files[count++] = {signals_.fd(), POLLIN, 0};
        for (Channel& channel : path_.channels()) {
            if (channel.ours.is_open()) files[count++] = {channel.ours.fd(), POLLIN, 0};
        }
        const bool takes_keys = raw_.is_active() && has_keys_;
        if (takes_keys) files[count++] = {0, POLLIN, 0};
        if (::poll(files.data(), count, timeout_ms) <= 0) return;
        for (Channel& channel : path_.channels()) pass_output(channel);
        if (takes_keys && files[count - 1].revents != 0) pass_keys();
        if (files[0].revents != 0) take_signals();
    }

    // One buffer at a time, so that a program that only writes does not keep signals waiting.
    void pass_output(Channel& channel) {
        if (!channel.ours.is_open()) return;
        const ssize_t n = ::read(channel.ours.fd(), buffer_.data(), buffer_.size());
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (n <= 0) {  // EIO: nobody has the terminal open any more
            channel.ours.close();
            return;
        }
        const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(n));
        // A reader that left is the program's to notice.
        if (!write_all(channel.target, bytes)) channel.ours.close();
        watcher_.output(channel.stream, bytes);
    }

    // What still lies in the pipes, where somebody else holds them open.
    void drain() {
        for (Channel& channel : path_.channels()) {
            int left = 0;
            for (int piece = 0; piece < 64 && channel.ours.is_open(); ++piece) {
                if (::ioctl(channel.ours.fd(), FIONREAD, &left) != 0 || left == 0) break;
                pass_output(channel);
            }
        }
    }

    void pass_keys() {
        const ssize_t n = ::read(0, buffer_.data(), buffer_.size());
        if (n > 0 && path_.terminal() >= 0) {
            write_all(path_.terminal(), {buffer_.data(), static_cast<std::size_t>(n)});
        }
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) has_keys_ = false;
    }

    void take_signals() {
        const auto news = signals_.relay(pid_, raw_.is_active());
        if (news.window_changed && path_.terminal() >= 0) copy_window_size(path_.terminal());
        if (news.child_changed) reap_orphans();
    }

    // Processes that we adopted; ours stays to be measured until all is done.
    void reap_orphans() {
        siginfo_t info{};
        while (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0 &&
               info.si_pid != pid_) {
            ::waitpid(info.si_pid, nullptr, WNOHANG);
            info.si_pid = 0;
        }
        if (raw_.is_active()) stop_with_program();
    }

    // Ctrl-Z in the program's own terminal: our shell must see that we stopped.
    void stop_with_program() {
        siginfo_t info{};
        const auto id = static_cast<id_t>(pid_);
        if (::waitid(P_PID, id, &info, WSTOPPED | WNOHANG) != 0 || info.si_pid == 0) return;
        raw_.restore();
        ::raise(SIGSTOP);
        raw_.enter();
        ::kill(-pid_, SIGCONT);
    }

    bool has_ended() const {
        siginfo_t info{};
        const auto id = static_cast<id_t>(pid_);
        return ::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
    }

    int reap() const {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    OutputPath& path_;
    SignalRelay& signals_;
    const Watcher& watcher_;
    pid_t pid_;
    RawTerminal raw_;
    bool has_keys_ = true;
    std::array<char, 65536> buffer_ = {};
};

// Tells why, with plain calls only: we are in a child between fork and exec.
int tell_exec_failure(const char* program, int error) {
    const char* reason = ::strerror(error);
    for (const char* text : {"epochcast: cannot run '", program, "': ", reason, "\n"}) {
        const ssize_t unused = ::write(2, text, std::strlen(text));
        static_cast<void>(unused);
    }
    return error == ENOENT ? exit_not_found : exit_not_executable;
}

}  // namespace

int become_program(const std::vector<std::string>& arguments) {
    ::execvp(arguments[0].c_str(), pointers_to(arguments).data());
    return tell_exec_failure(arguments[0].c_str(), errno);
}

Result<int> watch_program(const std::vector<std::string>& arguments, const Watcher& watcher) {
    auto path = OutputPath::open();
    if (!path) return path.error();
    SignalRelay signals;
    // Processes whose parent ends stay ours to measure, as a container's would.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    const auto pointers = pointers_to(arguments);
    const pid_t pid = ::fork();
    if (pid < 0) {
        return Error{ErrorKind::environment,
                     "cannot start a process: " + std::generic_category().message(errno)};
    }
    if (pid == 0) {
        signals.restore();
        if (!path.value().enter_child()) ::_exit(exit_own_failure);
        ::execvp(pointers[0], pointers.data());
        ::_exit(tell_exec_failure(pointers[0], errno));
    }
    path.value().close_theirs();
    return Watch(path.value(), signals, watcher, pid).run();
}

}  // namespace epochcast
