// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/judge.hpp"

#include <algorithm>

#include "select/device_request.hpp"

namespace epochcast::slurm {

// What the user left open. A range of nodes is one that he gave: without -N, stock takes as few as
// hold the tasks.
Freedom Judge::freedom_of(const JobTest& test, const epochcast_options_t& options) {
    const auto& details = *test.job->details;
    Freedom freedom;
    freedom.least_nodes = freedom.most_nodes = std::max<uint32_t>(1, test.min_nodes);
    if (details.max_nodes > details.min_nodes)
        freedom.most_nodes = std::max(freedom.least_nodes, test.max_nodes);
    if (options.least_gpus != 0 && set_gpus_per_node(*test.job, options.least_gpus)) {
        freedom.least_devices = options.least_gpus;
        freedom.most_devices = std::max(options.least_gpus, options.most_gpus);
    } else {
        freedom.least_devices = freedom.most_devices = gpus_per_node(*test.job);
    }
    return freedom;
}

Plan Judge::judge(const JobTest& test, const epochcast_options_t& options, std::time_t now) {
    now_ = now;
    Plan plan;
    plan.options = &options;
    plan.table = watch_ ? epochcast_watch_table(watch_) : nullptr;
    if (!plan.table) return plan;
    const char* partition = test.job->part_ptr ? test.job->part_ptr->name : nullptr;
    plan.mode = epochcast_table_mode(plan.table, partition);
    plan.policy = *options.policy ? options.policy : epochcast_table_default_policy(plan.table);
    plan.verdict = why_not_judged(plan, partition);
    if (plan.verdict) return plan;
    plan.judges = true;
    if (!epochcast_table_allows(plan.table, partition, plan.policy)) {
        plan.verdict = "the partition does not allow this policy";
        return plan;
    }
    if (test.job->details->features && std::strchr(test.job->details->features, '*')) {
        plan.verdict = "counted features, which Slurm takes one by one";
        return plan;
    }
    rank(test, plan);
    if (plan.rankable == 0) {
        plan.verdict = "no forecast for any class that can be had";
        return plan;
    }
    prefer_planned_class(test, plan);
    candidates_.order_by(choices_.data(), plan.rankable);
    plan.steer = plan.mode == EPOCHCAST_MODE_ON;
    plan.verdict = plan.steer ? "steered" : "shadow";
    return plan;
}

// Null: it asks for steering, and the partition has it. Else a reason that never changes a job.
const char* Judge::why_not_judged(const Plan& plan, const char* partition) {
    if (plan.mode == EPOCHCAST_MODE_OFF) return "the partition is off, or not configured";
    if (!partition || !*plan.options->task) return "the job names no task";
    if (!*plan.policy) return "the job names no policy, and there is no default";
    if (!std::strcmp(plan.policy, "off")) return "the job asks for policy off";
    return nullptr;
}

void Judge::rank(const JobTest& test, Plan& plan) {
    const auto table_nodes = static_cast<std::size_t>(bit_size(test.nodes));
    const uint32_t classes = epochcast_table_classes(plan.table);
    const epochcast_options_t& options = *plan.options;
    choices_.resize(classes);
    class_map_.use(plan.table, table_nodes, now_);
    plan.freedom = freedom_of(test, options);
    candidates_.scan(
        test, class_map_, classes, plan.freedom, plan.freedom.of_devices() && !test.is_will_run());
    job_ = {options.task,
            plan.policy,
            test.job->user_id,
            options.epochs,
            plan.freedom.least_nodes,
            plan.freedom.most_nodes,
            plan.freedom.least_devices,
            plan.freedom.most_devices,
            options.deadline_unix_s ? std::difftime(options.deadline_unix_s, now_) : std::nan(""),
            options.budget > 0 ? options.budget : std::nan("")};
    plan.choices = choices_.data();
    plan.rankable = epochcast_rank(
        plan.table, &job_, candidates_.offers(), choices_.data(), &plan.choice_count);
}

// While the queue plan is fresh its class comes first, if the job can have it.
void Judge::prefer_planned_class(const JobTest& test, Plan& plan) {
    const job_record_t& job = *test.job;
    if (!epochcast_table_planned(plan.table, job.job_id, now_, &plan.planned) &&
        !(job.array_job_id &&
          epochcast_table_planned(plan.table, job.array_job_id, now_, &plan.planned))) {
        plan.planned = {};
        return;
    }
    const auto end = choices_.begin() + plan.rankable;
    const auto found = std::find_if(choices_.begin(), end, [&](const epochcast_choice_t& choice) {
        return choice.class_index == plan.planned.class_index;
    });
    plan.is_planned = found != end;
    if (plan.is_planned) std::rotate(choices_.begin(), found, found + 1);
}

bool Judge::has_better_class(const Plan& plan) {
    all_offers_.assign(choices_.size(), epochcast_offer_t{UINT32_MAX, UINT32_MAX, 0});
    other_choices_.resize(choices_.size());
    uint32_t count = 0;
    const uint32_t rankable =
        epochcast_rank(plan.table, &job_, all_offers_.data(), other_choices_.data(), &count);
    return rankable > 0 && other_choices_[0].class_index != plan.choices[0].class_index;
}

// Whether the class is the best one even if the job has to wait for it and for no other.
bool Judge::is_worth_waiting(const Plan& plan, int32_t node_class, double wait_s) {
    candidates_.set_wait(static_cast<uint32_t>(node_class), wait_s);
    other_choices_.resize(choices_.size());
    uint32_t count = 0;
    const uint32_t rankable =
        epochcast_rank(plan.table, &job_, candidates_.offers(), other_choices_.data(), &count);
    return rankable > 0 && other_choices_[0].class_index == static_cast<uint32_t>(node_class);
}

}  // namespace epochcast::slurm
