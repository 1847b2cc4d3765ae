// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Whether a job should have more or could do with less (C6, C8): utilities of the same job at two
// sizes of its placement, compared for what is left of it.

#include <cstdint>
#include <optional>

#include "core/placement/ranking.hpp"
#include "core/utility/limits.hpp"
#include "core/utility/policy.hpp"

namespace epochcast {

// What `other` is worth more than `now` to the policy, for epochs_left whole epochs: the utility of
// one node or device more (or less) is this with a candidate that has one more (or less). Nothing
// if either has no utility.
std::optional<double> marginal_utility(const Policy& policy,
                                       std::uint64_t epochs_left,
                                       const Candidate& now,
                                       const Candidate& other);

// C8: true if the larger placement has a higher utility and keeps the limits at least as well.
bool may_grow(const Policy& policy,
              std::uint64_t epochs_left,
              const Candidate& now,
              const Candidate& larger,
              const Limits& limits);

// C6: true if the job can go on with the smaller placement: it fits the memory there, its run time
// is known, and the limits hold still. A job whose limits are exceeded already gives nothing back.
bool may_give_back(std::uint64_t epochs_left, const Candidate& smaller, const Limits& limits);

}  // namespace epochcast
