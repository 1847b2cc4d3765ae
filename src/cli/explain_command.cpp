// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/decisions.hpp"
#include "cli/site.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

// Values of a record that a user may have written: of any type, or missing.
std::string text_in(const Json& record, const char* key, std::size_t max_bytes = 128) {
    const auto found = record.find(key);
    const bool is_text = found != record.end() && found->is_string();
    return is_text ? plain(found->get_ref<const std::string&>(), max_bytes) : "";
}

double number_in(const Json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_number() ? found->get<double>() : absent;
}

std::string whole_in(const Json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_number_unsigned()
               ? std::to_string(found->get<std::uint64_t>())
               : "";
}

std::string job_text(const Json& decision) {
    const std::string array = whole_in(decision, "array_job_id");
    std::string text = "job " + whole_in(decision, "job_id");
    if (!array.empty()) text += " (" + array + "_" + whole_in(decision, "array_task_id") + ")";
    const std::string task = text_in(decision, "task");
    text += task.empty() ? ": no task named" : ": task " + task;
    text += " of uid " + whole_in(decision, "uid");
    const std::string policy = text_in(decision, "policy");
    text += policy.empty() ? ", no policy" : ", policy " + policy;
    const std::string epochs = whole_in(decision, "epochs");
    text += epochs.empty() ? ", epochs not stated" : ", epochs " + epochs;
    text += ", nodes " + whole_in(decision, "nodes");
    return text + ", partition " + text_in(decision, "partition");
}

std::string outcome_text(const Json& decision) {
    const std::string chosen = text_in(decision, "chosen_class");
    const std::string nodes = text_in(decision, "chosen_nodes", 300);
    const std::string verdict = text_in(decision, "verdict");
    const std::string where = chosen + (nodes.empty() ? "" : " (" + nodes + ")");
    if (verdict == "steered") return "steered to " + where;
    if (verdict == "shadow" && chosen.empty()) return "no choice; nothing was changed";
    if (verdict == "shadow") return "would have preferred " + where + "; nothing was changed";
    return "not steered: " + (verdict.empty() ? "no reason was recorded" : verdict);
}

Table class_table(const Json& decision) {
    Table table;
    table.column("", Table::Align::left);
    table.column("class", Table::Align::left);
    for (const char* heading :
         {"utility", "whole job", "cost", "price/h", "per epoch", "90 % interval"}) {
        table.column(heading);
    }
    table.column("basis", Table::Align::left);
    const std::string chosen = text_in(decision, "chosen_class");
    const auto classes = decision.find("classes");
    if (classes == decision.end() || !classes->is_array()) return table;
    for (const Json& weighed : *classes) {
        if (!weighed.is_object()) continue;
        const std::string name = text_in(weighed, "class");
        const std::string reason = text_in(weighed, "reason");
        table.row(
            {name == chosen && !chosen.empty() ? "->" : "",
             name,
             number_cell(number_in(weighed, "utility")),
             duration_cell(number_in(weighed, "time_s")),
             number_cell(number_in(weighed, "cost")),
             number_cell(number_in(weighed, "price_per_node_hour")),
             duration_cell(number_in(weighed, "epoch_s")),
             interval_cell(number_in(weighed, "epoch_low_s"), number_in(weighed, "epoch_high_s")),
             reason.empty() ? text_in(weighed, "basis") : reason});
    }
    return table;
}

void print_decision(Context& context, const Json& decision) {
    const double unix_s = number_in(decision, "time_unix_s");
    const bool is_plausible = unix_s > 0 && unix_s < 1e10;
    const auto unix_ns = is_plausible ? static_cast<std::uint64_t>(unix_s) * 1'000'000'000 : 0;
    const std::string mode = text_in(decision, "mode");
    const std::string outcome =
        time_cell(unix_ns) + ", mode " + mode + ": " + outcome_text(decision);
    for (const std::string& line : {job_text(decision), outcome}) {
        for (const auto& part : wrapped(line, Table::width)) context.out << part << "\n";
    }
    const auto classes = decision.find("classes");
    const bool has_classes = classes != decision.end() && classes->is_array() && !classes->empty();
    if (has_classes) context.out << "\n" << class_table(decision).text();
}

// Whose decisions the caller may see: root everybody's, others their own.
Result<std::vector<std::uint32_t>> visible_users(const Context& context,
                                                 const std::filesystem::path& dir) {
    if (context.environment.uid != 0) return std::vector<std::uint32_t>{context.environment.uid};
    return users_with_decisions(dir);
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
    if (!search.decision) {
        complain(
            context,
            "no decision is recorded for job " + text + " in " + dir.string() +
                ": it named no task or policy, its partition is off, it has not been considered "
                "yet, or it is not yours (only root sees all)");
        return search.ignored.empty() ? exit_negative : exit_code(ErrorKind::environment);
    }
    if (context.as_json) {
        print_json(context, {{"schema", "epochcast.explain.v1"}, {"decision", *search.decision}});
    } else {
        print_decision(context, *search.decision);
    }
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
        "Shows the newest decision; '->' marks the class that was chosen. You see your own jobs,\n"
        "root sees all. Exit code 1: no decision is recorded for this job.");
    explain_verb->callback([&context, job] { context.exit_code = explain(context, *job); });
}

}  // namespace epochcast
