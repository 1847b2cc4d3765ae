// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Which classes of nodes a job could ever run on: the nodes of its partitions, looked at one by one
// for what is simply known of them. States do not count: what is down today may be up tomorrow.

#include <cstdint>
#include <string>
#include <vector>

#include "decide/epochcast_decide.h"
#include "job_submit/needs.hpp"

namespace epochcast::slurm {

struct ClassNodes {
    uint32_t nodes = 0;    // in the job's partitions, with the GPUs that it asks for
    uint32_t fitting = 0;  // of these, with what the job asks of a node
    uint64_t fitting_cpus = 0;
};

class ClassSurvey {
  public:
    // Finds the job's partitions. Slurm's nodes and partitions must be locked for reading as long
    // as it lives.
    explicit ClassSurvey(const Needs& needs);

    // Looks at every node of the cluster; before that no class has any.
    void count(const epochcast_table_t* table, const Needs& needs);

    // Where the job is sent; empty: no such partition.
    const std::vector<std::string>& partitions() const { return partitions_; }
    const std::vector<ClassNodes>& classes() const { return classes_; }  // by class index

    // For epochcast_rank(): the classes with nodes there, or only as far as they fit.
    std::vector<epochcast_offer_t> all_offers() const;
    std::vector<epochcast_offer_t> fitting_offers() const;

    // The shortest time limit that the partitions allow, minutes.
    uint32_t max_time_min() const { return max_time_min_; }

  private:
    std::vector<part_record_t*> records_;
    std::vector<std::string> partitions_;
    std::vector<ClassNodes> classes_;
    uint32_t max_time_min_ = INFINITE;
};

// The nodes that a list such as "n[1-3],n7" names, by index; unknown names are left out.
std::vector<uint32_t> nodes_named(char* list);

// The cluster's nodes outside the class, as a list.
std::string nodes_outside(const epochcast_table_t* table, int32_t node_class);

}  // namespace epochcast::slurm
