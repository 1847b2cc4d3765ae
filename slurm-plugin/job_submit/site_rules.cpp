// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "job_submit/site_rules.hpp"

#include <algorithm>
#include <limits>

namespace epochcast::slurm {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

bool is_off(const char* policy) { return std::strcmp(policy, "off") == 0; }

int mode_of(const epochcast_table_t* table, const std::string& partition) {
    return epochcast_table_mode(table, partition.c_str());
}

// The first partition that the plugins do not steer; null: they steer all of them.
const std::string* unsteered(const epochcast_table_t* table, const ClassSurvey& survey) {
    const auto found = std::ranges::find_if(survey.partitions(), [&](const std::string& name) {
        return mode_of(table, name) != EPOCHCAST_MODE_ON;
    });
    return found == survey.partitions().end() ? nullptr : &*found;
}

epochcast_job_t question_of(const epochcast_table_t* table,
                            const epochcast_options_t& options,
                            const Needs& needs) {
    const uint32_t asked_devices = gpus_per_node(needs.devices);
    epochcast_job_t job;
    job.task = options.task;
    job.policy = policy_of(table, options);
    job.uid = needs.uid;
    job.epochs = options.epochs;
    job.least_nodes = needs.least_nodes;
    job.most_nodes = needs.most_nodes;
    job.least_devices = options.least_gpus ? options.least_gpus : asked_devices;
    job.most_devices = options.most_gpus ? options.most_gpus : asked_devices;
    job.deadline_s = options.deadline_unix_s
                         ? static_cast<double>(options.deadline_unix_s - std::time(nullptr))
                         : none;
    job.budget = options.budget > 0 ? options.budget : none;
    return job;
}

// Whether there is a question that can be asked at all.
bool can_be_ranked(const epochcast_table_t* table,
                   const epochcast_options_t& options,
                   const ClassSurvey& survey,
                   Message& message) {
    if (!*options.task)
        return message.refuse(
            "placement 'require' needs a task: add task=NAME, or use "
            "placement=prefer");
    if (!table)
        return message.refuse(
            "placement 'require' cannot be kept: there are no forecasts at this "
            "time, or epochcast is switched off; use placement=prefer");
    const char* policy = policy_of(table, options);
    if (!*policy || is_off(policy))
        return message.refuse(
            "placement 'require' needs a policy other than off: add policy=cost, "
            "time, throughput or a mix, or use placement=prefer");
    if (survey.partitions().empty()) return true;  // Slurm refuses that in its own words
    if (const std::string* partition = unsteered(table, survey))
        return message.refuse(
            "placement 'require' cannot be kept in partition '%.60s', where "
            "epochcast does not choose nodes; use placement=prefer",
            partition->c_str());
    return true;
}

// Whether the class could ever run the job, as far as it is simply known.
bool can_ever_run(const char* name,
                  int32_t node_class,
                  const ClassNodes& counts,
                  const epochcast_table_t* table,
                  const Needs& needs,
                  Message& message) {
    for (const uint32_t index : nodes_named(needs.required_nodes)) {
        const char* node = node_record_table_ptr[index]->name;
        if (epochcast_table_class_of_node(table, node) != node_class)
            return message.refuse(
                "placement 'require': class '%.60s' is the best one for this job, "
                "but node '%.60s', which it requires, is not of it; drop one of "
                "the two",
                name,
                node);
    }
    if (counts.fitting < needs.least_nodes)
        return message.refuse(
            "placement 'require': class '%.60s' is the best one for this job and "
            "can never run it: it asks for %u nodes, and %u of %u nodes there have "
            "what it asks of each (CPUs, memory, features, not excluded); ask for "
            "less, or use placement=prefer",
            name,
            needs.least_nodes,
            counts.fitting,
            counts.nodes);
    if (counts.fitting_cpus < needs.cpus)
        return message.refuse(
            "placement 'require': class '%.60s' is the best one for this job and "
            "can never run it: it asks for %u CPUs, and the nodes there have "
            "%" PRIu64 "; ask for less, or use placement=prefer",
            name,
            needs.cpus,
            counts.fitting_cpus);
    return true;
}

}  // namespace

const char* policy_of(const epochcast_table_t* table, const epochcast_options_t& options) {
    return *options.policy ? options.policy : epochcast_table_default_policy(table);
}

bool check_policy(const epochcast_table_t* table,
                  const epochcast_options_t& options,
                  const ClassSurvey& survey,
                  Message& message) {
    if (!table || !*options.policy || is_off(options.policy) || survey.partitions().empty())
        return true;
    const bool is_fine = std::ranges::any_of(survey.partitions(), [&](const std::string& name) {
        return mode_of(table, name) == EPOCHCAST_MODE_OFF ||
               epochcast_table_allows(table, name.c_str(), options.policy);
    });
    if (is_fine) return true;
    const std::string& first = survey.partitions().front();
    char allowed[128];
    epochcast_table_allowed(table, first.c_str(), allowed, sizeof allowed);
    return message.refuse("policy '%s' is not allowed in partition '%.60s': give %s",
                          options.policy,
                          first.c_str(),
                          allowed);
}

bool require_best_class(const epochcast_table_t* table,
                        const epochcast_options_t& options,
                        const ClassSurvey& survey,
                        const Needs& needs,
                        std::string& outside,
                        Message& message) {
    if (!can_be_ranked(table, options, survey, message)) return false;
    if (survey.partitions().empty()) return true;
    const auto offers = survey.all_offers();
    std::vector<epochcast_choice_t> choices(offers.size());
    const epochcast_job_t job = question_of(table, options, needs);
    uint32_t count = 0;
    if (epochcast_rank(table, &job, offers.data(), choices.data(), &count) == 0)
        return message.refuse(
            "placement 'require': there is no forecast of task '%s' on any class "
            "of this partition yet (%s); use placement=prefer until it has run",
            options.task,
            count > 0 ? choices[0].reason : "no class has nodes there");
    const auto best = static_cast<int32_t>(choices[0].class_index);
    const char* name = epochcast_table_class_name(table, choices[0].class_index);
    if (!can_ever_run(name, best, survey.classes()[choices[0].class_index], table, needs, message))
        return false;
    outside = nodes_outside(table, best);
    return true;
}

uint32_t time_limit_for(const epochcast_table_t* table,
                        const epochcast_options_t& options,
                        const ClassSurvey& survey,
                        const Needs& needs) {
    if (!epochcast_table_set_limits(table) || survey.partitions().empty() ||
        unsteered(table, survey))
        return NO_VAL;
    const epochcast_job_t job = question_of(table, options, needs);
    const uint32_t minutes =
        epochcast_table_time_limit_min(table, &job, survey.fitting_offers().data());
    return minutes == 0 ? NO_VAL : std::min(minutes, survey.max_time_min());
}

}  // namespace epochcast::slurm
