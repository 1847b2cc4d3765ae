// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "job_submit/submission.hpp"

#include <string>

#include "job_submit/entries.hpp"
#include "job_submit/site_rules.hpp"

namespace epochcast::slurm {

namespace {

// What is going to be written, collected before anything is.
struct Outcome {
    std::string outside;  // nodes that placement=require excludes
    std::string devices;  // for tres_per_node
    uint32_t time_limit_min = NO_VAL;
};

bool asks_for_gpus(const char* tres) { return tres && std::strstr(tres, "gpu"); }

// --train-gpus stands for a request to Slurm only where there is no other: two that differ would
// leave open which one the user meant.
bool request_gpus(const job_desc_msg_t& job,
                  const epochcast_options_t& options,
                  std::string& devices,
                  Message& message) {
    if (options.least_gpus == 0) return true;
    for (const char* tres :
         {job.tres_per_job, job.tres_per_node, job.tres_per_socket, job.tres_per_task})
        if (asks_for_gpus(tres))
            return message.refuse(
                "GPUs are asked for twice, by gpus=%u (--train-gpus) and by '%.80s' "
                "of Slurm's own options: leave out one of the two",
                options.least_gpus,
                tres);
    devices = gpu_request + std::to_string(options.least_gpus);
    return true;
}

bool settle_deadline(epochcast_options_t& options, int64_t submitted_unix_s, Message& message) {
    if (options.deadline_after_s > 0)
        options.deadline_unix_s = submitted_unix_s + options.deadline_after_s;
    options.deadline_after_s = 0;
    if (options.deadline_unix_s == 0 || options.deadline_unix_s > std::time(nullptr)) return true;
    return message.refuse("the deadline has passed: give one that is still to come, such as +8h");
}

// What the site's forecasts and rules make of the job.
bool ask_site(const epochcast_table_t* table,
              const epochcast_options_t& options,
              const Needs& needs,
              bool wants_limit,
              Outcome& outcome,
              Message& message) {
    const bool requires_best = options.placement == EPOCHCAST_PLACEMENT_REQUIRE;
    if (!table && !requires_best) return true;
    ClassSurvey survey(needs);
    if (requires_best || (wants_limit && epochcast_table_set_limits(table)))
        survey.count(table, needs);
    if (!check_policy(table, options, survey, message)) return false;
    if (requires_best &&
        !require_best_class(table, options, survey, needs, outcome.outside, message))
        return false;
    if (wants_limit) outcome.time_limit_min = time_limit_for(table, options, survey, needs);
    return true;
}

bool ask_site(Forecasts* forecasts,
              const epochcast_options_t& options,
              const Needs& needs,
              bool wants_limit,
              Outcome& outcome,
              Message& message) {
    const auto ask = [&](const epochcast_table_t* table) {
        return ask_site(table, options, needs, wants_limit, outcome, message);
    };
    return forecasts ? forecasts->with_table(ask) : ask(nullptr);
}

void add_to_list(char*& list, const std::string& items) {
    if (!items.empty()) xstrfmtcat(list, "%s%s", list && *list ? "," : "", items.c_str());
}

// Notes what the user excludes himself, so that a later change can start from there.
void note_excluded(Entries entries, const char* excluded) {
    append(entries, (own_excluded + std::string(excluded ? excluded : "")).c_str());
}

bool is_our_comment(const char* comment) {
    epochcast_options_t options;
    Message message;
    std::memset(&options, 0, sizeof options);
    return epochcast_options_read_comment(&options, comment, message.text, sizeof message.text) !=
               0 ||
           !epochcast_options_empty(&options);
}

// The options that the job has and those that it is going to have.
bool options_after(const char* comment,
                   const job_record_t& job,
                   epochcast_options_t& before,
                   epochcast_options_t& options,
                   Message& message) {
    if (epochcast_options_read_job_env(&before, job.spank_job_env, job.spank_job_env_size) < 0)
        std::memset(&before, 0, sizeof before);
    if (!read_changes(options, comment, before, message)) return false;
    // One that was given earlier may pass while the job waits.
    const bool has_new_deadline =
        options.deadline_unix_s != before.deadline_unix_s || options.deadline_after_s > 0;
    return !has_new_deadline || settle_deadline(options, job.details->submit_time, message);
}

// What the user excludes himself: by this change, else by what was noted when we added to it.
std::string own_exclusions(const job_desc_msg_t& change, const job_record_t& job, bool required) {
    const char* noted = find_value(job.spank_job_env, job.spank_job_env_size, own_excluded);
    if (change.exc_nodes) return change.exc_nodes;
    if (required && noted) return noted;
    return job.details->exc_nodes ? job.details->exc_nodes : "";
}

// Another number of GPUs replaces the request that we made for the last one; not one of the user's.
bool change_gpus(const job_desc_msg_t& change,
                 const job_record_t& job,
                 const epochcast_options_t& before,
                 const epochcast_options_t& options,
                 std::string& devices,
                 Message& message) {
    if (options.least_gpus == before.least_gpus) return true;
    const std::string ours = gpu_request + std::to_string(before.least_gpus);
    job_desc_msg_t requests;
    std::memset(&requests, 0, sizeof requests);
    requests.tres_per_job = job.tres_per_job;
    requests.tres_per_socket = job.tres_per_socket;
    requests.tres_per_task = job.tres_per_task;
    requests.tres_per_node = change.tres_per_node;
    if (!change.tres_per_node && job.tres_per_node && ours != job.tres_per_node)
        requests.tres_per_node = job.tres_per_node;
    return request_gpus(requests, options, devices, message);
}

}  // namespace

bool submit(job_desc_msg_t& job, uint32_t submit_uid, Forecasts* forecasts, Message& message) {
    epochcast_options_t options;
    if (!read_sources(options, job, message)) return false;
    Outcome outcome;
    const bool has_options = !epochcast_options_empty(&options);
    if (has_options) {
        const bool wants_limit = job.time_limit == NO_VAL && *options.task && options.epochs > 0;
        Needs needs = needs_of(job, submit_uid);
        needs.option_gpus = options.least_gpus;
        Message refusal;
        if (!settle_deadline(options, std::time(nullptr), refusal) ||
            !request_gpus(job, options, outcome.devices, refusal) ||
            !ask_site(forecasts, options, needs, wants_limit, outcome, refusal)) {
            message = refusal;
            return false;
        }
    }
    const Entries entries{job.spank_job_env, job.spank_job_env_size};
    const Entries environment{job.environment, job.env_size};
    remove_ours(entries);
    remove_ours(environment);
    if (!has_options) return true;
    append(entries, options);
    if (environment.array && environment.size > 0) append(environment, options);
    if (options.placement == EPOCHCAST_PLACEMENT_REQUIRE) note_excluded(entries, job.exc_nodes);
    add_to_list(job.exc_nodes, outcome.outside);
    add_to_list(job.tres_per_node, outcome.devices);
    if (outcome.time_limit_min != NO_VAL) job.time_limit = outcome.time_limit_min;
    verbose("epochcast: job of uid %u: task '%s', epochs %" PRIu64 ", policy '%s'%s",
            submit_uid,
            options.task,
            options.epochs,
            options.policy,
            outcome.outside.empty() ? "" : ", requires the best class");
    return true;
}

bool modify(job_desc_msg_t& change,
            job_record_t& job,
            uint32_t uid,
            Forecasts* forecasts,
            Message& message) {
    const bool changes_options = change.comment && is_our_comment(change.comment);
    if (!changes_options && !change.partition && !change.exc_nodes) return true;
    const bool is_pending = (job.job_state & JOB_STATE_BASE) == JOB_PENDING && job.details;
    if (!is_pending || (uid != job.user_id && !validate_operator(uid))) return true;
    epochcast_options_t before, options;
    if (!options_after(changes_options ? change.comment : nullptr, job, before, options, message))
        return false;
    const bool required = before.placement == EPOCHCAST_PLACEMENT_REQUIRE;
    const bool requires_now = options.placement == EPOCHCAST_PLACEMENT_REQUIRE;
    if (!changes_options && !required) return true;

    std::string excluded = own_exclusions(change, job, required);
    Needs needs = needs_of(job, change);
    needs.excluded_nodes = excluded.data();
    needs.option_gpus = options.least_gpus;
    Outcome outcome;
    if (!change_gpus(change, job, before, options, outcome.devices, message) ||
        !ask_site(forecasts, options, needs, false, outcome, message))
        return false;

    if (required || requires_now) {
        xfree(change.exc_nodes);
        change.exc_nodes = xstrdup(excluded.c_str());
        add_to_list(change.exc_nodes, outcome.outside);
    }
    add_to_list(change.tres_per_node, outcome.devices);
    const Entries entries{job.spank_job_env, job.spank_job_env_size};
    remove_ours(entries);
    append(entries, options);
    if (requires_now) note_excluded(entries, excluded.c_str());
    return true;
}

}  // namespace epochcast::slurm
