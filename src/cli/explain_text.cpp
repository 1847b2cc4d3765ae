// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/explain_text.hpp"

#include <algorithm>

#include <fmt/format.h>

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

bool is_true(const Json& record, const char* key) {
    const auto found = record.find(key);
    return found != record.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

bool is_plan(const Json& decision) {
    return !is_true(decision, "is_start") && text_in(decision, "chosen_nodes").empty();
}

namespace {

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
    if (verdict == "steered" && is_plan(decision)) return "pending, best on " + where;
    if (verdict == "steered") return "steered to " + where;
    if (verdict == "shadow" && chosen.empty()) return "no choice; nothing was changed";
    if (verdict == "shadow") return "would have preferred " + where + "; nothing was changed";
    return "not steered: " + (verdict.empty() ? "no reason was recorded" : verdict);
}

// What Slurm would have done, and what came before the utility. One sentence each.
std::vector<std::string> remarks_on(const Json& decision) {
    std::vector<std::string> remarks;
    const std::string stock = text_in(decision, "stock_class");
    if (!stock.empty()) {
        remarks.push_back("Slurm alone: " + stock +
                          (is_true(decision, "stock_is_estimate")
                               ? " (estimated from the nodes' weights)"
                               : " (this is what it took)"));
    }
    if (is_true(decision, "is_planned")) {
        const double start_s = number_in(decision, "planned_start_unix_s");
        const bool is_known = start_s > 0 && start_s < 1e10;
        remarks.push_back("the queue plan's class comes first" +
                          (is_known
                               ? ", expected start " +
                                     time_cell(static_cast<std::uint64_t>(start_s) * 1'000'000'000)
                               : std::string()));
    }
    return remarks;
}

std::string start_cell(double wait_s) {
    return wait_s < 1 ? "now" : "in " + human_duration(wait_s);
}

// "2 x 4": nodes and GPUs of each.
std::string placement_cell(const Json& weighed) {
    const std::string nodes = whole_in(weighed, "nodes");
    const std::string devices = whole_in(weighed, "devices_per_node");
    return devices.empty() ? nodes : nodes + " x " + devices;
}

Table class_table(const Json& decision, const std::vector<ExpectedStart>& starts, double now_s) {
    Table table;
    table.column("", Table::Align::left);
    table.column("class", Table::Align::left);
    table.column("nodes");
    if (!starts.empty()) {
        table.column("could start");
        table.column("by", Table::Align::left);
    }
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
        std::vector<std::string> row = {
            name == chosen && !chosen.empty() ? "->" : "", name, placement_cell(weighed)};
        if (!starts.empty()) {
            const auto start = std::ranges::find(starts, name, &ExpectedStart::node_class);
            const bool is_known = start != starts.end() && start->unix_s != 0;
            row.push_back(!is_known ? "-" : start_cell(static_cast<double>(start->unix_s) - now_s));
            row.push_back(start == starts.end() ? "" : start->basis);
        }
        row.insert(
            row.end(),
            {number_cell(number_in(weighed, "utility")),
             duration_cell(number_in(weighed, "time_s")),
             number_cell(number_in(weighed, "cost")),
             number_cell(number_in(weighed, "price_per_node_hour")),
             duration_cell(number_in(weighed, "epoch_s")),
             interval_cell(number_in(weighed, "epoch_low_s"), number_in(weighed, "epoch_high_s")),
             reason.empty() ? text_in(weighed, "basis") : reason});
        table.row(row);
    }
    return table;
}

}  // namespace

void print_decision(Context& context,
                    const Json& decision,
                    const std::vector<ExpectedStart>& starts) {
    const double unix_s = number_in(decision, "time_unix_s");
    const bool is_plausible = unix_s > 0 && unix_s < 1e10;
    const auto unix_ns = is_plausible ? static_cast<std::uint64_t>(unix_s) * 1'000'000'000 : 0;
    const std::string mode = text_in(decision, "mode");
    std::vector<std::string> lines = {
        job_text(decision), time_cell(unix_ns) + ", mode " + mode + ": " + outcome_text(decision)};
    for (std::string& remark : remarks_on(decision)) lines.push_back(std::move(remark));
    for (const std::string& line : lines) {
        for (const auto& part : wrapped(line, Table::width)) context.out << part << "\n";
    }
    const auto classes = decision.find("classes");
    const bool has_classes = classes != decision.end() && classes->is_array() && !classes->empty();
    if (!has_classes) return;
    const auto now_s = static_cast<double>(context.environment.unix_s);
    context.out << "\n" << class_table(decision, starts, now_s).text();
}

}  // namespace epochcast
