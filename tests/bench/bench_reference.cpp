// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Reference policies in our simulator beside what their authors published or their own code
// measured (facts of the data sets gavel and pollux): the simulator is checked here before anything
// is claimed for ours.

#include <chrono>
#include <cmath>

#include "bench.hpp"
#include "simulate/metrics.hpp"
#include "simulate/readers/pollux.hpp"
#include "simulate/reference/gavel_rounds.hpp"
#include "simulate/reference/pollux_policies.hpp"
#include "trace_files.hpp"

namespace bench {
namespace {

using namespace epochcast::simulate;

double percent_off(double measured, double published) {
    return 100 * std::abs(measured - published) / published;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Gavel's own policy on its physical cluster's trace; 'jct' or 'makespan' is the value, in hours.
Result physical(const Options& options,
                const std::string& trace_name,
                GavelPolicy policy,
                double published_h) {
    const Trace trace =
        gavel_trace(options, trace_name, GavelRates::physical, gavel_physical_cluster());
    const auto begin = std::chrono::steady_clock::now();
    const Metrics metrics = measure(trace, value_of(run_gavel(trace, policy, {})));
    const double seconds = seconds_since(begin);
    const double jct_h = metrics.jct_mean_s / 3600;
    const double makespan_h = metrics.makespan_s / 3600;
    const double value = policy == GavelPolicy::makespan ? makespan_h : jct_h;
    Json detail;
    detail.set("published_h", published_h).set("off_percent", percent_off(value, published_h));
    detail.set("jct_h", jct_h).set("makespan_h", makespan_h).set("cost", metrics.cost);
    detail.set("p95_h", metrics.jct_p95_s / 3600).set("max_h", metrics.jct_max_s / 3600);
    detail.set("rho_worst", metrics.rho_worst).set("moves_per_job", metrics.moves_per_job);
    detail.set("seconds", seconds);
    Result result = single(value, "h", detail);
    result.peer = "Gavel's own simulator";
    result.ratio = value / published_h;
    return result;
}

// Mean makespan in hours of the first `jobs` jobs, all there at the start, seeds 0 to 2.
double static_makespan_h(const Options& options, std::size_t jobs) {
    std::vector<double> makespan_h;
    for (const char* seed : {"0", "1", "2"}) {
        Trace trace = gavel_trace(options,
                                  std::string("generated_multi_seed") + seed,
                                  GavelRates::simulation,
                                  {{"v100", 36, 2.85}, {"p100", 36, 1.68}, {"k80", 36, 0.52}});
        trace.jobs.resize(jobs);
        const auto run = value_of(run_gavel(trace, GavelPolicy::makespan, {}));
        makespan_h.push_back(measure(trace, run).makespan_s / 3600);
    }
    return mean(makespan_h);
}

Result gavel_e5(const Options& options) {
    constexpr double published_100_h = 161.2;
    constexpr double published_500_h = 169.4;
    const auto begin = std::chrono::steady_clock::now();
    const double at_100_h = static_makespan_h(options, 100);
    const double at_500_h = static_makespan_h(options, 500);
    const double off_100 = percent_off(at_100_h, published_100_h);
    const double off_500 = percent_off(at_500_h, published_500_h);
    Json detail;
    detail.set("n100_h", at_100_h).set("n500_h", at_500_h);
    detail.set("n100_published_h", published_100_h).set("n500_published_h", published_500_h);
    detail.set("n100_off_percent", off_100).set("n500_off_percent", off_500);
    detail.set("seconds", seconds_since(begin));
    const bool is_100_worse = off_100 > off_500;
    Result result = single(is_100_worse ? at_100_h : at_500_h, "h", detail);
    result.peer = "Gavel's published table";
    result.ratio = is_100_worse ? at_100_h / published_100_h : at_500_h / published_500_h;
    return result;
}

// The batches that each application was measured with; the rest is pollux_application().
const std::map<std::string, std::vector<std::uint64_t>> applications = {
    {"bert", {12, 24, 48, 96, 192, 384}},
    {"cifar10", {128, 256, 512, 1024, 2048, 4096}},
    {"ncf", {256, 512, 1024, 2048, 4096, 8192, 16384, 32768}},
    {"imagenet", {200, 400, 800, 1600, 3200, 6400, 12800}},
    {"deepspeech2", {20, 40, 80, 160, 320, 640}},
    {"yolov3", {8, 16, 32, 64, 128, 256, 512}}};

std::map<std::string, PolluxProfile> pollux_profiles(const Options& options) {
    std::map<std::string, PolluxProfile> profiles;
    for (const auto& [name, batches] : applications) {
        const std::string folder = options.data + "/data/pollux/traces/" + name + "/";
        const std::string placements = read_text(folder + "placements.csv");
        const std::string scalability = read_text(folder + "scalability.csv");
        std::map<std::uint64_t, std::string> runs;
        PolluxTexts texts{placements, scalability, {}};
        for (const std::uint64_t batch : batches) {
            runs[batch] = read_text(folder + "validation-" + std::to_string(batch) + ".csv");
            texts.validation[batch] = runs[batch];
        }
        const PolluxApplication known = pollux_application(name).value();
        profiles.emplace(
            name, value_of(PolluxProfile::read(texts, known.epochs, known.largest_local_batch)));
    }
    return profiles;
}

template <class Policy>
Result pollux_e1(const Options& options, double published_s) {
    const auto profiles = pollux_profiles(options);
    const std::string text = read_text(options.data + "/data/pollux/workloads/workload-6.csv");
    const auto workload = value_of(read_pollux_workload(text));
    const PolluxCluster cluster;
    Policy policy(cluster);
    const auto begin = std::chrono::steady_clock::now();
    const auto jct_s = value_of(run_pollux(workload, profiles, policy, cluster));
    const double value = mean(jct_s);
    Json detail;
    detail.set("published_s", published_s).set("off_percent", percent_off(value, published_s));
    detail.set("p99_s", percentile(jct_s, 0.99)).set("seconds", seconds_since(begin));
    Result result = single(value, "s", detail);
    result.peer = "Pollux's own simulator";
    result.ratio = value / published_s;
    return result;
}

Figure gavel_figure(
    const char* name, const char* what, const char* trace, GavelPolicy policy, double published_h) {
    return {name, what, [=](const Options& options) {
                return physical(options, trace, policy, published_h);
            }};
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    using bench::gavel_figure;
    using bench::Options;
    using epochcast::simulate::GavelPolicy;
    const char* const e2 = "physical_max_min_fairness";
    const char* const e3 = "physical_minimize_makespan";
    return bench::run(
        argc,
        argv,
        {{"sim.e1.optimus",
          "average JCT, s, of Optimus on Pollux's workload 6, 16 nodes of 4 T4",
          [](const Options& o) {
              return bench::pollux_e1<epochcast::simulate::Optimus>(o, 5301.875);
          }},
         {"sim.e1.tiresias",
          "average JCT, s, of Tiresias on Pollux's workload 6, 16 nodes of 4 T4",
          [](const Options& o) {
              return bench::pollux_e1<epochcast::simulate::Tiresias>(o, 3469.69375);
          }},
         gavel_figure("sim.gavel.e2.las",
                      "average JCT, h, of Gavel's LAS on its physical continuous trace (E2)",
                      e2,
                      GavelPolicy::las,
                      3.824),
         gavel_figure("sim.gavel.e3.las",
                      "average JCT, h, of Gavel's LAS on its physical static trace (E3)",
                      e3,
                      GavelPolicy::las,
                      9.263),
         gavel_figure("sim.gavel.e2.makespan",
                      "makespan, h, of Gavel's makespan policy on E2",
                      e2,
                      GavelPolicy::makespan,
                      16.25),
         gavel_figure("sim.gavel.e3.makespan",
                      "makespan, h, of Gavel's makespan policy on E3",
                      e3,
                      GavelPolicy::makespan,
                      17.41),
         {"sim.gavel.e5",
          "makespan, h, of Gavel's makespan policy, 100 and 500 static jobs of 1 to 8 devices, "
          "mean "
          "of seeds 0 to 2; the one farther from the published value",
          bench::gavel_e5}});
}
