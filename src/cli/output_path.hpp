// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// How the output of a program that we run reaches ours: through a terminal of its own where ours is
// one, so that the program draws the same bars, else through pipes. Order between the two streams
// is kept where both lead to the same place.

#include <array>
#include <string_view>

#include <termios.h>

#include "core/result.hpp"

namespace epochcast {

// An open file; closed at the end. Movable.
class OwnedFd {
  public:
    explicit OwnedFd(int fd = -1) : fd_(fd) {}
    OwnedFd(OwnedFd&& other) noexcept : fd_(other.release()) {}
    OwnedFd& operator=(OwnedFd&& other) noexcept;
    ~OwnedFd() { close(); }
    int fd() const { return fd_; }
    bool is_open() const { return fd_ >= 0; }
    int release();
    void close();

  private:
    int fd_;
};

// One way from the program to us.
struct Channel {
    OwnedFd ours;            // read end, non-blocking
    OwnedFd theirs;          // the program's; closed here once it was started
    std::size_t stream = 0;  // 0 output, 1 errors
    int target = 1;          // where we write what comes
};

class OutputPath {
  public:
    // Errors: environment (no pipe, no terminal).
    static Result<OutputPath> open();

    // In the child, between fork and exec: puts 0, 1 and 2 in place. False with errno.
    bool enter_child() const;
    // In the parent, when the child runs.
    void close_theirs();

    std::array<Channel, 2>& channels() { return channels_; }
    bool has_terminal() const { return has_terminal_; }
    int terminal() const { return terminal_; }  // our end of the terminal; -1: none

  private:
    std::array<Channel, 2> channels_;  // an unused one has no open file
    std::array<std::size_t, 2> channel_of_ = {0, 1};
    bool has_terminal_ = false;
    bool gives_input_ = false;  // the terminal is the program's input too
    int terminal_ = -1;
    std::size_t terminal_channel_ = 0;
};

// Our own terminal while a program runs in one of its own: keys go to the program as they are.
// Restored at the end.
class RawTerminal {
  public:
    explicit RawTerminal(bool is_wanted);
    RawTerminal(const RawTerminal&) = delete;
    RawTerminal& operator=(const RawTerminal&) = delete;
    ~RawTerminal() { restore(); }
    bool is_active() const { return is_active_; }
    void enter();
    void restore();

  private:
    termios saved_ = {};
    bool is_possible_ = false;
    bool is_active_ = false;
};

// Writes it all, waiting where the file is full for now. False if the reader is gone (EPIPE);
// another failure (a full disk) drops the text and is true, since the program must go on.
bool write_all(int fd, std::string_view text);

// The size of the terminal that we are shown in, handed on.
void copy_window_size(int to_terminal);

}  // namespace epochcast
