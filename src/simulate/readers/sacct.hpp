// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Reads the output of `sacct --parsable2` of one's own cluster and makes a trace of it. Rows are
// taken as hostile text: one that cannot be read is counted, named with its line, and left out.
// Steps (123.batch, 123.0) are left out too, and so are jobs that have not ended.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "simulate/trace.hpp"

namespace epochcast::simulate {

// How the lines are cut.
struct SacctFormat {
    std::string delimiter = "|";                // one character or several bytes
    std::map<std::string, std::size_t> fields;  // columns from 0; empty: the first line names them
};

// `fields` is "JobID=0,State=8,…", or the list that sacct's --format was given,
// "JobID,JobName%30,…", or empty for output with a header. Names are taken in any case. The fields
// that are used are JobID, State, Submit, Start and End, which must be there, and JobName, User,
// Partition, AllocCPUS, Timelimit, Elapsed and AllocTRES; others are allowed. Errors (usage): an
// empty delimiter, a field that is malformed, given twice, or missing.
Result<SacctFormat> sacct_format(std::string_view delimiter, std::string_view fields);

// The first field that must be there and is not; empty: none is missing.
std::string missing_sacct_field(const std::map<std::string, std::size_t>& fields);

struct SacctJob {
    std::string id;  // 5908801_3 for the third task of an array
    std::string name;
    std::string user;
    std::string partition;
    std::string state;    // COMPLETED, CANCELLED, …: the first word
    double submit_s = 0;  // since 1970
    double start_s = 0;
    double elapsed_s =
        0;               // > 0; Elapsed where there is such a column, which leaves out suspensions
    double limit_s = 0;  // 0: none
    std::uint32_t cpus = 0;
    std::uint32_t gpus = 0;
    std::string gpu_type;  // empty: not named
};

struct SacctRead {
    std::vector<SacctJob> jobs;  // those that ran and ended, in the order of the rows
    std::size_t rows = 0;        // jobs + steps + not_ended + never_ran + malformed
    std::size_t steps = 0;
    std::size_t not_ended = 0;
    std::size_t never_ran = 0;
    std::size_t malformed = 0;
    std::vector<std::string> complaints;  // of the first malformed rows: "line 7: …"
};

// Errors (bad_input): no row at all, a header without a field that must be there.
Result<SacctRead> read_sacct(std::string_view text, const SacctFormat& format);

// The classes that the jobs ran on, by name, with as many devices as were ever used at once: a type
// of GPU, else a partition's GPUs, else a partition's CPUs. Prices are 0.
std::vector<DeviceClass> sacct_classes(const SacctRead& read);

// Whether jobs may run on classes where nothing like them ever ran.
struct Elsewhere {
    bool is_allowed = false;
    std::map<std::string, double> speed;  // of a device of a class, > 0; 1 where absent
};

// The jobs as a trace of GPUs, or of CPUs for jobs without GPUs. Task: user and job name. A step of
// work is a second on the class where the job ran. It also fits where jobs of the same task and
// number of devices completed, at the ratio of their median times; elsewhere only if that is
// allowed, at the ratio of the speeds, and on classes of its own kind: GPUs or CPUs (a class on
// which no job ran is of GPUs if any job had some). Jobs that no class has enough devices for are
// left out.
Trace sacct_trace(const SacctRead& read,
                  std::vector<DeviceClass> classes,
                  const Elsewhere& elsewhere);
Trace sacct_trace(const SacctRead& read);  // on its own classes, not elsewhere

// What really became of the trace's jobs, as far as sacct says it; `trace` is made of `read`.
RunResult sacct_recorded(const SacctRead& read, const Trace& trace);

}  // namespace epochcast::simulate
