// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Single values attached to the root group of a file.

#include <string>

#include "core/result.hpp"
#include "h5/file.hpp"
#include "h5/type.hpp"

namespace epochcast::h5 {

// `value` points to type.bytes() bytes. Errors: environment.
Result<void> write_attribute(const File& file,
                             const std::string& name,
                             const Type& type,
                             const void* value);

bool has_attribute(const File& file, const std::string& name);

// Fills type.bytes() bytes. Errors: bad_input, if it is missing, unreadable, no single value, or
// not exactly of this type.
Result<void> read_attribute(const File& file,
                            const std::string& name,
                            const Type& type,
                            void* value);

}  // namespace epochcast::h5
