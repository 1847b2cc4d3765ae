// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A job to rank in tests: so many nodes, no devices, no limits.

#include "core/epoch_record.hpp"
#include "decide/epochcast_decide.h"

namespace epochcast {

inline epochcast_job_t sample_job(const char* task,
                                  const char* policy,
                                  std::uint32_t uid,
                                  std::uint64_t epochs,
                                  std::uint32_t nodes) {
    return {task, policy, uid, epochs, nodes, nodes, 0, 0, absent, absent};
}

// A class of which the job could have any number of nodes and devices, at once.
inline constexpr epochcast_offer_t sample_offer{UINT32_MAX, UINT32_MAX, 0};

}  // namespace epochcast
