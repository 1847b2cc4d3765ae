// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Writes the epoch logs of the golden transcripts with the real writer: the same task on three node
// classes, a sweep over three learning rates, and a job that was killed. Numbers are made up and
// the same on every machine.

#include <cmath>
#include <cstdio>
#include <string>

#include "epoch_log/writer.hpp"

namespace {

using namespace epochcast;

constexpr std::uint64_t start_ns = 1'767'323'045ull * 1'000'000'000;  // 2026-01-02 03:04:05 UTC

struct Run {
    std::string job_id;
    std::string host;
    double epoch_s = 0;
    double final_loss = 0.3;
    std::uint64_t epochs = 4;
    bool is_killed = false;
    std::string note = "";
    std::string task = "fashion-cnn";
    std::uint32_t nodes = 1;
};

LogHeader header_of(const Run& run) {
    LogHeader header;
    header.cluster = "demo";
    header.job_id = run.job_id;
    header.model_job = "train";
    header.uid = 4242;
    header.task = {user_scope(header.uid), run.task};
    header.attributes.framework = "epochcast-train";
    header.attributes.model = "cnn";
    header.attributes.dataset = "fashion-mnist";
    header.attributes.precision = "fp32";
    header.attributes.samples_per_epoch = 10'000;
    header.attributes.total_batch = 64;
    header.declared_epochs = 4;
    header.start_ns = start_ns;
    for (std::uint32_t i = 0; i < run.nodes; ++i) {
        header.nodes.push_back({run.host + std::to_string(i + 1), 2, 2});
    }
    header.writer = "golden_logs";
    header.note = run.note;
    return header;
}

EpochRecord record_of(const Run& run, std::uint64_t epoch) {
    const double wobble = epoch == 0 ? 1.2 : 1 + 0.01 * static_cast<double>(epoch % 3);
    EpochRecord record;
    record.epoch = epoch;
    if (epoch == 0) record.flags = epoch_warm_up;
    record.wall_s = run.epoch_s * wobble;
    record.start_ns = start_ns + static_cast<std::uint64_t>(
                                     1e9 * (1.5 + 1.25 * run.epoch_s * static_cast<double>(epoch)));
    record.cpu_s = 1.9 * record.wall_s;
    record.peak_memory_bytes = 210'000'000 + epoch * 1'000'000;
    record.disk_read_bytes = epoch == 0 ? 47'040'000 : 0;
    record.disk_written_bytes = 835'000;
    record.flop = 7.4e10;
    record.flop_rate = record.flop / record.wall_s;
    record.samples = 10'000;
    record.steps = 157;
    record.loss = run.final_loss + std::exp(-static_cast<double>(epoch));
    return record;
}

Result<void> write(const std::string& dir, const Run& run) {
    auto writer = LogWriter::create(dir, header_of(run));
    if (!writer) return writer.error();
    for (std::uint64_t epoch = 0; epoch < run.epochs; ++epoch) {
        if (auto done = writer.value().append(record_of(run, epoch)); !done) return done;
    }
    if (run.is_killed) return {};
    LogEvent end;
    end.kind = EventKind::end;
    end.time_ns = start_ns + 60'000'000'000;
    end.epoch = run.epochs - 1;
    return writer.value().append(end);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: golden_logs DIR\n");
        return 2;
    }
    const Run runs[] = {
        {.job_id = "10", .host = "fast", .epoch_s = 2},
        {.job_id = "11", .host = "mid", .epoch_s = 4},
        {.job_id = "12", .host = "slow", .epoch_s = 8},
        {.job_id = "20_0", .host = "mid", .epoch_s = 4, .final_loss = 0.9, .note = "lr=0.1"},
        {.job_id = "20_1", .host = "mid", .epoch_s = 4, .final_loss = 0.3, .note = "lr=0.01"},
        {.job_id = "20_2", .host = "mid", .epoch_s = 4, .final_loss = 0.5, .note = "lr=0.001"},
        {.job_id = "30", .host = "slow", .epoch_s = 8, .epochs = 2, .is_killed = true},
        {.job_id = "40", .host = "fast", .epoch_s = 1.1, .task = "fashion-cnn2", .nodes = 2},
    };
    for (const Run& run : runs) {
        const auto written = write(argv[1], run);
        if (written) continue;
        std::fprintf(stderr, "golden_logs: %s\n", written.error().message.c_str());
        return 1;
    }
    return 0;
}
