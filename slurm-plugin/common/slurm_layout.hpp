// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// The layout of Slurm's records that the plugins read and write in slurmctld's memory, as it was
// measured for each version on x86-64. A header tree that was configured otherwise than the Slurm
// that runs (a front-end build, other patches) compiles all the same, and would make us read the
// wrong bytes: here it does not compile. Included by slurm_version.hpp only.

#include <cstddef>

namespace epochcast::slurm {

// In bytes.
struct Layout {
    std::size_t job_size;
    std::size_t job_spank_env;    // offset of job_record_t::spank_job_env
    std::size_t node_weight_now;  // offset of node_record_t::sched_weight
    constexpr bool operator==(const Layout&) const = default;
};

// Nothing in it: this version was not measured.
constexpr Layout measured_layout(unsigned version) {
    if (version >= SLURM_VERSION_NUM(26, 11, 0)) return {};
    if (version >= SLURM_VERSION_NUM(26, 5, 0)) return {1288, 1000, 472};
    if (version >= SLURM_VERSION_NUM(25, 11, 0)) return {1208, 944, 488};
    if (version >= SLURM_VERSION_NUM(25, 5, 0)) return {1160, 904, 472};
    if (version >= SLURM_VERSION_NUM(24, 11, 4)) return {1160, 904, 440};
    if (version >= SLURM_VERSION_NUM(24, 11, 1)) return {1152, 896, 440};
    if (version >= SLURM_VERSION_NUM(24, 11, 0)) return {1144, 888, 440};
    if (version >= SLURM_VERSION_NUM(24, 5, 0)) return {1136, 880, 432};
    if (version >= SLURM_VERSION_NUM(23, 11, 0)) return {1120, 872, 432};
    if (version >= SLURM_VERSION_NUM(23, 2, 0)) return {1080, 832, 408};
    if (version >= SLURM_VERSION_NUM(22, 5, 0)) return {1048, 800, 376};
    return {};
}

#if defined(__x86_64__)
inline constexpr Layout layout = {sizeof(job_record_t),
                                  offsetof(job_record_t, spank_job_env),
                                  offsetof(node_record_t, sched_weight)};
static_assert(measured_layout(SLURM_VERSION_NUMBER) == Layout{} ||
                  measured_layout(SLURM_VERSION_NUMBER) == layout,
              "Slurm's headers have another layout than this version of Slurm: is "
              "EPOCHCAST_SLURM_SOURCE configured as the installed Slurm was?");
#endif

}  // namespace epochcast::slurm
