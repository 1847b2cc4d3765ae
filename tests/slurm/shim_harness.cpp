// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// The shim as it is built into the plugin, over a node table like slurmctld's with 10 000 nodes in
// 20 classes c0 to c19, in front of a stand-in for the stock function that reads every candidate's
// weight and takes the first of the lowest. For figures that slurmctld cannot show: own time of
// jobs that ask nothing, the least that writing so many weights can take, memory after many calls.
//
//   shim_harness FORECAST_DIR own CALLS      p50, p99, longest own time in ns: run_now, will_run
//   shim_harness FORECAST_DIR idle CALLS     the same for jobs without our options
//   shim_harness FORECAST_DIR floor CALLS    p50, p99 of writing and putting back 10 000 weights
//   shim_harness FORECAST_DIR growth CALLS   resident memory in kB after 1 000 and after CALLS
//   calls

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/slurm_version.hpp"
#include "select/own_time.hpp"
#include "select/shim.hpp"

namespace {

using epochcast::slurm::JobTest;
using epochcast::slurm::monotonic_ns;
using epochcast::slurm::Shim;

constexpr std::size_t node_count = 10'000;
constexpr std::size_t class_count = 20;
static_assert(sizeof(node_record_t) <= 944);

uint64_t stock_from_ns = 0;
uint64_t stock_to_ns = 0;
std::vector<uint64_t> other_memory(1 << 21);  // 16 MB: what stock touches in a pass over so many

int stand_in(job_record_t*,
             bitstr_t* nodes,
             uint32_t,
             uint32_t,
             uint32_t,
             uint16_t,
             epochcast::slurm::SlurmList*,
             epochcast::slurm::SlurmList**,
             epochcast::slurm::ExcludedCores*
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
             ,
             will_run_data_t*
#endif
) {
    stock_from_ns = monotonic_ns();
    std::size_t best = 0;
    for (std::size_t i = 1; i < node_count; ++i)
        if (node_record_table_ptr[i]->sched_weight < node_record_table_ptr[best]->sched_weight)
            best = i;
    for (uint64_t& word : other_memory) ++word;
    bit_nclear(nodes, 0, static_cast<bitoff_t>(node_count) - 1);
    bit_set(nodes, static_cast<bitoff_t>(best));
    stock_to_ns = monotonic_ns();
    return SLURM_SUCCESS;
}

// As in slurmctld, every record is an allocation of its own, 960 bytes from the next.
class NodeTable {
  public:
    NodeTable() : nodes_(node_count), names_(node_count) {
        const std::size_t of_class = node_count / class_count;
        for (std::size_t i = 0; i < node_count; ++i) {
            names_[i] = "c" + std::to_string(i / of_class) + "n" + std::to_string(i % of_class + 1);
            auto* node = static_cast<node_record_t*>(std::calloc(1, 944));
            node->name = names_[i].data();
            node->cpus = 64;
            node->weight = 1 + static_cast<uint32_t>(i / of_class % 5);
            nodes_[i] = node;
        }
        node_record_table_ptr = nodes_.data();
        node_record_count = static_cast<int>(node_count);
    }
    ~NodeTable() {
        for (node_record_t* node : nodes_) std::free(node);
    }
    NodeTable(const NodeTable&) = delete;
    NodeTable& operator=(const NodeTable&) = delete;

    // As slurmctld does before RUN_NOW.
    void sync() {
        for (node_record_t* node : nodes_) node->sched_weight = uint64_t{node->weight} << 8 | 0xff;
    }
    std::vector<node_record_t*>& nodes() { return nodes_; }

  private:
    std::vector<node_record_t*> nodes_;
    std::vector<std::string> names_;
};

struct Call {
    Call() : bits(bit_alloc(static_cast<bitoff_t>(node_count))) {
        partition.name = partition_name;
        details.min_nodes = details.max_nodes = 1;
        details.min_cpus = 1;
        job.details = &details;
        job.part_ptr = &partition;
    }
    ~Call() { slurm_bit_free(&bits); }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    // Own time of this call in ns.
    uint64_t run(Shim& shim, uint32_t number, bool asks, uint16_t mode) {
        task = "EPOCHCAST_JOB_TASK=t" + std::to_string(number * 7919 % 1000);
        policy = number % 2 ? "EPOCHCAST_JOB_POLICY=time" : "EPOCHCAST_JOB_POLICY=cost";
        environment = {task.data(), policy.data(), epochs.data()};
        job.job_id = number + 1;
        job.spank_job_env = asks ? environment.data() : nullptr;
        job.spank_job_env_size = asks ? 3 : 0;
        bit_nset(bits, 0, static_cast<bitoff_t>(node_count) - 1);
        const JobTest test{&job, bits, 1, 1, 1, mode, {}};
        const uint64_t from = monotonic_ns();
        shim.job_test(test);
        const uint64_t to = monotonic_ns();
        return (stock_from_ns - from) + (to - stock_to_ns);
    }

    bitstr_t* bits;
    char partition_name[6] = "train";
    part_record_t partition{};
    struct job_details details {};
    job_record_t job{};
    std::string task, policy, epochs = "EPOCHCAST_JOB_EPOCHS=10";
    std::vector<char*> environment;
};

void print(const char* name, std::vector<uint64_t> times) {
    std::ranges::sort(times);
    std::printf("%s %lu %lu %lu\n",
                name,
                times[times.size() / 2],
                times[times.size() * 99 / 100],
                times.back());
}

void measure(
    Shim& shim, NodeTable& table, const char* name, unsigned calls, bool asks, uint16_t mode) {
    Call call;
    std::vector<uint64_t> times;
    for (uint32_t i = 0; i < calls; ++i) {
        table.sync();
        times.push_back(call.run(shim, i, asks, mode));
    }
    print(name, times);
}

// Nothing but the writes: save, set, put back, in the order of the table.
void measure_floor(NodeTable& table, unsigned calls) {
    std::vector<uint64_t> saved(node_count);
    std::vector<uint64_t> times;
    Call call;
    for (uint32_t i = 0; i < calls; ++i) {
        table.sync();
        const uint64_t from = monotonic_ns();
        for (std::size_t n = 0; n < node_count; ++n) {
            saved[n] = table.nodes()[n]->sched_weight;
            table.nodes()[n]->sched_weight = saved[n] | uint64_t{n % class_count} << 40;
        }
        const uint64_t set = monotonic_ns();
        bit_nset(call.bits, 0, static_cast<bitoff_t>(node_count) - 1);
        stand_in(nullptr, call.bits, 0, 0, 0, 0, nullptr, nullptr, nullptr);
        const uint64_t back = monotonic_ns();
        for (std::size_t n = 0; n < node_count; ++n) table.nodes()[n]->sched_weight = saved[n];
        times.push_back(set - from + (monotonic_ns() - back));
    }
    print("floor", times);
}

long resident_kb() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmRSS:") {
            status >> word;
            return std::stol(word);
        }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "use: shim_harness FORECAST_DIR own|idle|floor|growth CALLS\n");
        return 2;
    }
    const std::string what = argv[2];
    const auto calls = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
    NodeTable table;
    slurm_conf.last_update = 1;
    Shim shim(stand_in, argv[1]);
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));  // it reads the forecasts
    if (what == "floor") {
        measure_floor(table, calls);
    } else if (what == "idle") {
        measure(shim, table, "run_now", calls, false, SELECT_MODE_RUN_NOW);
        measure(shim, table, "will_run", calls, false, SELECT_MODE_WILL_RUN);
    } else if (what == "own") {
        measure(shim, table, "warm", 10, true, SELECT_MODE_RUN_NOW);
        measure(shim, table, "run_now", calls, true, SELECT_MODE_RUN_NOW);
        measure(shim, table, "will_run", calls, true, SELECT_MODE_WILL_RUN);
    } else {
        Call call;
        for (uint32_t i = 0; i < calls; ++i) {
            if (i == 1000) std::printf("%ld ", resident_kb());
            call.run(shim, i, true, i % 2 ? SELECT_MODE_RUN_NOW : SELECT_MODE_WILL_RUN);
        }
        std::printf("%ld\n", resident_kb());
    }
    return 0;
}
