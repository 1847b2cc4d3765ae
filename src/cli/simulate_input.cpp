// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/simulate_input.hpp"

#include <algorithm>

#include "cli/text_file.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"
#include "simulate/epochs.hpp"

namespace epochcast {

namespace {

constexpr const char* formats[] = {"gavel", "pollux", "sacct"};
constexpr std::uint64_t most_jobs = 10'000'000;

std::string_view first_line(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (!trimmed(line).empty()) return trimmed(line);
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return {};
}

bool has_all(std::string_view line, char separator, std::vector<std::string_view> names) {
    const auto fields = split(line, separator);
    return std::ranges::all_of(names, [&](std::string_view name) {
        return std::ranges::find(fields, name) != fields.end();
    });
}

Result<std::string> find_format(const TraceOptions& options, const std::string& text) {
    if (options.format) {
        if (std::ranges::find(formats, *options.format) != std::end(formats)) {
            return *options.format;
        }
        return Error{
            ErrorKind::usage,
            "--format " + epochcast::quoted(*options.format) + " is not gavel, pollux or sacct"};
    }
    const std::string_view line = first_line(text);
    if (line.empty()) {
        return Error{ErrorKind::bad_input,
                     "trace " + epochcast::quoted(options.trace.string(), 200) + " is empty"};
    }
    if (has_all(line, ',', {"job_id", "model", "total_steps"})) return std::string("gavel");
    if (has_all(line, ',', {"time", "application", "num_replicas"})) return std::string("pollux");
    if (options.delimiter || options.fields) return std::string("sacct");
    if (has_all(line, '|', {"JobID", "State"})) return std::string("sacct");
    return Error{ErrorKind::bad_input,
                 "trace " + epochcast::quoted(options.trace.string(), 200) + ": its first line " +
                     epochcast::quoted(line) +
                     " is neither a header of Gavel's traces (job_id,...,total_steps), nor of "
                     "Pollux's workloads (name,time,application,...), nor of `sacct --parsable2`; "
                     "for sacct output without header give --fields, with another delimiter "
                     "--delimiter"};
}

// An option that has no meaning for the format is a mistake, not a detail.
Result<void> check_options(const TraceOptions& options, const std::string& format) {
    struct Given {
        bool is_given;
        const char* name;
        const char* format;
    };
    const Given given[] = {{options.throughputs.has_value(), "--throughputs", "gavel"},
                           {options.rates.has_value(), "--rates", "gavel"},
                           {options.jobs_per_hour.has_value(), "--jobs-per-hour", "gavel"},
                           {options.profiles.has_value(), "--profiles", "pollux"},
                           {options.delimiter.has_value(), "--delimiter", "sacct"},
                           {options.fields.has_value(), "--fields", "sacct"},
                           {!options.speeds.empty(), "--speed", "sacct"},
                           {options.is_staying, "--stay", "sacct"}};
    for (const Given& option : given) {
        if (!option.is_given || format == option.format) continue;
        return Error{ErrorKind::usage,
                     std::string(option.name) + " is for traces of the format " + option.format +
                         ", and " + epochcast::quoted(options.trace.string(), 200) + " is of " +
                         format};
    }
    if (options.uses_site && format == "pollux") {
        return Error{ErrorKind::usage,
                     "--site cannot be used with a Pollux workload: its profiles are of one kind "
                     "of node"};
    }
    return {};
}

// --first and --at-once.
Result<void> cut(const TraceOptions& options, SimulatedTrace& read) {
    simulate::Trace& trace = read.trace;
    if (options.first) {
        const auto first = parse_count("--first", *options.first, 1, most_jobs);
        if (!first) return first.error();
        const auto jobs = static_cast<std::size_t>(first.value());
        trace.jobs.resize(std::min(trace.jobs.size(), jobs));
        if (read.pollux) {
            read.pollux->workload.resize(std::min(read.pollux->workload.size(), jobs));
        }
    }
    if (options.is_at_once) {
        for (simulate::TraceJob& job : trace.jobs) job.arrival_s = 0;
        if (read.pollux) {
            for (simulate::PolluxJob& job : read.pollux->workload) job.submit_s = 0;
        }
        read.sacct.reset();  // what was recorded is of other times of arrival
    }
    return {};
}

Result<SimulatedTrace> read_as(Context& context,
                               const std::string& format,
                               const TraceOptions& options,
                               const std::string& text) {
    if (format == "gavel") return read_gavel(context, options, text);
    if (format == "pollux") return read_pollux(options, text);
    return read_sacct_output(context, options, text);
}

}  // namespace

Error in_file(const std::filesystem::path& file, const Error& error) {
    return {error.kind, plain(file.string(), 200) + ": " + error.message};
}

Result<SimulatedTrace> read_simulated_trace(Context& context, const TraceOptions& options) {
    const auto text = read_text_file("trace", options.trace);
    if (!text) return text.error();
    const auto format = find_format(options, text.value());
    if (!format) return format.error();
    if (const auto checked = check_options(options, format.value()); !checked) {
        return checked.error();
    }
    auto read = read_as(context, format.value(), options, text.value());
    if (!read) return read;
    read.value().format = format.value();
    if (read.value().trace.jobs.empty()) {
        return Error{ErrorKind::bad_input,
                     "trace " + epochcast::quoted(options.trace.string(), 200) +
                         " has no job that can be simulated" +
                         (read.value().notes.empty() ? "" : ": " + read.value().notes.front())};
    }
    if (const auto done = cut(options, read.value()); !done) return done.error();
    return read;
}

}  // namespace epochcast
