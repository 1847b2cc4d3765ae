// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "job_submit/needs.hpp"

#include <algorithm>
#include <cctype>

namespace epochcast::slurm {

namespace {

// Slurm's fields say "not given" by their largest values but one, or 0.
uint32_t given(uint32_t value, uint32_t otherwise) {
    return value >= NO_VAL || value == 0 ? otherwise : value;
}
uint32_t given(uint16_t value, uint32_t otherwise) {
    return value >= NO_VAL16 || value == 0 ? otherwise : value;
}

uint64_t memory_per_node(uint64_t memory, uint32_t node_cpus) {
    if (memory >= NO_VAL64) return 0;
    return memory & MEM_PER_CPU ? (memory & ~MEM_PER_CPU) * node_cpus : memory;
}

}  // namespace

Needs needs_of(const job_desc_msg_t& job, uint32_t submit_uid) {
    Needs needs;
    needs.uid = job.user_id == NO_VAL ? submit_uid : job.user_id;
    needs.partitions = job.partition;
    needs.required_nodes = job.req_nodes;
    needs.excluded_nodes = job.exc_nodes;
    needs.features = job.features;
    needs.devices = job.tres_per_node;
    needs.job_devices = job.tres_per_job;
    needs.least_nodes = given(job.min_nodes, 1);
    needs.most_nodes = std::max(given(job.max_nodes, needs.least_nodes), needs.least_nodes);
    needs.cpus = given(job.min_cpus, 0);
    needs.node_cpus = std::max(given(job.pn_min_cpus, 1), given(job.cpus_per_task, 1));
    needs.memory_mib = memory_per_node(job.pn_min_memory, needs.node_cpus);
    return needs;
}

Needs needs_of(const job_record_t& job, const job_desc_msg_t& change) {
    Needs needs;
    const auto& details = *job.details;
    const auto changed = [](char* asked, char* before) { return asked ? asked : before; };
    needs.uid = job.user_id;
    needs.partitions = changed(change.partition, job.partition);
    needs.required_nodes = changed(change.req_nodes, details.req_nodes);
    needs.excluded_nodes = changed(change.exc_nodes, details.exc_nodes);
    needs.features = changed(change.features, details.features);
    needs.devices = changed(change.tres_per_node, job.tres_per_node);
    needs.job_devices = changed(change.tres_per_job, job.tres_per_job);
    needs.least_nodes = given(change.min_nodes, given(details.min_nodes, 1));
    needs.most_nodes =
        std::max(given(change.max_nodes, given(details.max_nodes, 1)), needs.least_nodes);
    needs.cpus = given(change.min_cpus, given(details.min_cpus, 0));
    needs.node_cpus = std::max(given(details.pn_min_cpus, 1), given(details.cpus_per_task, 1));
    needs.memory_mib = memory_per_node(
        change.pn_min_memory == NO_VAL64 ? details.pn_min_memory : change.pn_min_memory,
        needs.node_cpus);
    return needs;
}

uint32_t gpus_per_node(const char* tres_per_node) {
    const char* text = tres_per_node ? std::strstr(tres_per_node, "gpu") : nullptr;
    if (!text) return 0;
    const std::size_t length = std::strcspn(text, ",");
    const char* colon = text;
    for (std::size_t i = 0; i < length; ++i)
        if (text[i] == ':' || text[i] == '=') colon = text + i;
    const unsigned long count = std::strtoul(colon + 1, nullptr, 10);
    return count == 0 || count > UINT16_MAX ? 1 : static_cast<uint32_t>(count);
}

GpuNeed gpus_of_node(const Needs& needs) {
    GpuNeed need;
    const char* text = needs.devices ? std::strstr(needs.devices, "gpu") : nullptr;
    need.count = std::max(needs.option_gpus, gpus_per_node(needs.devices));
    if (!text && needs.job_devices) {
        text = std::strstr(needs.job_devices, "gpu");
        if (text) need.count = std::max(need.count, 1u);  // on some node, at least
    }
    // "gpu:a100:2", "gpu:a100=2", "gpu:a100"; a number alone is no type.
    if (text && text[3] == ':') {
        const char* type = text + 4;
        const std::size_t length = std::strcspn(type, ":=,");
        if (length > 0 && !std::isdigit(static_cast<unsigned char>(type[0])))
            need.type.assign(type, length);
        else if (type[length] == ':' || type[length] == '=')
            need.type.assign(type, length);  // "1g.10gb:2"
    }
    return need;
}

}  // namespace epochcast::slurm
