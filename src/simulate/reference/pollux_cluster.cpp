// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/reference/pollux_cluster.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/text.hpp"

namespace epochcast::simulate {

namespace {

constexpr double longest_s = 1e8;  // a simulation that is not over by then never is

std::uint64_t ceil_of(double value) { return static_cast<std::uint64_t>(std::ceil(value - 1e-8)); }

struct Job {
    const PolluxJob* asked = nullptr;
    const PolluxProfile* profile = nullptr;
    std::vector<std::uint32_t> placement;  // replicas per node, by node of first use
    BatchCut cut;
    double restart_s = 0;  // left of it
    double progress = 0;
    std::size_t epoch = 0;
    std::optional<double> finish_s;

    std::uint32_t replicas() const {
        std::uint32_t sum = 0;
        for (const std::uint32_t of_node : placement) sum += of_node;
        return sum;
    }
};

// Progress per second with the devices it has, in this epoch.
double speed(const Job& job) {
    const double batch =
        static_cast<double>(job.replicas() * job.cut.local_batch * (job.cut.accumulations + 1));
    return job.profile->gain(batch, job.epoch) / whole_step_s(*job.profile, job.placement, job.cut);
}

// Lets the job work from now_s for `seconds`.
void work(Job& job, double now_s, double seconds) {
    if (job.placement.empty()) return;
    const double delay_s = std::min(job.restart_s, seconds);
    job.restart_s -= delay_s;
    now_s += delay_s;
    seconds -= delay_s;
    while (seconds > 0 && !job.finish_s) {
        const double next = job.profile->progress(job.epoch + 1);
        const double per_s = speed(job);
        if (job.progress + per_s * seconds < next) {
            job.progress += per_s * seconds;
            return;
        }
        // Whole seconds, halves to the even one.
        const double until_s = std::nearbyint((next - job.progress) / per_s);
        ++job.epoch;
        job.progress = next;
        now_s += until_s;
        seconds -= until_s;
        if (job.epoch == job.profile->epochs()) job.finish_s = now_s;
    }
}

void place(Job& job, const std::vector<std::uint32_t>& nodes, double restart_s) {
    job.placement.clear();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i == 0 || nodes[i] != nodes[i - 1]) job.placement.push_back(0);
        ++job.placement.back();
    }
    if (nodes.empty()) return;
    job.restart_s = restart_s;
    const bool is_larger = job.asked->batch > job.profile->smallest_batch();
    job.cut = cut_batch(*job.profile, job.asked->batch, job.replicas(), is_larger);
}

void decide(double now_s,
            std::vector<Job>& jobs,
            PolluxAllocation& allocation,
            PolluxPolicy& policy,
            double restart_s) {
    std::vector<PolluxView> live;
    for (std::uint32_t j = 0; j < jobs.size(); ++j) {
        const Job& job = jobs[j];
        if (job.asked->submit_s <= now_s && !job.finish_s) {
            live.push_back({j, job.asked, job.profile, job.epoch});
        } else {
            allocation.erase(j);
        }
    }
    if (live.empty()) return;
    PolluxAllocation next = policy.decide(now_s, live, allocation);
    for (const PolluxView& view : live) {
        if (next[view.job] != allocation[view.job]) {
            place(jobs[view.job], next[view.job], restart_s);
        }
    }
    allocation = std::move(next);
}

}  // namespace

BatchCut cut_batch(const PolluxProfile& profile,
                   std::uint64_t batch,
                   std::uint32_t replicas,
                   bool must_accumulate) {
    const std::uint64_t of_replica = ceil_of(static_cast<double>(batch) / replicas);
    BatchCut cut;
    cut.accumulations = ceil_of(static_cast<double>(of_replica) /
                                static_cast<double>(profile.largest_local_batch())) -
                        1;
    if (replicas == 1 && must_accumulate) {
        cut.accumulations = std::max<std::uint64_t>(1, cut.accumulations);
    }
    cut.local_batch =
        ceil_of(static_cast<double>(of_replica) / static_cast<double>(cut.accumulations + 1));
    cut.local_batch =
        std::min(cut.local_batch, profile.largest_batch() / (replicas * (cut.accumulations + 1)));
    return cut;
}

double whole_step_s(const PolluxProfile& profile,
                    const std::vector<std::uint32_t>& placement,
                    const BatchCut& cut) {
    const StepTime time = profile.step_time(placement, static_cast<double>(cut.local_batch));
    return time.step_s + (time.step_s - time.sync_s) * static_cast<double>(cut.accumulations);
}

Result<std::vector<double>> run_pollux(const std::vector<PolluxJob>& workload,
                                       const std::map<std::string, PolluxProfile>& profiles,
                                       PolluxPolicy& policy,
                                       const PolluxCluster& cluster) {
    std::vector<Job> jobs;
    for (const PolluxJob& asked : workload) {
        const auto profile = profiles.find(asked.application);
        if (profile == profiles.end()) {
            return Error{ErrorKind::bad_input,
                         "job " + quoted(asked.name) + ": no profile of the application " +
                             quoted(asked.application)};
        }
        if (asked.replicas > cluster.nodes * cluster.devices_per_node) {
            return Error{ErrorKind::bad_input,
                         "job " + quoted(asked.name) + " asks for more devices than there are"};
        }
        Job job;
        job.asked = &asked;
        job.profile = &profile->second;
        jobs.push_back(std::move(job));
    }
    PolluxAllocation allocation;
    double now_s = 0;
    while (std::ranges::any_of(jobs, [](const Job& job) { return !job.finish_s; })) {
        if (now_s > longest_s) {
            return Error{ErrorKind::bad_input, "the workload does not end: a job never runs"};
        }
        for (Job& job : jobs) work(job, now_s, cluster.round_s);
        now_s += cluster.round_s;
        decide(now_s, jobs, allocation, policy, cluster.restart_s);
    }
    std::vector<double> jct_s;
    jct_s.reserve(jobs.size());
    for (const Job& job : jobs) jct_s.push_back(*job.finish_s - job.asked->submit_s);
    return jct_s;
}

}  // namespace epochcast::simulate
