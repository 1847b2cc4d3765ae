// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/output_path.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace epochcast {

namespace {

Error failed(const char* what) {
    return {ErrorKind::environment,
            std::string(what) + ": " + std::generic_category().message(errno)};
}

// Streams that are closed would give their numbers to our own files.
void occupy_standard_files() {
    for (int fd = 0; fd <= 2; ++fd) {
        if (::fcntl(fd, F_GETFD) >= 0) continue;
        const int null = ::open("/dev/null", O_RDWR);
        if (null > fd) ::close(null);
    }
}

bool lead_to_same_file() {
    struct stat out {};
    struct stat error {};
    return ::fstat(1, &out) == 0 && ::fstat(2, &error) == 0 && out.st_dev == error.st_dev &&
           out.st_ino == error.st_ino;
}

Result<void> open_pipe(Channel& channel) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return failed("cannot make a pipe");
    channel.ours = OwnedFd(ends[0]);
    channel.theirs = OwnedFd(ends[1]);
    return {};
}

// A terminal that looks like ours: same size, same modes.
Result<void> open_terminal(Channel& channel, bool is_raw_behind) {
    channel.ours = OwnedFd(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    char name[64];
    const int master = channel.ours.fd();
    if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0 ||
        ::ptsname_r(master, name, sizeof name) != 0) {
        return failed("cannot open a terminal for the program");
    }
    channel.theirs = OwnedFd(::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!channel.theirs.is_open()) return failed("cannot open a terminal for the program");
    termios modes{};
    if (::tcgetattr(channel.target, &modes) == 0) {
        // Where our terminal translates line ends, this one must not do it too.
        if (!is_raw_behind) modes.c_oflag &= ~static_cast<tcflag_t>(OPOST);
        ::tcsetattr(channel.theirs.fd(), TCSANOW, &modes);
    }
    copy_window_size(channel.theirs.fd());
    return {};
}

bool owns_input_terminal() { return ::isatty(0) == 1 && ::tcgetpgrp(0) == ::getpgrp(); }

}  // namespace

OwnedFd& OwnedFd::operator=(OwnedFd&& other) noexcept {
    if (this != &other) {
        close();
        fd_ = other.release();
    }
    return *this;
}

int OwnedFd::release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
}

void OwnedFd::close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
}

Result<OutputPath> OutputPath::open() {
    occupy_standard_files();
    OutputPath path;
    const bool is_terminal[] = {::isatty(1) == 1, ::isatty(2) == 1};
    const bool both_terminals = is_terminal[0] && is_terminal[1];
    path.has_terminal_ = is_terminal[0] || is_terminal[1];
    path.gives_input_ = path.has_terminal_ && owns_input_terminal();
    if (both_terminals || lead_to_same_file()) path.channel_of_ = {0, 0};
    for (std::size_t stream = 0; stream < 2; ++stream) {
        const std::size_t used = path.channel_of_[stream];
        Channel& channel = path.channels_[used];
        if (channel.ours.is_open()) continue;
        channel.stream = stream;
        channel.target = static_cast<int>(stream) + 1;
        const Result<void> made =
            is_terminal[stream] ? open_terminal(channel, path.gives_input_) : open_pipe(channel);
        if (!made) return made.error();
        if (is_terminal[stream]) {
            path.terminal_ = channel.ours.fd();
            path.terminal_channel_ = used;
        }
        ::fcntl(channel.ours.fd(), F_SETFL, ::fcntl(channel.ours.fd(), F_GETFL) | O_NONBLOCK);
    }
    return path;
}

bool OutputPath::enter_child() const {
    if (has_terminal_ && gives_input_) {
        // A session of its own, with the new terminal as the one that sends its signals.
        const int terminal = channels_[terminal_channel_].theirs.fd();
        if (::setsid() < 0 || ::ioctl(terminal, TIOCSCTTY, 0) != 0) return false;
        if (::dup2(terminal, 0) < 0) return false;
    }
    return ::dup2(channels_[channel_of_[0]].theirs.fd(), 1) >= 0 &&
           ::dup2(channels_[channel_of_[1]].theirs.fd(), 2) >= 0;
}

void OutputPath::close_theirs() {
    for (Channel& channel : channels_) channel.theirs.close();
}

RawTerminal::RawTerminal(bool is_wanted) {
    is_possible_ = is_wanted && owns_input_terminal() && ::tcgetattr(0, &saved_) == 0;
    enter();
}

void RawTerminal::enter() {
    if (!is_possible_ || is_active_) return;
    termios raw = saved_;
    ::cfmakeraw(&raw);
    is_active_ = ::tcsetattr(0, TCSADRAIN, &raw) == 0;
}

void RawTerminal::restore() {
    if (is_active_) ::tcsetattr(0, TCSADRAIN, &saved_);
    is_active_ = false;
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n >= 0) {
            text.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno == EAGAIN) {
            pollfd ready{fd, POLLOUT, 0};
            ::poll(&ready, 1, 1000);
        } else if (errno != EINTR) {
            return errno != EPIPE;
        }
    }
    return true;
}

void copy_window_size(int to_terminal) {
    winsize size{};
    for (int fd = 0; fd <= 2; ++fd) {
        if (::ioctl(fd, TIOCGWINSZ, &size) == 0) {
            ::ioctl(to_terminal, TIOCSWINSZ, &size);
            return;
        }
    }
}

}  // namespace epochcast
