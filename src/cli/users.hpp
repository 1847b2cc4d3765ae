// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Users by name or number.

#include <cstdint>
#include <string>

#include "core/result.hpp"

namespace epochcast {

// The uid of a user name, or of a decimal uid (which need not exist here). Error: usage.
Result<std::uint32_t> parse_user(const std::string& text);

}  // namespace epochcast
