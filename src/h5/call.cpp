// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "h5/call.hpp"

#include <hdf5.h>
#include <pthread.h>

#include <mutex>
#include <string_view>
#include <vector>

namespace epochcast::h5 {
namespace {

std::mutex one_call;
// A mutex that knows its owner could not be unlocked in a forked child, so nesting is counted here.
thread_local unsigned depth = 0;

// H5Ewalk2 callback: gathers the description of each level.
herr_t gather(unsigned, const H5E_error2_t* level, void* texts) {
    if (level->desc != nullptr) {
        static_cast<std::vector<std::string>*>(texts)->emplace_back(level->desc);
    }
    return 0;
}

// What the system said, out of "..., error message = 'No space left on device', ..."; else empty.
std::string system_reason(std::string_view text) {
    constexpr std::string_view mark = "error message = '";
    const auto begin = text.find(mark);
    if (begin == std::string_view::npos) {
        return {};
    }
    const auto rest = text.substr(begin + mark.size());
    return std::string(rest.substr(0, rest.find('\'')));
}

void lock_calls() {
    if (depth++ == 0) {
        one_call.lock();
    }
}

void unlock_calls() {
    if (--depth == 0) {
        one_call.unlock();
    }
}

}  // namespace

Call::Call() {
    static const int fork_handlers = pthread_atfork(lock_calls, unlock_calls, unlock_calls);
    static_cast<void>(fork_handlers);  // fails only without memory, and then only forks suffer
    lock_calls();
    unsigned is_version_2 = 0;
    if (depth > 1 || H5Eauto_is_v2(H5E_DEFAULT, &is_version_2) < 0) {
        return;
    }
    if (is_version_2 != 0) {
        H5E_auto2_t print = nullptr;
        if (H5Eget_auto2(H5E_DEFAULT, &print, &print_argument_) >= 0 &&
            H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0) {
            print_ = reinterpret_cast<void*>(print);
            print_version_ = 2;
        }
    } else {
        H5E_auto1_t print = nullptr;
        if (H5Eget_auto1(&print, &print_argument_) >= 0 && H5Eset_auto1(nullptr, nullptr) >= 0) {
            print_ = reinterpret_cast<void*>(print);
            print_version_ = 1;
        }
    }
}

Call::~Call() {
    if (print_version_ == 2) {
        H5Eset_auto2(H5E_DEFAULT, reinterpret_cast<H5E_auto2_t>(print_), print_argument_);
    } else if (print_version_ == 1) {
        H5Eset_auto1(reinterpret_cast<H5E_auto1_t>(print_), print_argument_);
    }
    unlock_calls();
}

Error Call::failure(ErrorKind kind, const std::string& what) const {
    std::vector<std::string> levels;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, gather, &levels);
    std::string stack;
    std::string reason;
    // 4 levels: the inner ones name the cause, the outer ones only repeat that there was one.
    for (std::size_t level = 0; level < levels.size() && level < 4; ++level) {
        stack += (level == 0 ? "" : "; ") + levels[level];
        if (reason.empty()) {
            reason = system_reason(levels[level]);
        }
    }
    std::string message = what;
    if (!reason.empty()) {
        message += ": " + reason;
    }
    return {kind, message + " (HDF5: " + (stack.empty() ? "no reason given" : stack) + ")"};
}

}  // namespace epochcast::h5
