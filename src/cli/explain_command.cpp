// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/decisions.hpp"
#include "cli/explain_text.hpp"
#include "cli/site.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"
#include "forecast_file/forecast_file.hpp"
#include "slurm_view/cluster_view.hpp"

namespace epochcast {

namespace {

// Whose decisions the caller may see: root everybody's, others their own.
Result<std::vector<std::uint32_t>> visible_users(const Context& context,
                                                 const std::filesystem::path& dir) {
    if (context.environment.uid != 0) return std::vector<std::uint32_t>{context.environment.uid};
    return users_with_decisions(dir);
}

// What is known of the job apart from the record.
struct Surroundings {
    std::optional<JobView> job;          // as Slurm has it now
    std::vector<ExpectedStart> starts;   // of a pending job
    std::vector<std::string> obstacles;  // what keeps it, or any job, from being steered
    std::string unanswered;              // why Slurm was not asked
};

std::optional<JobView> find_job(const ClusterView& cluster, const JobName& name) {
    for (const JobView& job : cluster.jobs) {
        const bool is_task = name.array_task && job.array_job_id == name.job &&
                             job.array_task_id == *name.array_task;
        if (is_task || (!name.array_task && job.job_id == name.job)) return job;
    }
    return std::nullopt;
}

// Whether one of the job's partitions ("a,b") has the shim on or in shadow.
bool has_open_partition(const JobView& job, const ForecastTable& table) {
    return std::ranges::any_of(split(job.partition, ','), [&](std::string_view name) {
        const auto rule = std::ranges::find(table.partitions, name, &PartitionRule::name);
        return rule != table.partitions.end() && rule->mode != Mode::off;
    });
}

Surroundings look_around(Context& context, const Config& config, const JobName& name) {
    Surroundings found;
    std::error_code failure;
    const auto off = config.forecast_dir / "off";
    if (std::filesystem::exists(std::filesystem::symlink_status(off, failure))) {
        found.obstacles.push_back("steering is switched off (" + off.string() +
                                  "); `epochcast on` ends that");
    }
    std::vector<std::string> problems;
    const auto table = read_forecast_dir(config.forecast_dir, context.environment.unix_s, problems);
    if (!table) found.obstacles.push_back("no forecasts: " + table.error().message);
    const auto cluster = view_cluster(std::chrono::seconds(5));
    if (!cluster) {
        found.unanswered = cluster.error().message;
        return found;
    }
    found.job = find_job(cluster.value(), name);
    if (!found.job || !table) return found;
    const JobView& job = *found.job;
    if (!has_open_partition(job, table.value())) {
        found.obstacles.push_back(
            "partition " + plain(job.partition) +
            " is off: it has no mode \"on\" or \"shadow\" in the configuration");
    }
    if (!job.is_pending) return found;
    const std::uint32_t nodes = std::max(job.least_nodes, 1u);
    found.starts = expected_starts(table.value().classes,
                                   table.value().node_states,
                                   cluster.value(),
                                   nodes,
                                   job.cpus / nodes,
                                   context.environment.unix_s);
    return found;
}

Json json_starts(const std::vector<ExpectedStart>& starts) {
    Json list = Json::array();
    for (const ExpectedStart& start : starts) {
        list.push_back({{"class", start.node_class},
                        {"start_unix_s", start.unix_s == 0 ? Json() : Json(start.unix_s)},
                        {"basis", start.basis}});
    }
    return list;
}

Json json_job(const std::optional<JobView>& job) {
    if (!job) return nullptr;
    return {{"state", job->state},
            {"reason", json_text(job->reason)},
            {"partition", job->partition},
            {"nodes", json_text(job->nodes)},
            {"start_unix_s", job->start_unix_s == 0 ? Json() : Json(job->start_unix_s)}};
}

void print_surroundings(Context& context, const Surroundings& found) {
    std::vector<std::string> lines;
    if (found.job && found.job->is_pending) {
        std::string line = "Slurm: " + found.job->state;
        if (!found.job->reason.empty()) line += " (" + plain(found.job->reason) + ")";
        if (found.job->start_unix_s > context.environment.unix_s) {
            line += ", it expects the start in " +
                    human_duration(
                        static_cast<double>(found.job->start_unix_s - context.environment.unix_s));
        }
        lines.push_back(line);
    }
    for (const std::string& obstacle : found.obstacles)
        lines.push_back("not steered now: " + obstacle);
    for (const std::string& line : lines) {
        for (const auto& part : wrapped(line, Table::width)) context.out << part << "\n";
    }
}

// No record: what can be said all the same.
int explain_nothing(Context& context,
                    const std::string& text,
                    const std::filesystem::path& dir,
                    const Surroundings& found) {
    const bool is_own =
        found.job && (found.job->uid == context.environment.uid || context.environment.uid == 0);
    std::string why =
        "it named no task or policy, it has not been considered yet, or it is not "
        "yours (only root sees all)";
    if (is_own) {
        why = "Slurm has it as " + found.job->state +
              "; it gave no option of epochcast, or the shim has not looked at it";
    }
    complain(context,
             "no decision is recorded for job " + text + " in " + dir.string() + ": " + why);
    for (const std::string& obstacle : found.obstacles) complain(context, obstacle);
    if (!found.unanswered.empty()) complain(context, found.unanswered);
    return exit_negative;
}

int explain(Context& context, const std::string& text) {
    const auto job = parse_job_name(text);
    if (!job) return fail(context, job.error());
    const auto config = load_config(context);
    if (!config) return fail(context, config.error());
    const auto& dir = config.value().decision_dir;
    if (dir.empty()) {
        return fail(context,
                    {ErrorKind::environment,
                     "decisions are not recorded: decision_dir is not set in the configuration"});
    }
    std::error_code failure;
    if (!std::filesystem::exists(dir, failure)) {
        return fail(context,
                    {ErrorKind::environment,
                     "decision_dir " + epochcast::quoted(dir.string(), 200) + " cannot be read: " +
                         (failure ? failure.message() : "there is no such folder")});
    }
    const auto users = visible_users(context, dir);
    if (!users) return fail(context, users.error());
    const auto search = find_decision(dir, users.value(), job.value());
    for (const std::string& sentence : search.ignored) complain(context, sentence);
    Surroundings found;
    const bool has_ended = search.decision && !is_plan(*search.decision);
    if (!has_ended) found = look_around(context, config.value(), job.value());
    if (!search.decision) {
        const int code = explain_nothing(context, text, dir, found);
        return search.ignored.empty() ? code : exit_code(ErrorKind::environment);
    }
    if (!context.as_json) {
        if (!found.unanswered.empty()) complain(context, found.unanswered);
        print_decision(context, *search.decision, found.starts);
        print_surroundings(context, found);
        return exit_ok;
    }
    print_json(context,
               {{"schema", "epochcast.explain.v1"},
                {"decision", *search.decision},
                {"job", json_job(found.job)},
                {"expected_starts", json_starts(found.starts)},
                {"not_steered_now", found.obstacles},
                {"slurm_error", json_text(found.unanswered)}});
    return exit_ok;
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
    auto job = std::make_shared<std::string>();
    CLI::App* explain_verb = app.add_subcommand("explain", "Say why a job was placed where it is");
    explain_verb->add_option("JOBID", *job, "Job id such as 1234, or 1234_7 of an array")
        ->required();
    explain_verb->add_flag("--json", context.as_json, "Print JSON");
    explain_verb->footer(
        "Shows the newest decision; '->' marks the class that was chosen, or is best so far. For "
        "a\n"
        "pending job also when each class could be had, by forecast ends of running jobs or by\n"
        "their time limits, and what keeps it from being steered. You see your own jobs, root\n"
        "sees all. Exit code 1: no decision is recorded for this job.");
    explain_verb->callback([&context, job] { context.exit_code = explain(context, *job); });
}

}  // namespace epochcast
