// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/report.hpp"

#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include <nlohmann/json.hpp>

#include "core/text.hpp"

namespace epochcast::runtime {

namespace {

using Json = nlohmann::ordered_json;

__attribute__((format(printf, 1, 2))) std::string formatted(const char* pattern, ...) {
    std::array<char, 256> buffer{};
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(buffer.data(), buffer.size(), pattern, arguments);
    va_end(arguments);
    return buffer.data();
}

std::uint64_t total_workers(const Plan& plan) {
    std::uint64_t workers = 0;
    for (const LogNode& node : plan.nodes) {
        workers += node.workers;
    }
    return workers;
}

Json job_json(const Plan& plan) {
    const TrainJob& job = plan.job;
    return {{"task", job.task},
            {"model", job.model},
            {"data", job.data.string()},
            {"dataset", plan.dataset},
            {"learning_rate", job.learning_rate},
            {"momentum", job.momentum},
            {"batch", job.batch},
            {"micro_batch", job.micro_batch},
            {"epochs", job.epochs},
            {"seed", job.seed},
            {"samples", plan.cut.samples},
            {"steps_per_epoch", plan.cut.steps()},
            {"parameters", plan.parameters}};
}

Json nodes_json(const Plan& plan) {
    Json nodes = Json::array();
    for (const LogNode& node : plan.nodes) {
        nodes.push_back({{"host", node.host}, {"cpus", node.cpus}, {"workers", node.workers}});
    }
    return nodes;
}

Json count_json(std::uint64_t count) { return count == absent_count ? Json() : Json(count); }

Json number_json(double number) { return std::isfinite(number) ? Json(number) : Json(); }

Json epoch_json(const EpochRecord& row) {
    return {{"epoch", row.epoch},
            {"flags", row.flags},
            {"wall_s", number_json(row.wall_s)},
            {"cpu_s", number_json(row.cpu_s)},
            {"peak_memory_bytes", count_json(row.peak_memory_bytes)},
            {"disk_read_bytes", count_json(row.disk_read_bytes)},
            {"disk_written_bytes", count_json(row.disk_written_bytes)},
            {"flop", number_json(row.flop)},
            {"flop_rate", number_json(row.flop_rate)},
            {"samples", count_json(row.samples)},
            {"steps", count_json(row.steps)},
            {"loss", number_json(row.loss)}};
}

std::string dumped(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string plan_text(const Plan& plan) {
    const TrainJob& job = plan.job;
    std::string text =
        "task " + job.task + ": " + job.model + ", " + std::to_string(plan.parameters) +
        " parameters, data " + plan.dataset +
        formatted(
            " (%ux%ux%u, %u classes)\n", plan.channels, plan.height, plan.width, plan.classes);
    text += formatted(
        "  %llu epochs of %llu samples = %llu steps of %u = up to %u micro-batches of "
        "%u; learning rate %g, momentum %g, seed %llu\n",
        static_cast<unsigned long long>(job.epochs),
        static_cast<unsigned long long>(plan.cut.samples),
        static_cast<unsigned long long>(plan.cut.steps()),
        job.batch,
        plan.cut.micro_batches_per_step(),
        job.micro_batch,
        job.learning_rate,
        job.momentum,
        static_cast<unsigned long long>(job.seed));
    text += formatted("  %zu node%s, %llu worker%s, %s of shared memory per node:",
                      plan.nodes.size(),
                      plan.nodes.size() == 1 ? "" : "s",
                      static_cast<unsigned long long>(total_workers(plan)),
                      total_workers(plan) == 1 ? "" : "s",
                      human_bytes(static_cast<double>(plan.shared_bytes_per_node)).c_str());
    for (const LogNode& node : plan.nodes) {
        text += formatted(" %s (%u CPUs, %u workers)", node.host.c_str(), node.cpus, node.workers);
    }
    text += "\n  epoch log below " + plan.log_dir.string() + "\n";
    text += "  checkpoints: " +
            (job.checkpoint.empty() ? std::string("none") : "below " + job.checkpoint.string()) +
            "\n";
    return text;
}

std::string plan_json(const Plan& plan) {
    return dumped({{"schema", "epochcast.train_plan.v1"},
                   {"job", job_json(plan)},
                   {"micro_batches_per_step", plan.cut.micro_batches_per_step()},
                   {"test_samples", plan.test_samples},
                   {"nodes", nodes_json(plan)},
                   {"shared_bytes_per_node", plan.shared_bytes_per_node},
                   {"log_dir", plan.log_dir.string()},
                   {"checkpoint", plan.job.checkpoint.string()}});
}

std::string epoch_line(const EpochRecord& row, std::uint64_t epochs) {
    std::string line =
        formatted("epoch %llu/%llu: loss %.4f, %s, %.0f samples/s, CPU %s, memory %s",
                  static_cast<unsigned long long>(row.epoch) + 1,
                  static_cast<unsigned long long>(epochs),
                  row.loss,
                  human_duration(row.wall_s).c_str(),
                  static_cast<double>(row.samples) / row.wall_s,
                  human_duration(row.cpu_s).c_str(),
                  row.peak_memory_bytes == absent_count
                      ? "unknown"
                      : human_bytes(static_cast<double>(row.peak_memory_bytes)).c_str());
    if ((row.flags & epoch_resumed) != 0) {
        line += ", resumed";
    }
    if ((row.flags & epoch_partial) != 0) {
        line += ", not finished";
    }
    return line;
}

std::string ending_text(const Ending& ending) {
    std::string text;
    if (ending.stop_signal != 0) {
        text += "stopped by signal " + std::to_string(ending.stop_signal) + " (" +
                strsignal(ending.stop_signal) +
                "); the same command goes on from the last "
                "checkpoint, if `checkpoint` is set\n";
    }
    if (ending.accuracy) {
        text += formatted("accuracy on the test samples: %.2f %%\n", *ending.accuracy * 100);
    }
    if (ending.worker_deaths > 0) {
        text += formatted("workers that died and were replaced: %llu\n",
                          static_cast<unsigned long long>(ending.worker_deaths));
    }
    text += "parameters " + ending.parameters_digest + " (equal for equal bits)\n";
    if (!ending.log.empty()) {
        text += "epoch log " + ending.log.string() + "\n";
    }
    return text;
}

std::string ending_json(const Plan& plan, const Ending& ending) {
    Json epochs = Json::array();
    for (const EpochRecord& row : ending.epochs) {
        epochs.push_back(epoch_json(row));
    }
    return dumped({{"schema", "epochcast.train.v1"},
                   {"job", job_json(plan)},
                   {"nodes", nodes_json(plan)},
                   {"epochs", epochs},
                   {"parameters_digest", ending.parameters_digest},
                   {"accuracy", ending.accuracy ? Json(*ending.accuracy) : Json()},
                   {"worker_deaths", ending.worker_deaths},
                   {"stop_signal", ending.stop_signal},
                   {"log", ending.log.string()}});
}

}  // namespace epochcast::runtime
