// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The epoch log's header for a model job of epochcast-train.

#include <cstdint>

#include "agent/report.hpp"
#include "epoch_log/log.hpp"
#include "job/launch.hpp"

namespace epochcast::runtime {

// `start_ns`: start of the program, ns since 1970-01-01 UTC.
LogHeader log_header(const Plan& plan,
                     const JobIdentity& identity,
                     std::uint32_t uid,
                     std::uint64_t start_ns);

}  // namespace epochcast::runtime
