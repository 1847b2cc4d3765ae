// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Optimus (Peng et al., EuroSys 2018) and Tiresias (Gu et al., NSDI 2019) as Pollux's simulator has
// them, with the tuned batch of each job.

#include <cstdint>
#include <map>
#include <vector>

#include "simulate/reference/pollux_cluster.hpp"

namespace epochcast::simulate {

// One device for each job first, then one more at a time to the job whose remaining time drops
// most. Steps that are left and their times are exact.
class Optimus : public PolluxPolicy {
  public:
    explicit Optimus(const PolluxCluster& cluster) : cluster_(cluster) {}
    PolluxAllocation decide(double now_s,
                            const std::vector<PolluxView>& live,
                            const PolluxAllocation& before) override;

  private:
    std::uint32_t most_replicas(const PolluxView& view) const;
    double step_s(const PolluxView& view, std::uint32_t replicas);
    double gain(const PolluxView& view, std::uint32_t replicas, std::uint32_t idle);
    std::map<std::uint32_t, std::uint32_t> share_out(const std::vector<PolluxView>& live);

    PolluxCluster cluster_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> step_s_;  // by job, replicas
};

// Least attained service in two queues: a job that has held its devices for 16 device-hours goes to
// the second. Each job runs on the devices it asks for or not at all.
class Tiresias : public PolluxPolicy {
  public:
    explicit Tiresias(const PolluxCluster& cluster) : cluster_(cluster) {}
    PolluxAllocation decide(double now_s,
                            const std::vector<PolluxView>& live,
                            const PolluxAllocation& before) override;

  private:
    struct Account {
        bool is_running = false;
        double checked_s = 0;  // when it was last looked at
        double ran_s = 0;
    };

    void queue_up(double now_s, const std::vector<PolluxView>& live);

    PolluxCluster cluster_;
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> second_;
    std::map<std::uint32_t, Account> accounts_;
};

}  // namespace epochcast::simulate
