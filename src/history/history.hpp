// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// All epoch records that were taken in, on disk as append-only HDF5 segments in one folder
// (hdf5-schemas/history_segment.v1.md). A log that was taken in before contributes only its new
// rows, and an epoch that a resumed job ran again replaces the earlier one: nothing counts twice.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/forecast/series.hpp"
#include "core/result.hpp"
#include "epoch_log/log.hpp"

namespace epochcast {

class Archive;

// Says which node class a host belongs to; nothing if it belongs to none.
using ClassOfHost = std::function<std::optional<std::string>(const std::string& host)>;

struct Intake {
    std::uint64_t logs = 0;            // logs that gave new rows
    std::uint64_t new_epochs = 0;      // whole epochs that the history did not have before
    std::uint64_t known_epochs = 0;    // whole epochs that it had, or that were run again
    std::vector<std::string> refused;  // one sentence per log that could not be used, with its path
    std::vector<std::string>
        left_out;  // one per log with rows that cannot be true: see plausible.hpp
};

class History {
  public:
    // Opens the folder, or starts an empty history where it does not exist yet. An unreadable
    // segment is set aside by name in problems(), the others are used.
    static Result<History> open(const std::filesystem::path& dir);

    // Takes in the new rows of these logs, and what other processes added meanwhile, and writes one
    // new segment by write, fsync, rename: after a crash it is there whole or not at all. Waits
    // while another process adds. Logs whose hosts belong to no class or to several are refused.
    // Errors: environment, if the segment cannot be written; the history is then unchanged.
    Result<Intake> add(std::span<const std::filesystem::path> logs,
                       const ClassOfHost& class_of_host);

    // Every series, sorted by (task, attributes, placement).
    const std::vector<Series>& series() const;
    const std::vector<std::string>& problems() const;

  private:
    explicit History(std::filesystem::path dir) : dir_(std::move(dir)) {}
    void show(const Archive& archive);

    std::filesystem::path dir_;
    std::vector<Series> series_;
    std::vector<std::string> problems_;
};

}  // namespace epochcast
