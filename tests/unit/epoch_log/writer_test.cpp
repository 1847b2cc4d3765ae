// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/writer.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "epoch_log/reader.hpp"
#include "unit/epoch_log/support.hpp"

namespace epochcast {
namespace {

using test::in_child;
using test::sample_header;
using test::sample_record;
using test::TempDir;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(LogWriter, logs_what_each_epoch_used) {
    const TempDir dir;
    Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
    ASSERT_TRUE(log) << log.error().message;
    for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
        ASSERT_TRUE(log.value().append(sample_record(epoch, 0)));
        ASSERT_TRUE(log.value().append(sample_record(epoch, 1)));
        ASSERT_TRUE(log.value().append(sample_record(epoch)));
    }
    ASSERT_TRUE(log.value().append({EventKind::end, 2'000'000'000, 2, "done"}));

    const Result<EpochLog> read = read_log(log.value().path());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read.value().rows.size(), 9u);
    EXPECT_EQ(read.value().totals.total_epochs, 3u);
    EXPECT_DOUBLE_EQ(read.value().totals.total_training_time_s, 6.0);
    EXPECT_DOUBLE_EQ(read.value().startup_s(), 5.0);
    EXPECT_TRUE(read.value().ended());
    EXPECT_THAT(check_log(log.value().path()).value(), IsEmpty());
}

TEST(LogWriter, keeps_every_field_of_header_rows_and_events) {
    const TempDir dir;
    EpochRecord record = sample_record(7, 1);
    record.flags = epoch_warm_up | epoch_partial;
    record.disk_read_bytes = 1;
    record.disk_written_bytes = 2;
    record.syscall_read_bytes = 3;
    record.syscall_written_bytes = 4;
    record.flop = 5e12;
    record.flop_rate = 2.5e12;
    record.steps = 6;
    record.device_busy_s = 1.5;
    record.device_memory_bytes = 8;
    std::filesystem::path path;
    {
        Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
        ASSERT_TRUE(log.value().append(record));
        ASSERT_TRUE(log.value().append({EventKind::failure, 99, 7, "worker 3 killed"}));
        path = log.value().path();
    }

    const Result<EpochLog> read = read_log(path);
    ASSERT_TRUE(read) << read.error().message;
    const LogHeader& header = read.value().header;
    const LogHeader expected = sample_header();
    EXPECT_EQ(header.cluster, expected.cluster);
    EXPECT_EQ(header.job_id, expected.job_id);
    EXPECT_EQ(header.model_job, expected.model_job);
    EXPECT_EQ(header.uid, expected.uid);
    EXPECT_EQ(header.task, expected.task);
    EXPECT_EQ(header.attributes, expected.attributes);
    EXPECT_EQ(header.declared_epochs, expected.declared_epochs);
    EXPECT_EQ(header.attributes.batch_per_device, std::nullopt);
    EXPECT_EQ(header.start_ns, expected.start_ns);
    EXPECT_EQ(header.writer, expected.writer);
    EXPECT_EQ(header.note, expected.note);
    ASSERT_EQ(header.nodes.size(), 2u);
    EXPECT_EQ(header.nodes[1].host, "fast2");
    EXPECT_EQ(header.nodes[1].cpus, 4u);
    EXPECT_EQ(header.nodes[1].workers, 2u);
    ASSERT_EQ(read.value().rows.size(), 1u);
    EXPECT_EQ(std::memcmp(&read.value().rows[0], &record, sizeof record), 0);
    ASSERT_EQ(read.value().events.size(), 2u);
    EXPECT_EQ(read.value().events[0].kind, EventKind::start);
    EXPECT_EQ(read.value().events[1].kind, EventKind::failure);
    EXPECT_EQ(read.value().events[1].time_ns, 99u);
    EXPECT_EQ(read.value().events[1].epoch, 7u);
    EXPECT_EQ(read.value().events[1].text, "worker 3 killed");
    EXPECT_FALSE(read.value().ended());
}

TEST(LogWriter, refuses_records_without_what_is_mandatory) {
    const TempDir dir;
    Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
    EpochRecord no_time = sample_record(3);
    no_time.wall_s = absent;
    EpochRecord no_start = sample_record(3, 0);
    no_start.start_ns = 0;

    EXPECT_THAT(log.value().append(no_time).error().message,
                HasSubstr("epoch 3 is not logged: wall_s"));
    EXPECT_THAT(log.value().append(no_start).error().message, HasSubstr("start_ns is 0"));
    EXPECT_TRUE(log.value().append(sample_record(3)));
    EXPECT_EQ(read_log(log.value().path()).value().rows.size(), 1u);
}

TEST(LogWriter, partial_and_generated_rows_do_not_count_in_the_totals) {
    const TempDir dir;
    Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
    EpochRecord partial = sample_record(1);
    partial.flags = epoch_partial;
    EpochRecord generated = sample_record(2);
    generated.flags = epoch_generated;
    for (const EpochRecord& record : {sample_record(0), partial, generated}) {
        ASSERT_TRUE(log.value().append(record));
    }

    const Result<EpochLog> read = read_log(log.value().path());
    EXPECT_EQ(read.value().rows.size(), 3u);
    EXPECT_EQ(read.value().totals.total_epochs, 1u);
    EXPECT_EQ(read.value().totals.total_training_time_s, 2.0);
    EXPECT_THAT(check_log(log.value().path()).value(), IsEmpty());
}

TEST(LogWriter, a_forked_child_can_neither_write_nor_harm_the_log) {
    const TempDir dir;
    Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
    ASSERT_TRUE(log.value().append(sample_record(0)));

    EXPECT_EQ(in_child([&] {
                  const Result<void> written = log.value().append(sample_record(1));
                  const bool is_refused = !written && written.error().message.find(
                                                          "only the process") != std::string::npos;
                  log = LogWriter::create(dir.path() / "other", sample_header());  // closes it
                  std::exit(is_refused ? 0 : 1);  // with HDF5's exit handler
                  return 1;
              }),
              0);

    ASSERT_TRUE(log.value().append(sample_record(1)));
    const Result<EpochLog> read = read_log(log.value().path());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read.value().rows.size(), 2u);
}

TEST(LogWriter, reports_what_a_row_costs) {
    const TempDir dir;
    Result<LogWriter> log = LogWriter::create(dir.path(), sample_header());
    // The fastest batch is the cost where nothing else wants the machine.
    constexpr std::uint64_t batches = 20, rows = 250;
    double best_us = 1e9, sum_us = 0;
    for (std::uint64_t batch = 0; batch < batches; ++batch) {
        const auto begin = std::chrono::steady_clock::now();
        for (std::uint64_t row = 0; row < rows; ++row) {
            ASSERT_TRUE(log.value().append(sample_record(batch * rows + row)));
        }
        const std::chrono::duration<double, std::micro> took =
            std::chrono::steady_clock::now() - begin;
        best_us = std::min(best_us, took.count() / rows);
        sum_us += took.count() / rows;
    }

    RecordProperty("row_us", std::to_string(best_us));
    std::cout << "a row of the model job with its totals, flushed: " << best_us << " us at best, "
              << sum_us / batches << " us on average; " << batches * rows << " rows take "
              << std::filesystem::file_size(log.value().path()) << " bytes\n";
    EXPECT_EQ(read_log(log.value().path()).value().rows.size(), batches * rows);
}

}  // namespace
}  // namespace epochcast
