// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/recorder.hpp"

#include <algorithm>

namespace epochcast::slurm {

namespace {

template <std::size_t Size>
void copy_text(char (&target)[Size], const char* source) {
    std::snprintf(target, Size, "%s", source ? source : "");
}

uint64_t mixed(uint64_t hash, uint64_t value) {
    return (hash ^ value) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

// "13 s", "4 min", "2.5 h", "3 d": short, for people.
void print_duration(char* text, std::size_t size, double seconds) {
    if (seconds < 120)
        std::snprintf(text, size, "%.0f s", std::max(seconds, 1.0));
    else if (seconds < 7200)
        std::snprintf(text, size, "%.0f min", seconds / 60);
    else if (seconds < 172800)
        std::snprintf(text, size, "%.1f h", seconds / 3600);
    else
        std::snprintf(text, size, "%.1f d", seconds / 86400);
}

// The class of the nodes that were chosen; "mixed" if they differ, "" if they have none.
const char* class_of_nodes(bitstr_t* nodes, const epochcast_table_t* table, ClassMap& map) {
    const auto first = bit_ffs(nodes);
    if (first < 0) return "";
    const int32_t node_class = map.look_up(static_cast<std::size_t>(first)).node_class;
    const auto last = bit_fls(nodes);
    for (auto i = first; i <= last; ++i)
        if (bit_test(nodes, i) && map.look_up(static_cast<std::size_t>(i)).node_class != node_class)
            return "mixed";
    return node_class < 0 ? ""
                          : epochcast_table_class_name(table, static_cast<uint32_t>(node_class));
}

}  // namespace

Recorder::~Recorder() { epochcast_journal_stop(journal_); }

void Recorder::record(const JobTest& test,
                      const Plan& plan,
                      bool success,
                      ClassMap& map,
                      const Candidates& candidates) {
    const bool plans = test.is_will_run();
    const bool started = !plans && success;
    // --test-only asks about a job that will never exist: it has no number.
    if ((!started && !plans) || test.job->job_id == 0 || test.job->job_id == NO_VAL) return;
    if (!changed(test, plan) && !started) return;
    fill(test, plan, started, map, candidates);
    if (!journal_) journal_ = epochcast_journal_start(log_);
    if (journal_)
        epochcast_journal_push(journal_, epochcast_table_decision_dir(plan.table), decision_.get());
    if (plan.judges) comment(test.job, plan, started);
}

bool Recorder::changed(const JobTest& test, const Plan& plan) {
    const uint64_t job = mixed(test.job->job_id, reinterpret_cast<uintptr_t>(test.job->part_ptr));
    uint64_t hash = mixed(reinterpret_cast<uintptr_t>(plan.verdict), plan.rankable);
    for (uint32_t i = 0; i < plan.choice_count; ++i)
        hash = mixed(hash, plan.choices[i].class_index);
    Known& known = known_[job % known_.size()];
    const bool differs = known.job != job || known.plan != hash;
    known = {job, hash};
    return differs;
}

void Recorder::fill(const JobTest& test,
                    const Plan& plan,
                    bool started,
                    ClassMap& map,
                    const Candidates& candidates) {
    if (!decision_) decision_ = std::make_unique<epochcast_decision_t>();
    epochcast_decision_t& d = *decision_;
    d = {};
    const job_record_t* job = test.job;
    d.job_id = job->job_id;
    d.array_job_id = job->array_job_id;
    d.array_task_id = job->array_task_id == NO_VAL ? UINT32_MAX : job->array_task_id;
    d.uid = job->user_id;
    d.mode = plan.mode;
    d.verdict = plan.verdict;
    d.time_unix_s = std::time(nullptr);
    d.epochs = plan.options->epochs;
    d.nodes = std::max<uint32_t>(1, test.min_nodes);
    copy_text(d.task, plan.options->task);
    copy_text(d.policy, plan.policy);
    copy_text(d.partition, job->part_ptr ? job->part_ptr->name : "");
    if (started) {
        copy_text(d.chosen_class, class_of_nodes(test.nodes, plan.table, map));
        char* names = bitmap2node_name(test.nodes);
        copy_text(d.chosen_nodes, names);
        xfree(names);
    } else if (plan.rankable > 0) {
        copy_text(d.chosen_class,
                  epochcast_table_class_name(plan.table, plan.choices[0].class_index));
    }
    fill_stock_choice(plan, started, candidates);
    d.is_start = started;
    d.is_planned = plan.is_planned;
    d.planned_start_unix_s = plan.planned.start_unix_s;
    d.class_count = std::min<uint32_t>(plan.choice_count, EPOCHCAST_DECISION_CLASSES);
    for (uint32_t i = 0; i < d.class_count; ++i) {
        const epochcast_choice_t& from = plan.choices[i];
        auto& to = d.classes[i];
        copy_text(to.name, epochcast_table_class_name(plan.table, from.class_index));
        copy_text(to.basis, from.basis);
        copy_text(to.reason, from.reason);
        to.nodes = from.nodes;
        to.devices_per_node = from.devices_per_node;
        to.utility = from.utility;
        to.time_s = from.time_s;
        to.cost = from.cost;
        to.epoch_s = from.epoch_s;
        to.epoch_low_s = from.epoch_low_s;
        to.epoch_high_s = from.epoch_high_s;
        to.price_per_node_hour = from.price_per_node_hour;
    }
}

// In shadow, stock has just chosen. When the shim chose, stock's choice can only be told from the
// weights: it takes the lightest node that the job fits on.
void Recorder::fill_stock_choice(const Plan& plan, bool started, const Candidates& candidates) {
    epochcast_decision_t& d = *decision_;
    if (!plan.steer) {
        if (started) copy_text(d.stock_class, d.chosen_class);
        return;
    }
    const int32_t node_class = candidates.lightest_class();
    if (node_class < 0) return;
    copy_text(d.stock_class,
              epochcast_table_class_name(plan.table, static_cast<uint32_t>(node_class)));
    d.stock_is_estimate = 1;
}

// A comment that somebody else put there is left alone.
void Recorder::comment(job_record_t* job, const Plan& plan, bool started) const {
    if (job->system_comment && std::strncmp(job->system_comment, "epochcast", 9) != 0) return;
    char text[256];
    if (plan.rankable == 0) {
        std::snprintf(text, sizeof text, "epochcast: not steered: %s", plan.verdict);
    } else {
        const epochcast_choice_t* choice = &plan.choices[0];
        const char* name = epochcast_table_class_name(plan.table, choice->class_index);
        if (plan.steer && started) {
            name = decision_->chosen_class;
            for (uint32_t i = 1; i < plan.choice_count; ++i)
                if (!std::strcmp(
                        epochcast_table_class_name(plan.table, plan.choices[i].class_index), name))
                    choice = &plan.choices[i];
        }
        const bool whole_job = plan.options->epochs > 0;
        char expected[32];
        print_duration(expected, sizeof expected, whole_job ? choice->time_s : choice->epoch_s);
        std::snprintf(text,
                      sizeof text,
                      "epochcast%s: %s -> %s, %s%s expected",
                      plan.steer ? "" : " (shadow)",
                      plan.policy,
                      *name ? name : "a node without class",
                      expected,
                      whole_job ? "" : " per epoch");
    }
    xfree(job->system_comment);
    job->system_comment = xstrdup(text);
}

}  // namespace epochcast::slurm
