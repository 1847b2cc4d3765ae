// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/job_identity.hpp"

#include "core/text.hpp"

namespace epochcast {

namespace {

std::uint32_t count_of(const std::string& text, std::uint32_t otherwise) {
    const auto count = parse_count("count", text, 0, 10'000'000);
    return count ? static_cast<std::uint32_t>(count.value()) : otherwise;
}

// Parts of a file name: what else a variable may hold is replaced.
std::string name_part(std::string text, std::size_t longest) {
    for (char& c : text) {
        const bool is_fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '+' || c == '.';
        if (!is_fine) c = '_';
    }
    if (text.starts_with('.')) text[0] = '_';
    return text.substr(0, longest);
}

}  // namespace

JobIdentity job_identity(const Variables& variables,
                         const std::string& host,
                         int pid,
                         std::uint64_t start_s) {
    JobIdentity identity;
    const std::string node = variables("SLURMD_NODENAME");
    identity.host = name_part(node.empty() ? host : node, 247);
    const std::string job = variables("SLURM_JOB_ID");
    if (job.empty()) {
        identity.cluster = "local";
        identity.job_id =
            name_part(host, 40) + "-" + std::to_string(pid) + "-" + std::to_string(start_s);
        return identity;
    }
    const std::string cluster = variables("SLURM_CLUSTER_NAME");
    identity.cluster = name_part(cluster.empty() ? "slurm" : cluster, 40);
    const std::string array = variables("SLURM_ARRAY_JOB_ID");
    const std::string het = variables("SLURM_HET_JOB_ID");
    if (!array.empty()) {
        identity.job_id = array + "_" + variables("SLURM_ARRAY_TASK_ID");
    } else if (!het.empty()) {
        identity.job_id = het + "+" + variables("SLURM_HET_JOB_OFFSET");
    } else {
        identity.job_id = job;
    }
    identity.job_id = name_part(identity.job_id, 72);
    // Outside a step of srun's we run on the first node alone, whatever the job has; what trains on
    // the others is not measured here.
    identity.nodes = count_of(variables("SLURM_STEP_NUM_NODES"), 0);
    if (identity.nodes == 0) identity.nodes = count_of(variables("SLURM_JOB_NUM_NODES"), 1);
    identity.restarts = count_of(variables("SLURM_RESTART_COUNT"), 0);
    return identity;
}

}  // namespace epochcast
