// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/simulate_options.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>

#include <fmt/format.h>

#include "cli/simulate_report.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"
#include "simulate/epochs.hpp"
#include "simulate/named_policy.hpp"

namespace epochcast {

namespace {

using namespace simulate;

constexpr std::uint64_t most_seeds = 1000;

double clock_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Rewrites one line on a terminal, a few times a second; elsewhere nothing.
class Progress {
  public:
    explicit Progress(Context& context) : context_(context) {}
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void begin(const std::string& what) {
        what_ = what;
        show("");
    }
    void watch(const View& view) {
        if (!context_.environment.is_terminal || clock_s() < next_s_) return;
        const auto done =
            std::ranges::count_if(view.jobs, [](const JobState& job) { return job.has_finished; });
        show(fmt::format(": {} of {} done", done, plural(view.jobs.size(), "job")));
    }
    void clear() {
        if (is_shown_) context_.err << "\r\x1b[K" << std::flush;
        is_shown_ = false;
    }

  private:
    void show(const std::string& more) {
        if (!context_.environment.is_terminal || clock_s() < next_s_) return;
        next_s_ = clock_s() + 0.2;
        context_.err << "\r\x1b[K" << what_ << more << std::flush;
        is_shown_ = true;
    }

    Context& context_;
    std::string what_;
    double next_s_ = clock_s() + 1;  // short runs show nothing
    bool is_shown_ = false;
};

Result<std::vector<NamedPolicy>> parse_policies(const std::vector<std::string>& texts) {
    std::vector<NamedPolicy> policies;
    for (const std::string& text : texts) {
        auto policy = parse_named_policy(text);
        if (!policy) return policy.error();
        policies.push_back(std::move(policy).value());
    }
    if (!policies.empty()) return policies;
    return std::vector<NamedPolicy>{parse_named_policy("own").value(),
                                    parse_named_policy("stock").value(),
                                    parse_named_policy("fifo").value()};
}

// --jobs FIRST..LAST, both counted from 0 and within the trace.
Result<void> parse_window(const SimulateOptions& options, SimulationReport& report) {
    const std::size_t jobs = report.input->trace.jobs.size();
    report.first_job = 0;
    report.last_job = jobs - 1;
    if (!options.window) return {};
    const std::string& text = *options.window;
    const std::size_t dots = text.find("..");
    const std::string what = "--jobs " + epochcast::quoted(text) + ": ";
    if (dots == std::string::npos) {
        return Error{ErrorKind::usage, what + "give FIRST..LAST, such as 4000..4999"};
    }
    const auto first = parse_count(what + "FIRST", text.substr(0, dots), 0, jobs - 1);
    if (!first) return first.error();
    const auto last = parse_count(what + "LAST", text.substr(dots + 2), first.value(), jobs - 1);
    if (!last) return last.error();
    report.first_job = static_cast<std::size_t>(first.value());
    report.last_job = static_cast<std::size_t>(last.value());
    return {};
}

Result<void> parse_numbers(const SimulateOptions& options, SimulationReport& report) {
    Conditions& conditions = report.conditions;
    conditions.is_closed_loop = options.is_closed_loop;
    conditions.sigma = options.is_closed_loop ? closed_loop_sigma : conditions.sigma;
    if (options.sigma) {
        const auto sigma = parse_number("--sigma", *options.sigma, 0, 2);
        if (!sigma) return sigma.error();
        conditions.sigma = sigma.value();
    }
    const auto move_s = parse_number("--move-seconds", options.move_s, 0, 1e6);
    if (!move_s) return move_s.error();
    conditions.move_s = move_s.value();
    const auto seed = parse_count("--seed", options.seed, 0, 1'000'000'000);
    if (!seed) return seed.error();
    report.seed = seed.value();
    const auto repeat = parse_count("--repeat", options.repeat, 1, most_seeds);
    if (!repeat) return repeat.error();
    report.seeds = static_cast<std::uint32_t>(repeat.value());
    return {};
}

// Opened before the simulation, so that a bad path is known at once.
Result<std::ofstream> open_rows(const SimulateOptions& options) {
    std::ofstream rows;
    if (!options.per_job) return rows;
    rows.open(*options.per_job, std::ios::binary);
    if (rows && rows << job_rows_header()) return rows;
    return Error{ErrorKind::environment,
                 "--per-job " + epochcast::quoted(options.per_job->string(), 200) +
                     " cannot be written: " + std::generic_category().message(errno)};
}

PolicyOutcome as_recorded(const SimulationReport& report, std::ostream& rows) {
    const Trace& trace = report.input->trace;
    const RunResult result = sacct_recorded(*report.input->sacct, trace);
    rows << job_rows("as recorded", 0, trace, result);
    PolicyOutcome outcome{"as recorded", {}, {}};
    outcome.mean = measure(trace, result, report.first_job, report.last_job + 1);
    outcome.mean.decision_mean_s = absent;
    outcome.mean.decision_p99_s = absent;
    outcome.mean.decision_max_s = absent;
    return outcome;
}

Result<PolicyOutcome> outcome_of(const NamedPolicy& policy,
                                 const SimulationReport& report,
                                 Progress& progress,
                                 std::ostream& rows) {
    const SimulatedTrace& input = *report.input;
    PolicyOutcome outcome{policy.label, {}, {}};
    std::vector<Metrics> runs;
    const std::uint32_t seeds = depends_on_seed(policy, report.conditions) ? report.seeds : 1;
    for (std::uint64_t seed = report.seed; seed < report.seed + seeds; ++seed) {
        progress.begin(fmt::format("simulating {}, seed {}", policy.label, seed));
        Trace trace = input.trace;
        if (report.conditions.is_closed_loop) begin_closed_loop(trace, seed);
        const auto run = run_policy(policy,
                                    trace,
                                    input.pollux ? &*input.pollux : nullptr,
                                    report.conditions,
                                    seed,
                                    report.first_job,
                                    report.last_job + 1);
        if (!run) return run.error();
        rows << job_rows(policy.label, seed, trace, run.value().result);
        runs.push_back(run.value().metrics);
        outcome.jct_mean_s.push_back(runs.back().jct_mean_s);
    }
    outcome.mean = average(runs);
    return outcome;
}

void print(Context& context, const SimulateOptions& options, const SimulationReport& report) {
    if (context.as_json) {
        print_json(context, simulation_json(report));
    } else if (options.as_csv) {
        context.out << simulation_csv(report);
        for (const std::string& note : report.input->notes) complain(context, note);
    } else {
        context.out << simulation_text(report);
    }
}

}  // namespace

int run_simulation(Context& context, const SimulateOptions& options) {
    if (context.as_json && options.as_csv) {
        return fail(context, {ErrorKind::usage, "--json and --csv exclude each other: give one"});
    }
    const auto policies = parse_policies(options.policies);
    if (!policies) return fail(context, policies.error());
    SimulationReport report;
    if (const auto parsed = parse_numbers(options, report); !parsed) {
        return fail(context, parsed.error());
    }
    const auto input = read_simulated_trace(context, options.trace);
    if (!input) return fail(context, input.error());
    report.trace = plain(options.trace.trace.filename().string(), 200);
    report.input = &input.value();
    if (const auto parsed = parse_window(options, report); !parsed) {
        return fail(context, parsed.error());
    }
    auto rows = open_rows(options);
    if (!rows) return fail(context, rows.error());
    {
        Progress progress(context);
        report.conditions.clock = clock_s;
        report.conditions.watch = [&](const View& view) { progress.watch(view); };
        if (report.input->sacct) report.outcomes.push_back(as_recorded(report, rows.value()));
        for (const NamedPolicy& policy : policies.value()) {
            auto outcome = outcome_of(policy, report, progress, rows.value());
            if (!outcome) {
                progress.clear();
                return fail(context, outcome.error());
            }
            report.outcomes.push_back(std::move(outcome).value());
        }
    }
    if (options.per_job && !rows.value().flush()) {
        return fail(context,
                    {ErrorKind::environment,
                     "--per-job " + epochcast::quoted(options.per_job->string(), 200) +
                         " could not be written whole: is the device full?"});
    }
    print(context, options, report);
    return exit_ok;
}

}  // namespace epochcast
