// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What the segments of a history add up to, in memory. The order of segments does not matter, and
// rows that two of them hold count once.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/forecast/series.hpp"
#include "history/segment.hpp"

namespace epochcast {

class Archive {
  public:
    void take(const Segment& segment);

    // How many rows of this log are known without a gap, counted from its first.
    std::uint64_t known_rows(const LogHeader& header) const;

    // Whole epochs of this log's model job, each counted once however often it was run.
    std::uint64_t whole_epochs(const LogHeader& header) const;

    // Sorted by (task, attributes, placement). Of the executions of one epoch by one run the last
    // one counts. A run is a model job's logs up to the next one that did not resume.
    std::vector<Series> series() const;

  private:
    // In this order: uid, cluster, job, model job, restart.
    using Identity =
        std::tuple<std::uint32_t, std::string, std::string, std::string, std::uint32_t>;
    struct Log {
        LogPart part;                                    // the one taken last
        std::map<std::uint64_t, std::uint64_t> covered;  // first_row → end_row of each part
        std::map<std::uint64_t, EpochRecord> rows;       // by number in the log
    };
    struct Execution {
        const Log* log;
        const EpochRecord* record;
    };
    using Logs = std::map<Identity, Log>;
    static Identity identity(const LogHeader& header);
    static std::vector<Execution> executions(Logs::const_iterator begin, Logs::const_iterator end);

    Logs logs_;
};

}  // namespace epochcast
