// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// All epoch records that were taken in, on disk as append-only HDF5 segments in one folder. A log
// that was taken in before contributes only its new rows, so nothing counts twice.

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/forecast/series.hpp"
#include "core/result.hpp"
#include "epoch_log/log.hpp"

namespace epochcast {

// Says which node class a host belongs to; nothing if it belongs to none.
using ClassOfHost = std::function<std::optional<std::string>(const std::string& host)>;

struct Intake {
    std::uint64_t logs = 0;            // logs that gave new rows
    std::uint64_t new_epochs = 0;      // rows of unit_model_job taken in
    std::uint64_t known_epochs = 0;    // rows that were in the history already
    std::vector<std::string> refused;  // one sentence per log that could not be used, with its path
};

class History {
  public:
    // Opens the folder, or starts an empty history where it does not exist yet. An unreadable
    // segment is set aside by name in problems(), the others are used.
    static Result<History> open(const std::filesystem::path& dir);

    // Takes in the new rows of these logs and writes one new segment by write, fsync, rename: after
    // a crash the segment is there whole or not at all. Logs whose hosts belong to no class or to
    // several are refused. Errors: environment, if the segment cannot be written; the history is
    // then unchanged.
    Result<Intake> add(std::span<const std::filesystem::path> logs,
                       const ClassOfHost& class_of_host);

    // Every series, sorted by (task, attributes, placement).
    const std::vector<Series>& series() const;
    const std::vector<std::string>& problems() const;

  private:
    std::filesystem::path dir_;
    std::vector<Series> series_;
    std::vector<std::string> problems_;
    // identity of each log taken in and how many of its rows: see history.cpp
    struct KnownLog {
        std::string identity;
        std::uint64_t rows = 0;
    };
    std::vector<KnownLog> known_;
};

}  // namespace epochcast
