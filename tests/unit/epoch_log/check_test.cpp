// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// check_log() on logs that a correct writer would not have written.

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "epoch_log/plausible.hpp"
#include "epoch_log/reader.hpp"
#include "epoch_log/writer.hpp"
#include "unit/epoch_log/support.hpp"

namespace epochcast {
namespace {

using test::sample_header;
using test::sample_record;
using test::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> findings_for(const std::vector<EpochRecord>& rows) {
    const TempDir dir;
    Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
    for (const EpochRecord& row : rows) {
        EXPECT_TRUE(log.value().append(row));
    }
    return check_log(log.value().path()).value();
}

template <class Change>
std::vector<std::string> findings_after(Change change) {
    EpochRecord record = sample_record(1, 0);
    change(record);
    return findings_for({sample_record(0), record});
}

TEST(CheckLog, names_row_epoch_and_value_of_what_cannot_be_true) {
    EXPECT_THAT(findings_after([](EpochRecord&) {}), IsEmpty());
    EXPECT_THAT(findings_after([](EpochRecord& r) { r.cpu_s = -3; }),
                ElementsAre("row 1 of /epochs (epoch 1): cpu_s is -3"));
    EXPECT_THAT(findings_after([](EpochRecord& r) { r.unit = 2; }),
                ElementsAre(HasSubstr("unit is 2, but /nodes has 2 rows")));
    EXPECT_THAT(findings_after([](EpochRecord& r) { r.unit = -7; }),
                ElementsAre(HasSubstr("unit is -7")));
    EXPECT_THAT(findings_after([](EpochRecord& r) { r.flags = 1u << 20; }),
                ElementsAre(HasSubstr("flags are 1048576")));
    EXPECT_THAT(findings_after([](EpochRecord& r) { r.start_ns = 1; }),
                ElementsAre(HasSubstr("starts before the model job")));
}

TEST(CheckLog, lists_at_most_twenty_rows) {
    EpochRecord bad = sample_record(0, 0);
    bad.flop = std::numeric_limits<double>::infinity();

    const auto findings = findings_for(std::vector<EpochRecord>(500, bad));

    EXPECT_THAT(findings, SizeIs(21));
    EXPECT_EQ(findings.back(), "and 480 more such rows of /epochs");
}

TEST(Implausibility, is_found_in_numbers_that_no_epoch_can_have) {
    const auto of = [](auto change) {
        EpochRecord record = sample_record(0);
        change(record);
        return implausibility(record).value_or("");
    };
    EXPECT_EQ(of([](EpochRecord&) {}), "");
    EXPECT_EQ(of([](EpochRecord& r) { r.wall_s = absent; }), "wall_s is absent");
    EXPECT_EQ(of([](EpochRecord& r) { r.wall_s = 0; }), "wall_s is 0");
    EXPECT_EQ(of([](EpochRecord& r) { r.wall_s = -1; }), "wall_s is -1");
    EXPECT_EQ(of([](EpochRecord& r) { r.wall_s = 1e300; }), "wall_s is 1e+300");
    EXPECT_EQ(of([](EpochRecord& r) { r.wall_s = INFINITY; }), "wall_s is inf");
    EXPECT_EQ(of([](EpochRecord& r) { r.flop_rate = 1e25; }), "flop_rate is 1e+25");
    EXPECT_EQ(of([](EpochRecord& r) { r.peak_memory_bytes = absent_count - 1; }),
              "peak_memory_bytes is 18446744073709551614");
    // Absent is fine, and a loss may be anything.
    EXPECT_EQ(of([](EpochRecord& r) { r.cpu_s = absent; }), "");
    EXPECT_EQ(of([](EpochRecord& r) { r.peak_memory_bytes = absent_count; }), "");
    EXPECT_EQ(of([](EpochRecord& r) { r.loss = INFINITY; }), "");
}

}  // namespace
}  // namespace epochcast
