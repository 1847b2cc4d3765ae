// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/reader.hpp"

#include <utility>

#include "core/text.hpp"
#include "epoch_log/scan.hpp"

namespace epochcast {

Result<EpochLog> read_log(const std::filesystem::path& path) {
    Result<LogScan> scan = scan_log(path);
    if (!scan) {
        return scan.error();
    }
    const auto& problems = scan.value().problems;
    if (!problems.empty()) {
        const std::string more =
            problems.size() == 1 ? "" : " (and " + std::to_string(problems.size() - 1) + " more)";
        return Error{ErrorKind::bad_input,
                     epochcast::quoted(path.native(), 400) +
                         " is no valid epoch log: " + problems.front() + more};
    }
    return std::move(scan).value().log;
}

}  // namespace epochcast
