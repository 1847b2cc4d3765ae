// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/reference/pollux_policies.hpp"

#include <algorithm>

namespace epochcast::simulate {

namespace {

constexpr double queue_threshold_s = 16 * 3600;  // device-seconds in Tiresias's first queue

// Idle devices of each node, less those that `allocation` holds.
std::vector<std::uint32_t> idle_devices(const PolluxCluster& cluster,
                                        const PolluxAllocation& allocation) {
    std::vector<std::uint32_t> idle(cluster.nodes, cluster.devices_per_node);
    for (const auto& [job, nodes] : allocation) {
        for (const std::uint32_t node : nodes) --idle[node];
    }
    return idle;
}

// Devices from the emptiest nodes first, the lowest number among equals. There are enough.
std::vector<std::uint32_t> take(std::vector<std::uint32_t>& idle, std::uint32_t replicas) {
    std::vector<std::uint32_t> nodes;
    while (nodes.size() < replicas) {
        const auto emptiest = std::ranges::max_element(idle);
        const auto left = replicas - static_cast<std::uint32_t>(nodes.size());
        const std::uint32_t count = std::min(*emptiest, left);
        nodes.insert(nodes.end(), count, static_cast<std::uint32_t>(emptiest - idle.begin()));
        *emptiest -= count;
    }
    return nodes;
}

// Devices for the jobs of `order` that have none yet; wanted[job] of them, which may be 0.
void place(const std::vector<std::uint32_t>& order,
           const std::map<std::uint32_t, std::uint32_t>& wanted,
           const PolluxCluster& cluster,
           PolluxAllocation& allocation) {
    std::vector<std::uint32_t> idle = idle_devices(cluster, allocation);
    for (const std::uint32_t job : order) {
        const std::uint32_t replicas = wanted.at(job);
        if (replicas == 0 || !allocation[job].empty()) continue;
        allocation[job] = take(idle, replicas);
    }
}

}  // namespace

std::uint32_t Optimus::most_replicas(const PolluxView& view) const {
    // Pollux's simulator never gives ncf more than one device.
    if (view.asked->application == "ncf") return 1;
    return static_cast<std::uint32_t>(view.asked->batch / view.profile->smallest_local_batch());
}

// On full nodes and the rest on one more.
double Optimus::step_s(const PolluxView& view, std::uint32_t replicas) {
    const auto [found, is_new] = step_s_.try_emplace({view.job, replicas}, 0.0);
    if (!is_new) return found->second;
    std::vector<std::uint32_t> placement;
    for (std::uint32_t left = replicas; left > 0; left -= placement.back()) {
        placement.push_back(std::min(left, cluster_.devices_per_node));
    }
    const BatchCut cut = cut_batch(*view.profile, view.asked->batch, replicas, true);
    return found->second = whole_step_s(*view.profile, placement, cut);
}

double Optimus::gain(const PolluxView& view, std::uint32_t replicas, std::uint32_t idle) {
    if (replicas + 1 > most_replicas(view) || idle < 1) return 0;
    const std::size_t last = view.profile->epochs() - 1;
    const auto batch = static_cast<double>(view.asked->batch);
    const double left = last <= view.epoch ? 1
                                           : view.profile->steps(batch, last) -
                                                 view.profile->steps(batch, view.epoch);
    return (step_s(view, replicas) - step_s(view, replicas + 1)) * left;
}

std::map<std::uint32_t, std::uint32_t> Optimus::share_out(const std::vector<PolluxView>& live) {
    std::map<std::uint32_t, std::uint32_t> replicas;
    std::vector<double> gains;
    std::uint32_t idle = cluster_.nodes * cluster_.devices_per_node;
    for (const PolluxView& view : live) {
        replicas[view.job] = idle > 0 ? 1 : 0;
        idle -= replicas[view.job];
        gains.push_back(replicas[view.job] == 0 ? 0 : gain(view, 1, idle));
    }
    while (idle > 0) {
        const auto best = std::ranges::max_element(gains);
        if (*best <= 0) break;
        const PolluxView& view = live[static_cast<std::size_t>(best - gains.begin())];
        ++replicas[view.job];
        // The device is counted as idle until the gain of the next one is known, as in the
        // original.
        *best = gain(view, replicas[view.job], idle);
        --idle;
    }
    return replicas;
}

PolluxAllocation Optimus::decide(double,
                                 const std::vector<PolluxView>& live,
                                 const PolluxAllocation& before) {
    const auto replicas = share_out(live);
    PolluxAllocation allocation;
    std::vector<std::uint32_t> order;
    for (const PolluxView& view : live) {
        order.push_back(view.job);
        const auto held = before.find(view.job);
        if (held != before.end() && held->second.size() == replicas.at(view.job)) {
            allocation[view.job] = held->second;
        }
    }
    std::ranges::stable_sort(order, {}, [&](std::uint32_t job) { return replicas.at(job); });
    place(order, replicas, cluster_, allocation);
    return allocation;
}

void Tiresias::queue_up(double now_s, const std::vector<PolluxView>& live) {
    const auto is_gone = [&](std::uint32_t job) {
        return std::ranges::find(live, job, &PolluxView::job) == live.end();
    };
    std::erase_if(first_, is_gone);
    std::erase_if(second_, is_gone);
    for (const PolluxView& view : live) {
        const auto [account, is_new] = accounts_.try_emplace(view.job);
        if (is_new) first_.push_back(view.job);
        if (account->second.is_running) account->second.ran_s += now_s - account->second.checked_s;
        account->second.checked_s = now_s;
        const bool is_demoted = account->second.is_running &&
                                account->second.ran_s * view.asked->replicas >= queue_threshold_s;
        if (is_demoted && std::erase(first_, view.job) > 0) second_.push_back(view.job);
    }
}

PolluxAllocation Tiresias::decide(double now_s,
                                  const std::vector<PolluxView>& live,
                                  const PolluxAllocation& before) {
    queue_up(now_s, live);
    std::vector<std::uint32_t> order = first_;
    order.insert(order.end(), second_.begin(), second_.end());
    std::map<std::uint32_t, std::uint32_t> wanted;
    for (const PolluxView& view : live) wanted[view.job] = view.asked->replicas;
    PolluxAllocation allocation = before;
    std::uint32_t idle = cluster_.nodes * cluster_.devices_per_node;
    for (const std::uint32_t job : order) {
        accounts_[job].is_running = wanted[job] <= idle;
        if (accounts_[job].is_running) {
            idle -= wanted[job];
        } else {
            allocation.erase(job);
            wanted[job] = 0;
        }
    }
    place(order, wanted, cluster_, allocation);
    return allocation;
}

}  // namespace epochcast::simulate
