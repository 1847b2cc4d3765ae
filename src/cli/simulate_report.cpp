// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/simulate_report.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "cli/table.hpp"
#include "cli/words.hpp"

namespace epochcast {

namespace {

using namespace simulate;

struct Column {
    const char* name;  // in CSV and JSON
    double Metrics::*value;
};
constexpr Column columns[] = {{"jct_mean_s", &Metrics::jct_mean_s},
                              {"jct_p50_s", &Metrics::jct_p50_s},
                              {"jct_p95_s", &Metrics::jct_p95_s},
                              {"jct_p99_s", &Metrics::jct_p99_s},
                              {"jct_max_s", &Metrics::jct_max_s},
                              {"makespan_s", &Metrics::makespan_s},
                              {"utilisation", &Metrics::utilisation},
                              {"cost", &Metrics::cost},
                              {"rho_worst", &Metrics::rho_worst},
                              {"rho_mean", &Metrics::rho_mean},
                              {"unfair_part", &Metrics::unfair},
                              {"moves_per_job", &Metrics::moves_per_job},
                              {"decision_mean_s", &Metrics::decision_mean_s},
                              {"decision_p99_s", &Metrics::decision_p99_s},
                              {"decision_max_s", &Metrics::decision_max_s}};

// One unit for all times of a table.
struct Unit {
    const char* name;
    double seconds;
};

Unit unit_of(const SimulationReport& report) {
    double longest_s = 0;
    for (const PolicyOutcome& outcome : report.outcomes) {
        longest_s = std::max(longest_s, outcome.mean.jct_p99_s);
    }
    if (longest_s >= 2 * 3600) return {"h", 3600};
    if (longest_s >= 2 * 60) return {"min", 60};
    return {"s", 1};
}

std::string decimals(double value, int digits) {
    return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-";
}

// Text between quotes where CSV needs it.
std::string csv_text(const std::string& text) {
    std::string shown = plain(text, 200);
    if (shown.find_first_of(",\" ") == std::string::npos) return shown;
    std::string quotes = "\"";
    for (const char c : shown) quotes += c == '"' ? "\"\"" : std::string(1, c);
    return quotes + "\"";
}

std::string csv_number(double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : "";
}

bool has_prices(const Trace& trace) {
    return std::ranges::any_of(trace.classes,
                               [](const DeviceClass& c) { return c.price_per_device_hour > 0; });
}

std::size_t tasks_of(const Trace& trace) {
    std::set<std::string> tasks;
    for (const TraceJob& job : trace.jobs) tasks.insert(job.task);
    return tasks.size();
}

std::string seeds_text(const SimulationReport& report) {
    if (report.seeds == 1) return fmt::format("seed {}", report.seed);
    return fmt::format("means over seeds {} to {}", report.seed, report.seed + report.seeds - 1);
}

std::string conditions_text(const SimulationReport& report) {
    const Conditions& conditions = report.conditions;
    std::string text;
    if (conditions.is_closed_loop) {
        text = fmt::format(
            "closed loop: the history is empty at the start, half of the jobs declare up to 3 "
            "times too many epochs, measured epochs scatter by {:g}",
            conditions.sigma);
    } else if (conditions.sigma > 0) {
        text =
            fmt::format("forecasts are off by a log-normal factor of sigma {:g}", conditions.sigma);
    } else {
        text = "forecasts are exact";
    }
    return text + "; " + seeds_text(report);
}

std::vector<std::string> heading(const SimulationReport& report) {
    const Trace& trace = report.input->trace;
    std::vector<std::string> lines{fmt::format("{} ({}): {} of {} on {}",
                                               report.trace,
                                               report.input->format,
                                               plural(trace.jobs.size(), "job"),
                                               plural(tasks_of(trace), "task"),
                                               classes_text(trace.classes))};
    if (!report.input->sources.empty()) lines.push_back(report.input->sources);
    lines.push_back(conditions_text(report));
    if (report.first_job > 0 || report.last_job + 1 < trace.jobs.size()) {
        lines.push_back(
            fmt::format("completion times, rho and moves are of the jobs {} to {} alone",
                        report.first_job,
                        report.last_job));
    }
    return lines;
}

Table table_of(const SimulationReport& report) {
    const Unit unit = unit_of(report);
    Table table;
    table.group("", 1);
    table.group(fmt::format("job completion time, {}", unit.name), 4);
    table.group("makespan,", 1);
    table.group("devices", 1);
    table.group("", 1);
    table.group("worst", 1);
    table.group("moves", 1);
    table.group("decision, ms", 2);
    table.column("policy", Table::Align::left);
    for (const char* name : {"mean", "p50", "p95", "p99"}) table.column(name);
    for (const char* name : {unit.name, "busy", "cost", "rho", "per job", "mean", "p99"}) {
        table.column(name);
    }
    const bool shows_cost = has_prices(report.input->trace);
    for (const PolicyOutcome& outcome : report.outcomes) {
        const Metrics& mean = outcome.mean;
        table.row({outcome.label,
                   decimals(mean.jct_mean_s / unit.seconds, 2),
                   decimals(mean.jct_p50_s / unit.seconds, 2),
                   decimals(mean.jct_p95_s / unit.seconds, 2),
                   decimals(mean.jct_p99_s / unit.seconds, 2),
                   decimals(mean.makespan_s / unit.seconds, 2),
                   std::isfinite(mean.utilisation) ? fmt::format("{:.0f} %", 100 * mean.utilisation)
                                                   : "-",
                   shows_cost ? number_cell(mean.cost) : "-",
                   decimals(mean.rho_worst, 2),
                   decimals(mean.moves_per_job, 2),
                   decimals(1e3 * mean.decision_mean_s, 2),
                   decimals(1e3 * mean.decision_p99_s, 2)});
    }
    return table;
}

Json classes_json(const Trace& trace) {
    Json classes = Json::array();
    for (const DeviceClass& device_class : trace.classes) {
        classes.push_back({{"class", device_class.name},
                           {"devices", device_class.devices},
                           {"price_per_device_hour", device_class.price_per_device_hour}});
    }
    return classes;
}

Json rows_json(const std::optional<SacctRead>& read, std::size_t simulated) {
    if (!read) return {};
    return {{"rows", read->rows},
            {"simulated", simulated},
            {"steps", read->steps},
            {"not_ended", read->not_ended},
            {"never_ran", read->never_ran},
            {"unreadable", read->malformed},
            {"left_out", read->jobs.size() - std::min(read->jobs.size(), simulated)}};
}

}  // namespace

std::string simulation_text(const SimulationReport& report) {
    std::string text;
    const auto append = [&](const std::string& paragraph) {
        for (const std::string& line : wrapped(paragraph, Table::width)) text += line + "\n";
    };
    for (const std::string& paragraph : heading(report)) append(paragraph);
    text += "\n";
    text += table_of(report).text() + "\n";
    append(
        "rho: completion time / (alone on the fastest class x max(1, jobs / devices)). Decision: "
        "time to decide once, on this machine.");
    for (const std::string& note : report.input->notes) append(note);
    return text;
}

std::string simulation_csv(const SimulationReport& report) {
    std::string text = "policy,runs";
    for (const Column& column : columns) text += std::string(",") + column.name;
    text += "\n";
    for (const PolicyOutcome& outcome : report.outcomes) {
        text += csv_text(outcome.label) + "," + std::to_string(outcome.jct_mean_s.size());
        for (const Column& column : columns) text += "," + csv_number(outcome.mean.*column.value);
        text += "\n";
    }
    return text;
}

Json simulation_json(const SimulationReport& report) {
    const Trace& trace = report.input->trace;
    Json document = {{"schema", "epochcast.simulate.v1"},
                     {"trace", report.trace},
                     {"format", report.input->format},
                     {"jobs", trace.jobs.size()},
                     {"tasks", tasks_of(trace)},
                     {"first_job", report.first_job},
                     {"last_job", report.last_job},
                     {"classes", classes_json(trace)},
                     {"sigma", report.conditions.sigma},
                     {"is_closed_loop", report.conditions.is_closed_loop},
                     {"move_s", report.conditions.move_s},
                     {"seed", report.seed},
                     {"seeds", report.seeds},
                     {"sacct_rows", rows_json(report.input->sacct, trace.jobs.size())},
                     {"notes", report.input->notes},
                     {"policies", Json::array()}};
    for (const PolicyOutcome& outcome : report.outcomes) {
        Json row = {{"policy", outcome.label}, {"runs", outcome.jct_mean_s.size()}};
        for (const Column& column : columns) {
            row[column.name] = json_number(outcome.mean.*column.value);
        }
        row["jct_mean_s_by_run"] = outcome.jct_mean_s;
        document["policies"].push_back(std::move(row));
    }
    return document;
}

std::string job_rows_header() {
    return "policy,seed,job,task,devices,arrival_s,start_s,finish_s,jct_s,class,moves,cost\n";
}

std::string job_rows(const std::string& label,
                     std::uint64_t seed,
                     const Trace& trace,
                     const RunResult& result) {
    std::string text;
    for (std::size_t j = 0; j < trace.jobs.size(); ++j) {
        const TraceJob& job = trace.jobs[j];
        const JobResult& outcome = result.jobs[j];
        const bool knows_place = outcome.start_s >= 0 && outcome.last_class < trace.classes.size();
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n",
                            csv_text(label),
                            seed,
                            csv_text(job.id),
                            csv_text(job.task),
                            job.devices,
                            csv_number(job.arrival_s),
                            outcome.start_s < 0 ? "" : csv_number(outcome.start_s),
                            csv_number(outcome.finish_s),
                            csv_number(outcome.finish_s - job.arrival_s),
                            knows_place ? csv_text(trace.classes[outcome.last_class].name) : "",
                            knows_place ? std::to_string(outcome.moves) : "",
                            csv_number(outcome.cost));
    }
    return text;
}

}  // namespace epochcast
