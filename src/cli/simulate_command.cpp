// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/simulate_options.hpp"
#include "simulate/named_policy.hpp"

namespace epochcast {

namespace {

std::string footer() {
    std::string text = "Policies:\n";
    for (const simulate::PolicyName& policy : simulate::policy_names()) {
        text += fmt::format("  {:<20} {}\n", policy.name, policy.help);
    }
    text +=
        "own, own-trial and own-moves take the jobs' policy: own:cost, own:cost=0.7,time=0.3.\n"
        "Stock Slurm's weights are taken to be prices; cost is price x devices x hours.\n\n"
        "Traces, found out by their first line:\n"
        "  gavel    job_id,arrival_s,model,batch_size,scale_factor,total_steps[,...] with "
        "--throughputs\n"
        "  pollux   name,time,application,num_replicas,batch_size with --profiles\n"
        "  sacct    sacct -a -X --parsable2 -S 2026-01-01 "
        "--format=JobID,JobName,User,Partition,\\\n"
        "           AllocCPUS,State,Submit,Start,End,Timelimit,Elapsed,AllocTRES > jobs.txt\n"
        "           (with --noheader give the same list as --fields)\n\n"
        "Examples:\n"
        "  epochcast simulate jobs.txt --policy own --policy stock --class a100=16@2.5\n"
        "  epochcast simulate trace.csv --throughputs t.csv --policy own --repeat 5 --sigma 0.2\n"
        "Exit code 3: the trace has unusable content.";
    return text;
}

void add_trace_options(CLI::App& verb, TraceOptions& trace) {
    verb.add_option("TRACE", trace.trace, "File with the jobs")->required();
    verb.add_option("--format", trace.format, "gavel, pollux or sacct (default: found out)")
        ->type_name("NAME");
    verb.add_option("--throughputs", trace.throughputs, "Gavel: steps per second, CSV")
        ->type_name("FILE");
    verb.add_option(
            "--rates", trace.rates, "Gavel: physical or simulation (default: as the trace is)")
        ->type_name("NAME");
    verb.add_option("--jobs-per-hour", trace.jobs_per_hour, "Gavel: for traces with arrival_unit")
        ->type_name("R");
    verb.add_option("--profiles", trace.profiles, "Pollux: a folder for each application")
        ->type_name("FOLDER");
    verb.add_option("--delimiter", trace.delimiter, "sacct: between columns (default: |)")
        ->type_name("TEXT");
    verb.add_option("--fields",
                    trace.fields,
                    "sacct without header: names in order, or NAME=COLUMN,... from 0")
        ->type_name("LIST");
    verb.add_option(
            "--class", trace.classes, "Devices of a class, price of one an hour; =0 takes it away")
        ->type_name("NAME=COUNT[@PRICE]")
        ->allow_extra_args(false);
    verb.add_flag("--site", trace.uses_site, "Classes, prices, FLOP rates of the configuration");
    verb.add_option("--speed", trace.speeds, "sacct: relative speed of a class (default: 1)")
        ->type_name("CLASS=FACTOR")
        ->allow_extra_args(false);
    verb.add_flag("--stay", trace.is_staying, "sacct: jobs run only where their task ran");
    verb.add_option("--first", trace.first, "Take only the first N jobs")->type_name("N");
    verb.add_flag("--at-once", trace.is_at_once, "All jobs are there at the start");
}

}  // namespace

void add_simulate(CLI::App& app, Context& context) {
    auto options = std::make_shared<SimulateOptions>();
    CLI::App* verb =
        app.add_subcommand("simulate", "Run a trace of jobs under several policies, side by side");
    add_trace_options(*verb, options->trace);
    verb->add_option(
            "--policy", options->policies, "See below (may be repeated; default: own, stock, fifo)")
        ->type_name("NAME")
        ->allow_extra_args(false);
    verb->add_option(
            "--sigma", options->sigma, "Error of forecasts, log-normal, 0 to 2 (default: 0.1)")
        ->type_name("S");
    verb->add_flag("--closed-loop",
                   options->is_closed_loop,
                   "Start with an empty history; half of the jobs declare too many epochs");
    verb->add_option("--seed", options->seed, "First seed (default: 1)")->type_name("N");
    verb->add_option("--repeat", options->repeat, "Seeds to average over, 1 to 1000 (default: 1)")
        ->type_name("N");
    verb->add_option(
            "--move-seconds", options->move_s, "What restoring a requeued job takes (default: 180)")
        ->type_name("S");
    verb->add_option("--jobs", options->window, "Measure these jobs only, counted from 0")
        ->type_name("FIRST..LAST");
    verb->add_option("--per-job", options->per_job, "Also write a CSV row for each job")
        ->type_name("FILE");
    verb->add_flag("--csv", options->as_csv, "Print CSV");
    verb->add_flag("--json", context.as_json, "Print JSON");
    verb->footer(footer());
    verb->callback([&context, options] { context.exit_code = run_simulation(context, *options); });
}

}  // namespace epochcast
