// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/launch.hpp"

#include <algorithm>
#include <cctype>

#include "core/text.hpp"

namespace epochcast::runtime {

namespace {

constexpr std::uint64_t max_ranks = 1'000'000;

// The variable as a count, or `otherwise` where it is unset or no number.
std::uint32_t count_in(const Environment& environment, const char* name, std::uint32_t otherwise) {
    const auto count = parse_count(name, environment(name), 0, max_ranks);
    return count.ok() ? static_cast<std::uint32_t>(count.value()) : otherwise;
}

}  // namespace

Result<Launch> detect_launch(const Environment& environment) {
    // Open MPI's mpirun, versions 4 and 5, also inside a Slurm job.
    if (const auto size = count_in(environment, "OMPI_COMM_WORLD_SIZE", 0); size > 0) {
        return Launch{size, count_in(environment, "OMPI_COMM_WORLD_RANK", 0), size > 1};
    }
    const auto tasks =
        count_in(environment, "SLURM_STEP_NUM_TASKS", count_in(environment, "SLURM_NTASKS", 1));
    if (tasks <= 1) {
        return Launch{};
    }
    if (environment("PMIX_NAMESPACE").empty()) {
        return Error{ErrorKind::environment,
                     "Slurm has " + std::to_string(tasks) +
                         " tasks for this program, but they cannot find each other and each would "
                         "train alone: start it with  srun --mpi=pmix epochcast-train ..."};
    }
    return Launch{tasks, count_in(environment, "PMIX_RANK", 0), true};
}

JobIdentity identify_job(const Environment& environment,
                         const std::string& host,
                         int pid,
                         std::uint64_t start_s) {
    JobIdentity identity;
    const std::string node = environment("SLURMD_NODENAME");
    identity.host = node.empty() ? host : node;
    const std::string job = environment("SLURM_JOB_ID");
    if (job.empty()) {
        identity.cluster = "local";
        identity.job_id = host + "-" + std::to_string(pid) + "-" + std::to_string(start_s);
        identity.checkpoint = "local";
        return identity;
    }
    identity.in_slurm = true;
    const std::string cluster = environment("SLURM_CLUSTER_NAME");
    identity.cluster = cluster.empty() ? "slurm" : cluster;
    const std::string array = environment("SLURM_ARRAY_JOB_ID");
    const std::string het = environment("SLURM_HET_JOB_ID");
    if (!array.empty()) {
        identity.job_id = array + "_" + environment("SLURM_ARRAY_TASK_ID");
    } else if (!het.empty()) {
        identity.job_id = het + "+" + environment("SLURM_HET_JOB_OFFSET");
    } else {
        identity.job_id = job;
    }
    identity.checkpoint = identity.cluster + "-" + identity.job_id;
    return identity;
}

std::uint32_t usable_cpus(const Environment& environment, std::uint32_t affinity_cpus) {
    const auto given = count_in(environment, "SLURM_CPUS_PER_TASK", 0);
    return given == 0 ? affinity_cpus : std::min(given, affinity_cpus);
}

std::string file_name_part(const std::string& task) {
    std::string part = task;
    std::ranges::replace_if(
        part, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '-'; }, '_');
    return part;
}

}  // namespace epochcast::runtime
