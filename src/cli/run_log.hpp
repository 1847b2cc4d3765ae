// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Writes the epoch log of a program that runs, on a thread of its own: a file system that is full,
// gone or hangs must never hold up the program's output. The file is made with the first row.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "epoch_log/writer.hpp"

namespace epochcast {

class RunLog {
  public:
    RunLog(std::filesystem::path dir, LogHeader header, bool is_resumed);
    // Leaves the thread behind if it hangs.
    ~RunLog();
    RunLog(const RunLog&) = delete;
    RunLog& operator=(const RunLog&) = delete;

    // Returns at once; at most 10 000 rows wait, the oldest are dropped.
    void append(const std::vector<EpochRecord>& rows);

    // Why rows cannot be written, the first time that it is asked after it happened.
    std::optional<std::string> new_trouble();

    struct End {
        std::filesystem::path path;  // empty: no file was made
        bool is_complete = false;    // all rows are in it
    };
    // Writes these events if there are rows, and waits for at most that long.
    End close(const std::vector<LogEvent>& events, std::chrono::milliseconds patience);

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

}  // namespace epochcast
