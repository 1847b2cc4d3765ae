// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/device_request.hpp"

#include <algorithm>
#include <limits>

#include "common/node_gpus.hpp"

namespace epochcast::slurm {

namespace {

constexpr uint64_t most_gpus = 4096;  // on a node; more is a mistake in a configuration

// The requests for GPUs in a job's list, one per type.
struct Requests {
    uint64_t per_node = 0;
    bool is_clear = true;  // every request says how many per node
    uint32_t count = 0;
    gres_job_state_t* last = nullptr;
    uint32_t least_nodes = 1;
};

int add_request(void* item, void* sum) {
    const auto& gres = *static_cast<const gres_state_t*>(item);
    auto& requests = *static_cast<Requests*>(sum);
    if (!is_gpu(gres)) return 0;
    auto* job = static_cast<gres_job_state_t*>(gres.gres_data);
    ++requests.count;
    requests.last = job;
    if (job->gres_per_node)
        requests.per_node += job->gres_per_node;
    else if (job->gres_per_job && job->gres_per_job % requests.least_nodes == 0)
        requests.per_node += job->gres_per_job / requests.least_nodes;
    else
        requests.is_clear = false;
    return 0;
}

Requests requests_of(const job_record_t& job) {
    Requests requests;
    requests.least_nodes = std::max<uint32_t>(1, job.details->min_nodes);
    const bool is_open =
        job.details->max_nodes != 0 && job.details->max_nodes != job.details->min_nodes;
    if (is_open) requests.least_nodes = std::numeric_limits<uint32_t>::max();
    if (job.gres_list_req) list_for_each(job.gres_list_req, add_request, &requests);
    return requests;
}

int is_per_job(void* item, void*) {
    const auto& gres = *static_cast<const gres_state_t*>(item);
    if (!is_gpu(gres)) return 0;
    const auto& request = *static_cast<const gres_job_state_t*>(gres.gres_data);
    return request.gres_per_job && !request.gres_per_node ? 1 : 0;
}

// Finds a request that the node cannot serve.
int is_beyond(void* item, void* node) {
    const auto& gres = *static_cast<const gres_state_t*>(item);
    if (!is_gpu(gres)) return 0;
    const auto& request = *static_cast<const gres_job_state_t*>(gres.gres_data);
    const uint64_t supply = count_gpus(*static_cast<const node_record_t*>(node), request.type_name);
    return supply < std::max<uint64_t>(1, request.gres_per_node) ? 1 : 0;
}

}  // namespace

uint32_t gpus_per_node(const job_record_t& job) {
    const Requests requests = requests_of(job);
    if (!requests.is_clear) return 0;
    return static_cast<uint32_t>(std::min(requests.per_node, most_gpus));
}

bool has_gpus_per_job(const job_record_t& job) {
    return job.gres_list_req && list_find_first(job.gres_list_req, is_per_job, nullptr);
}

bool set_gpus_per_node(job_record_t& job, uint32_t count) {
    const Requests requests = requests_of(job);
    if (requests.count != 1 || !requests.last->gres_per_node) return false;
    requests.last->gres_per_node = count;
    return true;
}

bool has_gpus_for(const node_record_t& node, const job_record_t& job) {
    if (!job.gres_list_req) return true;
    if (!node.gres_list) return requests_of(job).count == 0;
    return !list_find_first(job.gres_list_req, is_beyond, const_cast<node_record_t*>(&node));
}

}  // namespace epochcast::slurm
