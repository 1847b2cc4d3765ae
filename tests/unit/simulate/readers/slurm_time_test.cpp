// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/readers/slurm_time.hpp"

#include <gtest/gtest.h>

namespace epochcast::simulate {
namespace {

TEST(SlurmTime, reads_times_and_durations_as_slurm_prints_them) {
    EXPECT_EQ(parse_slurm_time("Start", "1970-01-02T00:00:01").value(), 86401);
    EXPECT_EQ(parse_slurm_time("Start", "2024-02-29T12:00:00").value(), 1709208000);
    EXPECT_EQ(parse_slurm_duration("Elapsed", "1-04:37:26").value(),
              86400 + 4 * 3600 + 37 * 60 + 26);
    EXPECT_EQ(parse_slurm_duration("Elapsed", "15:28:22").value(), 15 * 3600 + 28 * 60 + 22);
    EXPECT_NEAR(*parse_slurm_duration("TotalCPU", "23:08.358").value(), 23 * 60 + 8.358, 1e-9);
}

TEST(SlurmTime, words_for_nothing_are_no_value) {
    for (const char* word : {"", "None", "Unknown", "N/A"}) {
        EXPECT_EQ(parse_slurm_time("Start", word).value(), std::nullopt) << word;
        EXPECT_EQ(parse_slurm_duration("Timelimit", word).value(), std::nullopt) << word;
    }
    for (const char* word : {"UNLIMITED", "Partition_Limit", "INVALID"}) {
        EXPECT_EQ(parse_slurm_duration("Timelimit", word).value(), std::nullopt) << word;
    }
}

TEST(SlurmTime, refuses_other_text) {
    for (const char* wrong : {"2023-02-29T00:00:00",
                              "2023-13-01T00:00:00",
                              "2023-01-01T24:00:00",
                              "2023-01-01 00:00:00",
                              "2023-01-01T00:00",
                              "0000-00-00T00:00:00",
                              "1969-12-31T23:59:59",
                              "2023-01-01T00:60:00",
                              "yesterday",
                              "2023-01-01T00:00:00Z",
                              "-023-01-01T00:00:00"}) {
        EXPECT_FALSE(parse_slurm_time("Start", wrong).ok()) << wrong;
    }
    for (const char* wrong : {"1",
                              "1:2:3:4",
                              "1-2:3",
                              "-1:00:00",
                              "1-",
                              "00:61",
                              "a:b:c",
                              "1--2:0:0",
                              "1e9:0:0",
                              "00:00:00:",
                              "nan:00",
                              "::",
                              "9999999999999-00:00:00"}) {
        EXPECT_FALSE(parse_slurm_duration("Elapsed", wrong).ok()) << wrong;
    }
    EXPECT_NE(parse_slurm_time("Start", "soon").error().message.find("Start 'soon' is not a time"),
              std::string::npos);
}

}  // namespace
}  // namespace epochcast::simulate
