// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A random cluster and random jobs for it, the same for the same seed on every machine. Jobs are
// text, "nodes=1-3 tasks=4 features=ib&big comment=...", so that a test can print the one that went
// wrong; slurm_client.hpp understands them. Most fit the cluster, some never can.

#include <cstdint>
#include <string>
#include <vector>

namespace random_jobs {

// SplitMix64: std::uniform_int_distribution differs between standard libraries.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    // A whole number from 0 to below - 1.
    std::uint32_t below(std::uint32_t below) { return static_cast<std::uint32_t>(next() % below); }
    std::uint32_t from_to(std::uint32_t from, std::uint32_t to) {
        return from + below(to - from + 1);
    }
    bool percent(std::uint32_t percent) { return below(100) < percent; }

  private:
    std::uint64_t state_;
};

struct NodeClass {
    std::string name;  // nodes are NAME1, NAME2, ...
    std::uint32_t nodes;
    std::uint32_t cpus;
    std::uint32_t memory_mb;
    std::uint32_t weight;
    std::vector<std::string> features;
    std::string gres;  // as in slurm.conf; empty: none
};

struct Cluster {
    explicit Cluster(std::uint64_t seed);

    // Lines of slurm.conf: nodes in State=CLOUD, partitions train (all, default) and half.
    std::string conf_lines() const;
    // Words for write_forecast: classes with prices, and tasks t0 to t9 with forecasts on some of
    // them.
    std::string forecast_words() const;
    // Names of the nodes that the reservation "rsv" shall hold.
    std::string reserved_nodes() const;

    // One job. asks: it names a task and a policy.
    std::string job(Random& random, bool asks) const;

    std::vector<NodeClass> classes;

  private:
    std::string node(Random& random) const;
    std::string size(Random& random) const;
    std::string constraints(Random& random) const;
    std::string gres(Random& random) const;
};

}  // namespace random_jobs
