// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The log of a plugin under test: a callback that keeps its lines.

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace epochcast {

class LogLines {
  public:
    // The C callback; all lines of the process go to one place.
    static void add(const char* line) {
        const std::lock_guard lock(mutex());
        all().emplace_back(line);
    }
    static std::vector<std::string> taken() {
        const std::lock_guard lock(mutex());
        return std::exchange(all(), {});
    }
    static std::size_t count() {
        const std::lock_guard lock(mutex());
        return all().size();
    }

  private:
    static std::mutex& mutex() {
        static std::mutex instance;
        return instance;
    }
    static std::vector<std::string>& all() {
        static std::vector<std::string> lines;
        return lines;
    }
};

}  // namespace epochcast
