// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Our own policy in the simulator, on Gavel's traces: shared/figures.md defines each figure, and
// the facts of placement what others reached. Every number is of seeds that no constant was chosen
// on.

#include <chrono>
#include <cmath>
#include <stdexcept>

#include "bench.hpp"
#include "sim_cases.hpp"
#include "simulate/ablation_scheduler.hpp"
#include "simulate/stock_scheduler.hpp"

namespace bench {
namespace {

using namespace epochcast;
using namespace epochcast::simulate;

constexpr double sigma = 0.1;
const std::vector<std::uint32_t> cheapest_first{2, 1, 0};  // classes of the traces by price
const std::vector<std::uint32_t> fastest_first{0, 1, 2};

// Gavel's max_min_fairness_perf, run from its authors' code; it moves jobs freely.
double gavel_las_h(const std::string& experiment) { return experiment == "e2" ? 3.824 : 9.263; }

OwnOptions with(PlanSettings plan) {
    OwnOptions own;
    own.plan = plan;
    return own;
}

Case stock_case(StockOptions stock) {
    Case made = own_case({}, 0);
    made.scheduler = [stock](Forecaster&, std::uint64_t) {
        return std::make_unique<StockScheduler>(stock);
    };
    made.prepare = [](Trace&, std::uint64_t) {};
    return made;
}

Case ablation_case(bool orders, bool chooses) {
    Case made = own_case({}, sigma);
    made.scheduler = [=](Forecaster& forecaster, std::uint64_t) {
        return std::make_unique<AblationScheduler>(
            forecaster, AblationOptions{orders, chooses, cheapest_first});
    };
    return made;
}

Result once(const Options& options, const std::string& experiment) {
    const Trace trace = physical_trace(options, experiment);
    const Summary summary = over_seeds(trace, own_case(with({}), sigma));
    return jct_result(
        summary, "Gavel LAS, moves jobs freely", gavel_las_h(experiment), summary.detail());
}

Result moves(const Options& options, const std::string& experiment) {
    const Trace trace = physical_trace(options, experiment);
    const Summary summary = over_seeds(trace, own_case(with(PlanSettings::with_moves()), sigma));
    return jct_result(
        summary, "Gavel LAS, moves jobs freely", gavel_las_h(experiment), summary.detail());
}

Result closed(const Options& options, const std::string& experiment) {
    const Trace trace = physical_trace(options, experiment);
    const Summary summary = over_seeds(trace, closed_case(with(PlanSettings::with_trials())));
    const Summary strict = over_seeds(trace, closed_case(with({})));
    Case oracle = own_case(with({}), sigma);
    oracle.prepare = closed_case({}).prepare;
    StockOptions cheap;
    cheap.preference = cheapest_first;
    Case stock = stock_case(cheap);
    stock.prepare = oracle.prepare;
    const Summary stock_summary = over_seeds(trace, stock);
    Json detail = summary.detail();
    detail.set("strictly_once", strict.detail());
    detail.set("oracle", over_seeds(trace, oracle).detail());
    detail.set("stock_cheapest_first", stock_summary.detail());
    return jct_result(summary,
                      "stock weights, cheapest first",
                      stock_summary.mean.jct_mean_s / 3600,
                      std::move(detail));
}

Result ablation(const Options& options) {
    const Trace trace = physical_trace(options, "e2");
    const Summary whole = over_seeds(trace, own_case(with({}), sigma));
    const Summary both = over_seeds(trace, ablation_case(true, true));
    StockOptions cheap;
    cheap.preference = cheapest_first;
    StockOptions backfill = cheap;
    backfill.skip = StockOptions::Skip::harmless;
    StockOptions shortest = cheap;
    shortest.order = StockOptions::Order::shortest;
    StockOptions named;
    named.choice = StockOptions::Choice::fastest;
    const Summary stock = over_seeds(trace, stock_case(cheap));
    Json detail;
    detail.set("order_alone", over_seeds(trace, ablation_case(true, false)).detail());
    detail.set("placement_alone", over_seeds(trace, ablation_case(false, true)).detail());
    detail.set("both_as_lists", both.detail());
    detail.set("whole_plan", whole.detail());
    detail.set("stock_cheapest_first", stock.detail());
    detail.set("backfill_exact_limits", over_seeds(trace, stock_case(backfill)).detail());
    detail.set("shortest_first_stock_weights", over_seeds(trace, stock_case(shortest)).detail());
    detail.set("users_name_fastest", over_seeds(trace, stock_case(named)).detail());
    return jct_result(
        both, "stock weights, cheapest first", stock.mean.jct_mean_s / 3600, std::move(detail));
}

Result cost(const Options& options, const std::string& experiment) {
    const Trace trace = physical_trace(options, experiment);
    Json sweep;
    double before = INFINITY;
    bool is_monotone = true;
    Summary summary;
    for (const int percent : {0, 25, 50, 75, 90, 100}) {
        OwnOptions own = with({});
        own.policy = {percent / 100.0, 1 - percent / 100.0, 0};
        summary = over_seeds(trace, own_case(own, sigma));
        Json point;
        point.set("cost", summary.mean.cost).set("jct_h", summary.mean.jct_mean_s / 3600);
        sweep.set("cost=" + std::to_string(percent) + "%", point);
        is_monotone = is_monotone && summary.mean.cost <= before;
        before = summary.mean.cost;
    }
    Json detail = summary.detail();
    detail.set("is_monotone", is_monotone ? 1 : 0).set("by_weight", sweep);
    Result result = single(summary.mean.cost, "$", std::move(detail));
    result.peer = "Gavel's cost policy";
    result.ratio = summary.mean.cost / (experiment == "e2" ? 874 : 1104);
    return result;
}

Result noise(const Options& options) {
    const Trace trace = physical_trace(options, "e2");
    Json detail;
    double exact_h = 0;
    double noisy_h = 0;
    for (const double error : {0.0, 0.1, 0.2, 0.4, 0.8}) {
        const Summary summary = over_seeds(trace, own_case(with({}), error));
        const double jct_h = summary.mean.jct_mean_s / 3600;
        detail.set("jct_h_at_sigma_" + std::to_string(error).substr(0, 3), jct_h);
        if (error == 0) exact_h = jct_h;
        if (error == 0.4) noisy_h = jct_h;
    }
    Result result = single(noisy_h / exact_h, "ratio", std::move(detail));
    result.peer = "sigma 0";
    result.ratio = result.value;
    return result;
}

}  // namespace

Result rank_classes(const Options& options);
Result decide(const Options& options);
Result speed(const Options& options);
Result single_gpu(const Options& options);

namespace {

std::vector<Figure> figures() {
    std::vector<Figure> list;
    for (const std::string experiment : {"e2", "e3"}) {
        const std::string name = "sim." + experiment + ".";
        list.push_back({name + "once",
                        "average JCT, placed once, shipped defaults, forecasts with sigma 0.1",
                        [=](const Options& o) { return once(o, experiment); }});
        list.push_back(
            {name + "moves",
             "average JCT where jobs may be requeued at an epoch's end, 3 minutes a move",
             [=](const Options& o) { return moves(o, experiment); }});
        list.push_back({name + "closed",
                        "average JCT from an empty history, forecasts by core/forecast alone",
                        [=](const Options& o) { return closed(o, experiment); }});
        list.push_back({name + "cost",
                        "money of the cost policy, and whether it falls with the weight",
                        [=](const Options& o) { return cost(o, experiment); }});
    }
    list.push_back(
        {"sim.e2.ablation", "order alone, placement alone, both, beside stock", ablation});
    list.push_back({"sim.e2.noise", "average JCT at sigma 0.4 over sigma 0", noise});
    list.push_back({"sim.gavel.single",
                    "generated single-GPU traces, 4.0 and 6.0 jobs/h, JCT over published Gavel LAS",
                    single_gpu});
    list.push_back({"rank.classes",
                    "rank 100 classes x 8 counts for one job, enumeration included",
                    rank_classes});
    list.push_back({"sim.decide", "plan 100 (and 500) queued jobs once on 48 nodes, p99", decide});
    list.push_back({"sim.speed", "simulate 5 000 jobs with the shipped defaults", speed});
    return list;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) { return bench::run(argc, argv, bench::figures()); }
