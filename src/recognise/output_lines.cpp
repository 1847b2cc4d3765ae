// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "recognise/output_lines.hpp"

namespace epochcast {

namespace {

constexpr char escape = '\x1b';
constexpr char bell = '\a';

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

void OutputLines::put(char c) {
    if (c == '\t') c = ' ';
    if (!is_control(c) && line_.size() < longest) line_.push_back(c);
}

void OutputLines::feed(std::string_view bytes, double time_s, const Take& take) {
    for (const char c : bytes) {
        if (c == '\n' || c == '\r') {
            // Also within an escape sequence: one that is cut off must not swallow what follows.
            state_ = State::text;
            if (!line_.empty()) take(line_, last_byte_s_);
            line_.clear();
            continue;
        }
        last_byte_s_ = time_s;
        switch (state_) {
            case State::text:
                if (c == escape) {
                    state_ = State::escape;
                } else {
                    put(c);
                }
                break;
            case State::escape:  // ESC [ parameters final, ESC ] command BEL, or ESC and one byte
                state_ = c == '[' ? State::sequence : c == ']' ? State::command : State::text;
                break;
            case State::sequence:
                if (c >= 0x40 && c <= 0x7E) state_ = State::text;
                break;
            case State::command:
                if (c == bell) state_ = State::text;
                if (c == escape) state_ = State::command_escape;
                break;
            case State::command_escape:
                state_ = State::text;
                break;
        }
    }
}

void OutputLines::flush(const Take& take) {
    if (!line_.empty()) take(line_, last_byte_s_);
    line_.clear();
    state_ = State::text;
}

}  // namespace epochcast
