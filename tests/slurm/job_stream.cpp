// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Random jobs against the cluster that SLURM_CONF names. Every line that it prints follows from the
// seed and from what slurmctld decided, so that the outputs for two clusters can be compared. Use:
//
//   job_stream conf SEED             lines for slurm.conf
//   job_stream forecast SEED         words for write_forecast, with MODE where the mode goes
//   job_stream reserved SEED         nodes for a reservation "rsv"
//   job_stream feasible SEED COUNT   each job alone on an idle cluster, with our options and
//   without
//                                    them: may it be submitted, would it run, does it start? For
//                                    each of these same, lost or gained by our options.
//   job_stream backfill SEED COUNT   COUNT jobs that wait on a full cluster, of which three groups
//                                    of nodes, one of each class, become free in turn: where
//                                    backfill meant to start each, and where it started. The last
//                                    line counts those that started on another class.
//   job_stream burst SEED COUNT      submits jobs of one node, fifty a second, every second one
//                                    held, and prints number and policy of each that slurmctld
//                                    took. Ends quietly when slurmctld does.
//   job_stream place SEED COUNT      jobs that come and go: where each would run and where it
//                                    starts. The last line counts those two that differ.

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "random_jobs.hpp"
#include "slurm_client.hpp"

namespace {

using random_jobs::Cluster;
using random_jobs::Random;
using slurm_client::Answer;

// "same", or "lost" if the job runs only without our options, or "gained" if only with them.
const char* compared(const Answer& with, const Answer& without) {
    return with.accepted == without.accepted ? "same" : with.accepted ? "gained" : "lost";
}

Answer submit_and_cancel(const std::string& job) {
    const Answer answer = slurm_client::submit(job, true);
    if (answer.accepted) slurm_client::cancel(answer.job_id);
    return answer;
}

Answer start_and_cancel(const std::string& job) {
    const Answer answer = slurm_client::allocate_now(job);
    if (answer.accepted) slurm_client::cancel(answer.job_id);
    return answer;
}

// With our options first, then the same without them: then, whatever an earlier job left behind, a
// job that is lost is lost by our doing.
void feasible(const Cluster& cluster, std::uint64_t seed, unsigned count) {
    Random random(seed);
    for (unsigned i = 0; i < count; ++i) {
        const std::string job = cluster.job(random, true);
        const std::string plain = job.substr(0, job.find(" comment="));
        const Answer submitted = submit_and_cancel(job);
        const Answer planned = slurm_client::will_run(job);
        // Slurm 22.05 does not give all GPUs of a job with --gpus back, whatever its plugins: such
        // jobs start only among the last, so that the others find an idle cluster.
        const bool starts = job.find(" gpus=") == job.npos || i >= count - count / 5;
        const Answer started = starts ? start_and_cancel(job) : planned;
        std::printf("%u %s: submit %s, test %s, start %s; start %s\n",
                    i,
                    job.c_str(),
                    compared(submitted, submit_and_cancel(plain)),
                    compared(planned, slurm_client::will_run(plain)),
                    compared(started, starts ? start_and_cancel(plain) : started),
                    started.accepted ? "yes" : started.text().c_str());
    }
}

// About two jobs come for each that goes while the cluster is empty, and as many once it is full.
void place(const Cluster& cluster, std::uint64_t seed, unsigned count) {
    Random random(seed);
    std::vector<std::uint32_t> running;
    unsigned started_jobs = 0;
    unsigned differ = 0;
    for (unsigned i = 0; i < count; ++i) {
        const std::string job = cluster.job(random, true);
        const Answer planned = slurm_client::will_run(job);
        const Answer started = slurm_client::allocate_now(job);
        std::printf("%u %s: plan %s, start %s\n",
                    i,
                    job.c_str(),
                    planned.text().c_str(),
                    started.text().c_str());
        if (started.accepted) {
            running.push_back(started.job_id);
            ++started_jobs;
            if (planned.nodes != started.nodes) ++differ;
        }
        if (!running.empty() && random.percent(started.accepted ? 50 : 80)) {
            const auto which =
                running.begin() + random.below(static_cast<std::uint32_t>(running.size()));
            slurm_client::cancel(*which);
            running.erase(which);
        }
    }
    for (const std::uint32_t job : running) slurm_client::cancel(job);
    std::printf("started %u, elsewhere than planned %u\n", started_jobs, differ);
}

// The classes in a list of nodes, whose names are a letter and a number each.
std::string classes_of(const std::string& nodes) {
    std::string classes;
    for (const char c : nodes)
        if (c >= 'a' && c <= 'z' && classes.find(c) == classes.npos) classes += c;
    return classes;
}

// Asks again and again until `done` says so, ten seconds at most.
template <class Done>
void wait_until(Done done) {
    for (int i = 0; i < 200 && !done(); ++i) usleep(50'000);
}

struct Waiting {
    std::uint32_t id;
    std::string planned;
    bool started;
};

// Fills the cluster; the nodes number `group` of all classes become free after as many hours.
std::vector<std::vector<std::uint32_t>> fill(const Cluster& cluster) {
    std::vector<std::vector<std::uint32_t>> groups;
    for (const random_jobs::NodeClass& node_class : cluster.classes)
        for (std::uint32_t node = 0; node < node_class.nodes; ++node) {
            if (groups.size() <= node) groups.resize(node + 1);
            const Answer answer = slurm_client::allocate_now(
                "exclusive=1 limit=" + std::to_string((node + 1) * 60) +
                " nodelist=" + node_class.name + std::to_string(node + 1));
            if (answer.accepted) groups[node].push_back(answer.job_id);
        }
    return groups;
}

void backfill(const Cluster& cluster, std::uint64_t seed, unsigned count) {
    Random random(seed);
    const auto groups = fill(cluster);
    std::vector<Waiting> waiting;
    for (unsigned i = 0; i < count; ++i) {
        const Answer answer =
            slurm_client::submit("exclusive=1 nodes=1 limit=1440 comment=epochcast:task=t" +
                                     std::to_string(random.below(10)) +
                                     ";epochs=9;policy=" + (random.percent(50) ? "time" : "cost"),
                                 false);
        if (answer.accepted) waiting.push_back({answer.job_id, "", false});
    }
    unsigned planned_jobs = 0;
    unsigned elsewhere = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(groups.size(), 3); ++i) {
        const auto& group = groups[i];
        usleep(2'500'000);  // backfill comes round once a second
        wait_until([&] {
            std::size_t plans = 0;
            for (Waiting& job : waiting)
                if (!job.started && !(job.planned = slurm_client::state_of(job.id).planned).empty())
                    ++plans;
            return plans >= group.size();
        });
        for (const std::uint32_t filler : group) slurm_client::cancel(filler);
        std::size_t starts = 0;
        wait_until([&] {
            for (Waiting& job : waiting) {
                if (job.started) continue;
                const slurm_client::JobState now = slurm_client::state_of(job.id);
                if (now.state != "RUNNING") continue;
                job.started = true;
                ++starts;
                if (job.planned.empty()) continue;
                ++planned_jobs;
                const bool differs = classes_of(job.planned) != classes_of(now.nodes);
                elsewhere += differs ? 1 : 0;
                std::printf("%u: planned %s, started %s%s\n",
                            job.id,
                            job.planned.c_str(),
                            now.nodes.c_str(),
                            differs ? ", another class" : "");
            }
            return starts >= group.size();
        });
    }
    std::printf("backfilled %u, other class %u\n", planned_jobs, elsewhere);
}

void burst(const Cluster&, std::uint64_t seed, unsigned count) {
    Random random(seed);
    for (unsigned i = 0; i < count; ++i) {
        const char* policy = random.percent(50) ? "time" : "cost";
        const Answer answer = slurm_client::submit(
            std::string("nodes=1 exclusive=1 comment=epochcast:task=cnn;epochs=4;policy=") + policy,
            i % 2 == 1);
        if (!answer.accepted) return;
        std::printf("%u %s\n", answer.job_id, policy);
        usleep(20'000);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "use: job_stream VERB SEED [COUNT]; see job_stream.cpp\n");
        return 2;
    }
    const std::string verb = argv[1];
    const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
    const auto count = static_cast<unsigned>(argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 0);
    const Cluster cluster(seed);
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    if (verb == "conf") {
        std::fputs(cluster.conf_lines().c_str(), stdout);
    } else if (verb == "forecast") {
        std::puts(cluster.forecast_words().c_str());
    } else if (verb == "reserved") {
        std::puts(cluster.reserved_nodes().c_str());
    } else {
        const std::map<std::string, void (*)(const Cluster&, std::uint64_t, unsigned)> streams = {
            {"feasible", feasible}, {"backfill", backfill}, {"burst", burst}, {"place", place}};
        const auto stream = streams.find(verb);
        if (stream == streams.end()) {
            std::fprintf(
                stderr, "job_stream: verb '%s' is not known; see job_stream.cpp\n", argv[1]);
            return 2;
        }
        slurm_client::start();
        stream->second(cluster, seed, count);
    }
    return 0;
}
