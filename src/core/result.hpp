// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What a function returns when it can fail for reasons outside our control: a value, or an Error
// that says what happened, to what, and what to do. Our own bugs are asserts, not Errors.

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace epochcast {

// What kind of failure it is, which also decides a command's exit code (see exit_code()).
enum class ErrorKind {
    usage,        // an option or value given by the user is malformed: exit 2
    bad_input,    // a file or record has unusable content: exit 3
    environment,  // the machine refused: no such file, no space, no permission, no Slurm: exit 4
};

struct Error {
    ErrorKind kind = ErrorKind::environment;
    std::string message;
};

// The exit code of design.md section 8 for a failure of this kind.
constexpr int exit_code(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::usage:
            return 2;
        case ErrorKind::bad_input:
            return 3;
        case ErrorKind::environment:
            return 4;
    }
    return 4;
}

// A T or an Error; Result<void> is success or an Error. value() and error() assert the right side.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & {
        assert(ok());
        return std::get<0>(state_);
    }
    const T& value() const& {
        assert(ok());
        return std::get<0>(state_);
    }
    T&& value() && {
        assert(ok());
        return std::get<0>(std::move(state_));
    }
    const Error& error() const {
        assert(!ok());
        return std::get<1>(state_);
    }

  private:
    std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)), ok_(false) {}

    bool ok() const { return ok_; }
    explicit operator bool() const { return ok_; }
    const Error& error() const {
        assert(!ok_);
        return error_;
    }

  private:
    Error error_;
    bool ok_ = true;
};

}  // namespace epochcast
