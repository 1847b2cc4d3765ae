// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// What job_submit asks a table beyond the ranking.

#include <algorithm>
#include <string>
#include <vector>

#include "core/forecast/time_limit.hpp"
#include "decide/c_face.hpp"
#include "decide/epochcast_decide.h"
#include "decide/table.hpp"

namespace {

using epochcast::absent;
using epochcast::guarded;
using epochcast::text_or_empty;

// Policy off is allowed everywhere.
std::string allowed(const epochcast_table& table, std::string_view partition) {
    const auto rule =
        std::ranges::find(table.content.partitions, partition, &epochcast::PartitionRule::name);
    std::string text;
    if (rule == table.content.partitions.end()) return text;
    for (const std::string& policy : rule->allowed_policies) {
        if (policy != "off") text += policy + ", ";
    }
    if (!rule->allowed_policies.empty()) text += text.empty() ? "off" : "or off";
    return text;
}

// The job as it runs longest: with as little as it accepts, and whatever that costs.
epochcast_job_t at_its_slowest(epochcast_job_t job) {
    job.policy = "time";
    job.most_nodes = job.least_nodes;
    job.most_devices = job.least_devices;
    job.deadline_s = absent;
    job.budget = absent;
    return job;
}

std::uint32_t time_limit_min(const epochcast_table& table,
                             const epochcast_job_t& job,
                             const epochcast_offer_t* offers) {
    const epochcast::TaskForecasts* task = table.find_task(job.uid, text_or_empty(job.task));
    if (task == nullptr || task->runs < epochcast::least_runs_for_limit) return 0;
    std::vector<epochcast_choice_t> choices(table.content.classes.size());
    std::uint32_t count = 0;
    const epochcast_job_t slowest = at_its_slowest(job);
    const std::uint32_t known = epochcast_rank(&table, &slowest, offers, choices.data(), &count);
    if (known < count) return 0;
    std::uint32_t longest = 0;
    for (std::uint32_t i = 0; i < known; ++i) {
        const epochcast_choice_t& choice = choices[i];
        const double startup_s = choice.time_s - static_cast<double>(job.epochs) * choice.epoch_s;
        const std::uint32_t minutes = epochcast::time_limit_min(
            {std::max(startup_s, 0.0), choice.epoch_s, choice.epoch_high_s}, job.epochs);
        if (minutes == 0) return 0;
        longest = std::max(longest, minutes);
    }
    return longest;
}

}  // namespace

extern "C" {

void epochcast_table_allowed(const epochcast_table_t* table,
                             const char* partition,
                             char* text,
                             size_t text_size) {
    epochcast::copy_text(text, text_size, "");
    if (table == nullptr) return;
    guarded(0, [&] {
        epochcast::copy_text(text, text_size, allowed(*table, text_or_empty(partition)));
        return 0;
    });
}

uint32_t epochcast_table_time_limit_min(const epochcast_table_t* table,
                                        const epochcast_job_t* job,
                                        const epochcast_offer_t* offers) {
    if (epochcast_table_set_limits(table) == 0 || job == nullptr || offers == nullptr ||
        job->epochs == 0) {
        return 0;
    }
    return guarded(std::uint32_t{0}, [&] { return time_limit_min(*table, *job, offers); });
}

}  // extern "C"
