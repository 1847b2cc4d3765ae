// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Where a job's options stand in text: `#EPOCHCAST` lines of a batch script, the comment of a job,
// and the entries EPOCHCAST_JOB_<OPTION>=value that job_submit makes of them all. Sources are read
// in order of precedence; an option that is already set is kept.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/options.hpp"
#include "core/result.hpp"

namespace epochcast {

// What the writer of a script may not have meant.
struct ScriptNotes {
    std::size_t late_lines = 0;    // lines that sbatch would not read either
    std::size_t command_line = 0;  // number of the script's first command
    std::string repeated;          // an option that is given more than once; empty: none
};

// Reads the `#EPOCHCAST key=value ...` lines of a batch script, where sbatch would read #SBATCH
// lines: up to the first line that is neither empty nor a comment; of a heterogeneous job those of
// one component, which `#SBATCH hetjob` lines part. Within the script the last one of a repeated
// key wins. Errors name the line number. A script without such lines changes nothing. Late
// lines are told of up to a here-document, which may hold another script.
Result<ScriptNotes> read_script(Options& options,
                                std::string_view script,
                                std::uint32_t component = 0);

// Reads "epochcast:key=value;key=value" from a job's comment; a comment without that prefix changes
// nothing.
Result<void> read_comment(Options& options, std::string_view comment);

// What the names of a job's normalised entries begin with; the option in capitals follows.
inline constexpr std::string_view job_entry_prefix = "EPOCHCAST_JOB_";

// "EPOCHCAST_JOB_TASK=cnn"; row: of option_table(). Empty if the option is not given.
std::string job_entry(const Options& options, std::size_t row);

// Reads one entry. True: it is one of a job's options; other entries change nothing, those of
// options that we do not know included, which a newer version may have written. Malformed value: a
// usage error.
Result<bool> read_job_entry(Options& options, std::string_view entry);

}  // namespace epochcast
