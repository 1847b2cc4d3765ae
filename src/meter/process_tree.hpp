// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Which processes descend from one: what a training program started is measured with it.

#include <filesystem>
#include <vector>

namespace epochcast {

// `root` (if it lives) and its descendants on this machine, at most 100 000, in no promised order.
// A process whose parents have all ended belongs to whoever adopted it. `proc` is the root of
// procfs, so tests can pass a folder.
std::vector<int> process_tree(int root, const std::filesystem::path& proc = "/proc");

}  // namespace epochcast
