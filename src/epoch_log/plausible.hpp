// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Numbers that no epoch can have had. A forecast must never rest on them.

#include <optional>
#include <string>

#include "core/epoch_record.hpp"

namespace epochcast {

// Why the record cannot be true: "wall_s is -3". Nothing if it can be. Quantities that are absent
// are fine, except wall_s of unit_model_job; a loss may be anything, since trainings diverge.
std::optional<std::string> implausibility(const EpochRecord& record);

}  // namespace epochcast
