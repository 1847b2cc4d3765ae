// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Slurm's private headers as C++, and every difference between Slurm versions that the plugins must
// know; nothing else in slurm-plugin/ asks for a version. 22.05.8 and 24.11.5 are tested against a
// live slurmctld (tests/run, tests/debian13); what is written for the others follows Slurm's source
// and is untested.

// C++ headers first: Slurm's own includes must not pull them into the extern "C" below.
#include <atomic>
#include <cinttypes>
#include <cmath>
#include <cstdbool>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern "C" {
#define operator slurm_operator_  // a field's name in extra_constraints.h from 23.11 on
#include "config.h"

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/slurm_version.h"
#include "src/common/bitstring.h"
#include "src/common/log.h"
#include "src/common/node_conf.h"
#include "src/common/read_config.h"
#include "src/common/run_in_daemon.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/slurmctld.h"
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include "src/interfaces/gres.h"
#include "src/interfaces/select.h"
#else
#include "src/common/gres.h"
#include "src/common/select.h"
#endif
#undef operator

// Data of slurmctld. Weak, because Slurm 22.05 loads select plugins into every program, and a
// missing datum, unlike a missing function, would fail the load.
extern __typeof__(slurm_conf) slurm_conf __attribute__((weak));
extern __typeof__(node_record_table_ptr) node_record_table_ptr __attribute__((weak));
extern __typeof__(node_record_count) node_record_count __attribute__((weak));
extern __typeof__(default_part_loc) default_part_loc __attribute__((weak));
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
extern __typeof__(power_node_bitmap) power_node_bitmap __attribute__((weak));
#endif

// Not in libslurm.so, which programs other than Slurm's own are linked with: a call of what is
// missing would end them.
extern __typeof__(running_in_slurmctld) running_in_slurmctld __attribute__((weak));
}

namespace epochcast::slurm {

inline bool in_slurmctld() { return running_in_slurmctld && running_in_slurmctld(); }

// Whether a node is shut down, so that it has to boot for a job. In 22.05 without a look at its
// record: there slurmctld itself goes by a bitmap.
class SleepingNodes {
  public:
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 2, 0)
    SleepingNodes() : bits_(&power_node_bitmap ? power_node_bitmap : nullptr) {
        const auto count = bits_ ? bit_set_count(bits_) : 0;
        all_ = bits_ && count == bit_size(bits_);
        if (count == 0) bits_ = nullptr;
    }
    static constexpr bool reads_records = false;
    bool has(const node_record_t*, uint32_t index) const {
        return all_ || (bits_ && bit_test(bits_, static_cast<bitoff_t>(index)));
    }

  private:
    bitstr_t* bits_;
    bool all_;
#else
    static constexpr bool reads_records = true;
    bool has(const node_record_t* node, uint32_t) const { return IS_NODE_POWERED_DOWN(node); }
#endif
};

using SlurmList = struct xlist;  // "List" or "list_t *" in Slurm's words

// Whether WILL_RUN takes a node's weight from node_record_t::weight (else from sched_weight, as
// RUN_NOW does in every version).
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
inline constexpr bool will_run_reads_weight = true;
#else
inline constexpr bool will_run_reads_weight = false;
#endif

// `scontrol reconfigure`: whether slurmctld reads slurm.conf again (else a new process takes over).
#define EPOCHCAST_RECONFIGURES_IN_PLACE (SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0))

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
using ExcludedCores = resv_exc_t;
#else
using ExcludedCores = bitstr_t;
#endif

// What a request for GPUs per node in tres_per_node begins with; their number follows.
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 11, 0)
inline constexpr const char* gpu_request = "gres/gpu:";
#else
inline constexpr const char* gpu_request = "gres:gpu:";
#endif

// The arguments of select_p_job_test() after `mode`, which differ between versions.
struct JobTestTail {
    SlurmList* preemptee_candidates;  // jobs that may be preempted for this one; null: none
    SlurmList** preemptee_jobs;       // out: those that must be
    ExcludedCores* excluded_cores;
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
    will_run_data_t* will_run;
#endif
};

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#define EPOCHCAST_JOB_TEST_TAIL                        \
    epochcast::slurm::SlurmList *preemptee_candidates, \
        epochcast::slurm::SlurmList **preemptee_jobs,  \
        epochcast::slurm::ExcludedCores *excluded_cores, will_run_data_t *will_run
#define EPOCHCAST_JOB_TEST_TAIL_VALUES \
    { preemptee_candidates, preemptee_jobs, excluded_cores, will_run }
using JobTestFunction = int (*)(job_record_t*,
                                bitstr_t*,
                                uint32_t,
                                uint32_t,
                                uint32_t,
                                uint16_t,
                                SlurmList*,
                                SlurmList**,
                                ExcludedCores*,
                                will_run_data_t*);
#else
#define EPOCHCAST_JOB_TEST_TAIL                        \
    epochcast::slurm::SlurmList *preemptee_candidates, \
        epochcast::slurm::SlurmList **preemptee_jobs,  \
        epochcast::slurm::ExcludedCores *excluded_cores
#define EPOCHCAST_JOB_TEST_TAIL_VALUES \
    { preemptee_candidates, preemptee_jobs, excluded_cores }
using JobTestFunction = int (*)(job_record_t*,
                                bitstr_t*,
                                uint32_t,
                                uint32_t,
                                uint32_t,
                                uint16_t,
                                SlurmList*,
                                SlurmList**,
                                ExcludedCores*);
#endif

// One call of select_p_job_test().
struct JobTest {
    job_record_t* job;
    bitstr_t* nodes;  // in: candidates; out: chosen
    uint32_t min_nodes;
    uint32_t max_nodes;
    uint32_t req_nodes;
    uint16_t mode;  // SELECT_MODE_* in the low byte, flags above
    JobTestTail tail;

    // Asks where and when it could start; else it is to start now, or only tried.
    bool is_will_run() const { return (mode & 0xff) == SELECT_MODE_WILL_RUN; }
};

inline int call(JobTestFunction function, const JobTest& test) {
    return function(test.job,
                    test.nodes,
                    test.min_nodes,
                    test.max_nodes,
                    test.req_nodes,
                    test.mode,
                    test.tail.preemptee_candidates,
                    test.tail.preemptee_jobs,
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
                    test.tail.excluded_cores,
                    test.tail.will_run);
#else
                    test.tail.excluded_cores);
#endif
}

}  // namespace epochcast::slurm

#include "common/slurm_layout.hpp"
