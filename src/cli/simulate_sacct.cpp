// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// A cluster's own accounting as a trace, and plain words on what it can and cannot show.

#include <algorithm>
#include <cmath>

#include "cli/simulate_input.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"
#include "simulate/epochs.hpp"

namespace epochcast {

namespace {

using namespace simulate;

constexpr std::size_t most_complaints = 3;

std::string delimiter_of(const TraceOptions& options) {
    const std::string given = options.delimiter.value_or("|");
    return given == "\\t" ? "\t" : given;  // as shells leave it in '...'
}

void complain_of_rows(Context& context, const TraceOptions& options, const SacctRead& read) {
    for (std::size_t i = 0; i < std::min(read.complaints.size(), most_complaints); ++i) {
        complain(context, plain(options.trace.string(), 200) + ": " + read.complaints[i]);
    }
    if (read.malformed > most_complaints) {
        complain(context,
                 plain(options.trace.string(), 200) + ": " +
                     std::to_string(read.malformed - most_complaints) +
                     " more rows could not be read and were left out");
    }
}

// The site's size, price and FLOP rate of classes that it configures under the same name.
void use_site(const Site& site, bool of_cpus, std::vector<DeviceClass>& classes) {
    for (const NodeClass& node_class : site.classes) {
        const auto found = std::ranges::find(classes, node_class.name, &DeviceClass::name);
        if (found == classes.end()) continue;
        if (std::isfinite(node_class.flop_rate)) found->flop_rate = node_class.flop_rate;
        if (!of_cpus || node_class.cores == 0) continue;
        found->devices = static_cast<std::uint32_t>(node_class.nodes.size()) * node_class.cores;
        found->flop_rate /= node_class.cores;
        if (std::isfinite(node_class.price_per_node_hour)) {
            found->price_per_device_hour = node_class.price_per_node_hour / node_class.cores;
        }
    }
}

// Speeds by FLOP rate where none was given and every class has one; else the name of the first that
// has none.
std::string speeds_of_site(const std::vector<DeviceClass>& classes,
                           std::map<std::string, double>& speed) {
    if (!speed.empty()) return {};
    for (const DeviceClass& device_class : classes) {
        if (!(device_class.flop_rate > 0)) return device_class.name;
    }
    for (const DeviceClass& device_class : classes) {
        speed.emplace(device_class.name, device_class.flop_rate);
    }
    return {};
}

std::string rows_note(const SacctRead& read, std::size_t simulated) {
    std::string text = plural(read.rows, "row") + ": " + plural(simulated, "job") + " simulated";
    const auto append = [&](std::size_t count, const char* what) {
        if (count > 0) text += ", " + std::to_string(count) + " " + what;
    };
    append(read.steps, "steps of jobs");
    append(read.not_ended, "not ended");
    append(read.never_ran, "that never ran");
    append(read.jobs.size() - simulated, "with more devices than a class has");
    append(read.malformed, "that could not be read");
    return text + ".";
}

std::string elsewhere_note(const Trace& trace, const TraceOptions& options, bool has_flop_rates) {
    const auto movable = std::ranges::count_if(trace.jobs, [](const TraceJob& job) {
        return std::ranges::count_if(job.steps_per_s, [](double rate) { return rate > 0; }) > 1;
    });
    const std::string known = "sacct knows a job's run time only on the class where it ran. ";
    if (movable == 0) return known + "None of these jobs may run on another class.";
    const std::string text = known + std::to_string(movable) + " of " +
                             plural(trace.jobs.size(), "job") +
                             " may run on other classes of their kind too, at the ratio of their "
                             "own task's median times where it completed on both";
    if (options.is_staying) return text + ", and nowhere else (--stay).";
    if (!options.speeds.empty()) return text + ", else by --speed.";
    if (has_flop_rates) return text + ", else by the site's FLOP rates.";
    return text +
           ", else as if all classes were alike: --speed CLASS=FACTOR or --site say "
           "otherwise, --stay keeps jobs where their task ran.";
}

Result<void> check_speeds(const std::map<std::string, double>& speed,
                          const std::vector<DeviceClass>& classes) {
    for (const auto& [name, factor] : speed) {
        if (std::ranges::find(classes, name, &DeviceClass::name) != classes.end()) continue;
        return Error{ErrorKind::usage,
                     "--speed names the class " + epochcast::quoted(name) +
                         ", and the cluster has " + classes_text(classes)};
    }
    return {};
}

}  // namespace

Result<SimulatedTrace> read_sacct_output(Context& context,
                                         const TraceOptions& options,
                                         const std::string& text) {
    const auto format = sacct_format(delimiter_of(options), options.fields.value_or(""));
    if (!format) return Error{ErrorKind::usage, "--delimiter, --fields: " + format.error().message};
    const auto changes = parse_class_changes(options.classes);
    if (!changes) return changes.error();
    const auto speed = parse_speeds(options.speeds);
    if (!speed) return speed.error();
    auto rows = simulate::read_sacct(text, format.value());
    if (!rows) return in_file(options.trace, rows.error());
    complain_of_rows(context, options, rows.value());
    SimulatedTrace read;
    read.notes.push_back(rows_note(rows.value(), rows.value().jobs.size()));
    if (rows.value().jobs.empty()) return read;
    std::vector<DeviceClass> classes = sacct_classes(rows.value());
    Elsewhere elsewhere{!options.is_staying, speed.value()};
    bool has_flop_rates = false;
    if (options.uses_site) {
        const auto site = load_site_with_classes(context);
        if (!site) return site.error();
        const bool of_cpus = std::ranges::all_of(rows.value().jobs,
                                                 [](const SacctJob& job) { return job.gpus == 0; });
        use_site(site.value(), of_cpus, classes);
        const std::string unknown = speeds_of_site(classes, elsewhere.speed);
        has_flop_rates = unknown.empty();
        if (!has_flop_rates && options.speeds.empty() && !options.is_staying) {
            complain(context,
                     "the site has no FLOP rate for class " + epochcast::quoted(unknown) +
                         " of the trace, so the FLOP rates are not used: give --speed, or name "
                         "the class in the configuration");
        }
    }
    if (const auto done = change_classes(classes, changes.value()); !done) return done.error();
    if (const auto checked = check_speeds(speed.value(), classes); !checked) return checked.error();
    read.trace = sacct_trace(rows.value(), std::move(classes), elsewhere);
    read.notes = {
        rows_note(rows.value(), read.trace.jobs.size()),
        elsewhere_note(read.trace, options, has_flop_rates),
        "A class has as many devices as these jobs used at once, unless --class or --site "
        "says otherwise; waiting for reasons that sacct does not show (holds, "
        "dependencies, other users' limits) is in 'as recorded' only."};
    if (!read.trace.jobs.empty()) set_epochs(read.trace, 0);
    read.sacct = std::move(rows).value();
    return read;
}

}  // namespace epochcast
