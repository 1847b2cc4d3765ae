// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/named_policy.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "core/epoch_record.hpp"
#include "core/text.hpp"
#include "simulate/ablation_scheduler.hpp"
#include "simulate/learning_forecaster.hpp"
#include "simulate/own_scheduler.hpp"
#include "simulate/reference/gavel_rounds.hpp"
#include "simulate/reference/pollux_policies.hpp"
#include "simulate/stock_scheduler.hpp"

namespace epochcast::simulate {

namespace {

constexpr PolicyName names[] = {
    {PolicyKind::own, "own", "epochcast's queue plan; a started job stays until it ends"},
    {PolicyKind::own_trial,
     "own-trial",
     "own; what was never timed there may move after its first epoch"},
    {PolicyKind::own_moves, "own-moves", "own; jobs work on idle classes meanwhile, and may move"},
    {PolicyKind::stock, "stock", "in order, cheapest class first, backfill by exact limits"},
    {PolicyKind::fifo,
     "fifo",
     "in order, cheapest class first; the first in line holds up the rest"},
    {PolicyKind::first_fit, "first-fit", "in order, cheapest class first; whatever fits starts"},
    {PolicyKind::shortest_first, "shortest-first", "first-fit, shortest job first"},
    {PolicyKind::fastest_type, "fastest-type", "users name the class where their job is fastest"},
    {PolicyKind::order_alone, "order-alone", "our order as a list, first-fit's classes"},
    {PolicyKind::placement_alone, "placement-alone", "order of arrival, our choice of class"},
    {PolicyKind::order_and_placement, "order-and-placement", "both, as a list without search"},
    {PolicyKind::gavel_las, "gavel-las", "Gavel's least attained service; jobs move freely"},
    {PolicyKind::gavel_makespan, "gavel-makespan", "Gavel's earliest last end; jobs move freely"},
    {PolicyKind::optimus, "optimus", "Optimus in Pollux's simulator; jobs grow and shrink"},
    {PolicyKind::tiresias, "tiresias", "Tiresias in Pollux's simulator; jobs are preempted"},
};

bool is_own(PolicyKind kind) { return kind <= PolicyKind::own_moves; }

bool is_ablation(PolicyKind kind) {
    return kind >= PolicyKind::order_alone && kind <= PolicyKind::order_and_placement;
}

// Classes by price, as an administrator's weights would have them.
std::vector<std::uint32_t> cheapest_first(const Trace& trace) {
    std::vector<std::uint32_t> order(trace.classes.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(
        order, {}, [&](std::uint32_t c) { return trace.classes[c].price_per_device_hour; });
    return order;
}

std::unique_ptr<Scheduler> stock(PolicyKind kind, const Trace& trace) {
    StockOptions options;
    options.preference = cheapest_first(trace);
    if (kind == PolicyKind::stock) options.skip = StockOptions::Skip::harmless;
    if (kind == PolicyKind::fifo) options.skip = StockOptions::Skip::nothing;
    if (kind == PolicyKind::shortest_first) options.order = StockOptions::Order::shortest;
    if (kind == PolicyKind::fastest_type) options.choice = StockOptions::Choice::fastest;
    return std::make_unique<StockScheduler>(std::move(options));
}

std::unique_ptr<Scheduler> scheduler_for(const NamedPolicy& policy,
                                         const Trace& trace,
                                         Forecaster& forecaster,
                                         const Conditions& conditions,
                                         std::uint64_t seed) {
    if (is_ablation(policy.kind)) {
        AblationOptions options;
        options.orders = policy.kind != PolicyKind::placement_alone;
        options.chooses = policy.kind != PolicyKind::order_alone;
        options.preference = cheapest_first(trace);
        return std::make_unique<AblationScheduler>(forecaster, std::move(options));
    }
    if (!is_own(policy.kind)) return stock(policy.kind, trace);
    OwnOptions options;
    if (policy.kind == PolicyKind::own_trial) options.plan.moves = Moves::trial;
    if (policy.kind == PolicyKind::own_moves) options.plan = PlanSettings::with_moves();
    options.plan.move_s = conditions.move_s;
    options.policy = policy.utility;
    options.seed = seed;
    return std::make_unique<OwnScheduler>(forecaster, options);
}

class Watched : public Scheduler {
  public:
    Watched(Scheduler& inner, const std::function<void(const View&)>& watch)
        : inner_(inner), watch_(watch) {}
    Actions decide(const View& view) override {
        watch_(view);
        return inner_.decide(view);
    }

  private:
    Scheduler& inner_;
    const std::function<void(const View&)>& watch_;
};

Result<RunResult> run_events(const NamedPolicy& policy,
                             const Trace& trace,
                             const Conditions& conditions,
                             std::uint64_t seed) {
    std::unique_ptr<Forecaster> forecaster;
    if (conditions.is_closed_loop) {
        forecaster = std::make_unique<LearningForecaster>(trace, conditions.sigma, seed);
    } else {
        forecaster = std::make_unique<NoisyForecaster>(trace, conditions.sigma, seed);
    }
    const auto scheduler = scheduler_for(policy, trace, *forecaster, conditions, seed);
    EngineOptions options;
    options.move_s = conditions.move_s;
    options.clock = conditions.clock;
    if (!conditions.watch) return run_trace(trace, *scheduler, options);
    Watched watched(*scheduler, conditions.watch);
    return run_trace(trace, watched, options);
}

// Only when jobs end is known of these.
Result<RunResult> run_in_pollux(PolicyKind kind, const PolluxSetting& setting) {
    Optimus optimus(setting.cluster);
    Tiresias tiresias(setting.cluster);
    PolluxPolicy& policy =
        kind == PolicyKind::optimus ? static_cast<PolluxPolicy&>(optimus) : tiresias;
    const auto jct_s = run_pollux(setting.workload, setting.profiles, policy, setting.cluster);
    if (!jct_s) return jct_s.error();
    RunResult result;
    for (std::size_t j = 0; j < setting.workload.size(); ++j) {
        JobResult& job = result.jobs.emplace_back();
        job.finish_s = setting.workload[j].submit_s + jct_s.value()[j];
        job.busy_device_s = absent;
        job.cost = absent;
    }
    return result;
}

bool is_in_pollux(PolicyKind kind) { return kind >= PolicyKind::optimus; }

Result<RunResult> run_any(const NamedPolicy& policy,
                          const Trace& trace,
                          const PolluxSetting* pollux,
                          const Conditions& conditions,
                          std::uint64_t seed) {
    if (is_in_pollux(policy.kind)) {
        if (pollux != nullptr) return run_in_pollux(policy.kind, *pollux);
        return Error{ErrorKind::usage,
                     "policy " + epochcast::quoted(policy.label) +
                         " changes how many devices a job has, so it needs a Pollux workload with "
                         "its profiles; this trace says only what jobs do on fixed numbers"};
    }
    if (is_ablation(policy.kind) && conditions.is_closed_loop) {
        return Error{ErrorKind::usage,
                     "policy " + epochcast::quoted(policy.label) +
                         " needs a forecast for every job, and in a closed loop there is none at "
                         "the start: run it without"};
    }
    const bool is_makespan = policy.kind == PolicyKind::gavel_makespan;
    if (is_makespan || policy.kind == PolicyKind::gavel_las) {
        return run_gavel(trace, is_makespan ? GavelPolicy::makespan : GavelPolicy::las, {});
    }
    return run_events(policy, trace, conditions, seed);
}

Error unknown_policy(std::string_view text, const std::string& why) {
    std::string allowed;
    for (const PolicyName& name : names) {
        allowed += (allowed.empty() ? "" : ", ") + std::string(name.name);
    }
    return {ErrorKind::usage,
            "--policy " + epochcast::quoted(text) + " " + why + ": give one of " + allowed +
                "; the first three also with the jobs' policy, such as own:cost=0.7,time=0.3"};
}

}  // namespace

std::span<const PolicyName> policy_names() { return names; }

Result<NamedPolicy> parse_named_policy(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto found = std::ranges::find_if(
        names, [&](const PolicyName& known) { return text.substr(0, colon) == known.name; });
    if (found == std::end(names)) return unknown_policy(text, "is not known");
    NamedPolicy policy{found->kind, {0, 1, 0}, std::string(text)};
    if (colon == std::string_view::npos) return policy;
    if (!is_own(found->kind)) return unknown_policy(text, "does not ask what jobs want");
    const auto utility = parse_policy(text.substr(colon + 1));
    if (!utility) return utility.error();
    policy.utility = utility.value();
    return policy;
}

bool depends_on_seed(const NamedPolicy& policy, const Conditions& conditions) {
    if (is_in_pollux(policy.kind)) return false;
    if (conditions.is_closed_loop || is_own(policy.kind)) return true;
    return is_ablation(policy.kind) && conditions.sigma > 0;
}

Result<PolicyRun> run_policy(const NamedPolicy& policy,
                             const Trace& trace,
                             const PolluxSetting* pollux,
                             const Conditions& conditions,
                             std::uint64_t seed,
                             std::size_t first,
                             std::size_t last) {
    auto result = run_any(policy, trace, pollux, conditions, seed);
    if (!result) return result.error();
    PolicyRun run{std::move(result).value(), {}};
    run.metrics = measure(trace, run.result, first, last);
    if (is_in_pollux(policy.kind)) run.metrics.moves_per_job = absent;
    if (run.result.decision_s.empty()) {
        run.metrics.decision_mean_s = absent;
        run.metrics.decision_p99_s = absent;
        run.metrics.decision_max_s = absent;
    }
    return run;
}

}  // namespace epochcast::simulate
