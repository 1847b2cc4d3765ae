// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Traces: sacct output with and without a header, Gavel's and Pollux's tables. The first byte says
// which reader; what it reads is a trace in which each job fits somewhere.

#include <algorithm>
#include <cmath>

#include "fuzz/fuzz.hpp"
#include "simulate/readers/gavel.hpp"
#include "simulate/readers/pollux.hpp"
#include "simulate/readers/sacct.hpp"

using namespace epochcast;
using namespace epochcast::simulate;

namespace {

void check_error(const Error& error) {
    promise(error.kind != ErrorKind::environment, "bad text is bad input or usage");
    promise(error.message.size() < 1000, "messages are short");
}

void check_trace(const Trace& trace) {
    for (const TraceJob& job : trace.jobs) {
        promise(std::isfinite(job.arrival_s) && job.arrival_s >= 0, "arrivals are finite");
        promise(job.steps > 0 && std::isfinite(job.steps), "each job has work");
        promise(job.steps_per_s.size() == trace.classes.size(), "a rate for each class");
        bool fits = false;
        for (std::size_t c = 0; c < trace.classes.size(); ++c) {
            fits |= job.steps_per_s[c] > 0 && job.devices <= trace.classes[c].devices;
        }
        promise(fits, "each job fits somewhere");
    }
    promise(std::ranges::is_sorted(trace.jobs, {}, &TraceJob::arrival_s), "sorted by arrival");
}

void read_as_sacct(std::string_view text, std::string_view delimiter, std::string_view fields) {
    const auto format = sacct_format(delimiter, fields);
    if (!format) return check_error(format.error());
    const auto read = read_sacct(text, format.value());
    if (!read) return check_error(read.error());
    const SacctRead& rows = read.value();
    promise(rows.rows ==
                rows.jobs.size() + rows.steps + rows.not_ended + rows.never_ran + rows.malformed,
            "each row is counted once");
    promise(rows.complaints.size() == std::min<std::size_t>(rows.malformed, 20),
            "malformed rows are named");
    for (const std::string& complaint : rows.complaints) {
        promise(complaint.size() < 1000, "complaints are short");
    }
    check_trace(sacct_trace(rows));
    const Trace anywhere = sacct_trace(rows, sacct_classes(rows), {true, {{"a100", 2}}});
    check_trace(anywhere);
    promise(sacct_recorded(rows, anywhere).jobs.size() == anywhere.jobs.size(),
            "what was recorded is of the same jobs");
}

void read_as_gavel(std::string_view text) {
    const std::size_t middle = std::min(text.find("\n\n"), text.size());
    const auto throughputs = GavelThroughputs::read(text.substr(0, middle), GavelRates::physical);
    if (!throughputs) return check_error(throughputs.error());
    const auto trace =
        read_gavel_trace(text.substr(middle), throughputs.value(), gavel_physical_cluster());
    if (!trace) return check_error(trace.error());
    check_trace(trace.value());
}

void read_as_pollux(std::string_view text) {
    const auto workload = read_pollux_workload(text);
    if (!workload) check_error(workload.error());
    const std::size_t middle = std::min(text.find("\n\n"), text.size());
    const std::string_view rest = text.substr(middle);
    const std::size_t end = std::min(rest.find("\n\n", 1), rest.size());
    PolluxTexts texts{text.substr(0, middle),
                      "num_nodes,num_replicas,local_bsz,step_time,sync_time\n6,6,8,1,0.5\n",
                      {{64, rest.substr(0, end)}, {128, rest.substr(end)}}};
    const auto profile = PolluxProfile::read(texts, 1, 0);
    if (!profile) return check_error(profile.error());
    for (const double batch : {1.0, 100.0, 1e9}) {
        static_cast<void>(profile.value().steps(batch, 0));
        static_cast<void>(profile.value().gain(batch, 0));
        static_cast<void>(profile.value().step_time({2, 1, 4}, batch));
        static_cast<void>(profile.value().step_time({1, 1, 1, 1, 2}, batch));
    }
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
    return {
        "0JobID|JobName|User|Partition|AllocCPUS|State|Submit|Start|End|Timelimit|Elapsed|"
        "AllocTRES\n"
        "12|train|u1|gpu|8|COMPLETED|2024-04-04T19:29:45|2024-04-04T21:45:17|2024-04-05T13:13:39|"
        "1-23:59:00|15:28:22|billing=8,cpu=8,gres/gpu:v100=1,gres/gpu=1,mem=10G,node=1\n"
        "12.batch|batch|||8|COMPLETED|2024-04-04T21:45:17|2024-04-04T21:45:17|"
        "2024-04-05T13:13:39||15:28:22|cpu=8\n"
        "13_4|train|u1|cpu|64|CANCELLED by 1000|2024-04-04T19:29:45|None|2024-04-05T13:13:39|"
        "UNLIMITED|00:00:00|\n"
        "14|train|u2|cpu|64|RUNNING|2024-04-04T19:29:45|2024-04-04T19:29:45|Unknown|"
        "Partition_Limit|00:00:10|cpu=64\n",
        "15908801_3\xE2\x98\x83"
        "COMPLETED\xE2\x98\x83"
        "2023-11-02T13:47:11\xE2\x98\x83"
        "2023-11-02T21:16:50\xE2\x98\x83"
        "2023-11-04T01:54:16\n",
        "2gpu_type,consolidated,model,batch_size,scale_factor,steps_per_s_physical\n"
        "v100,1,ResNet-18,128,1,20.5\nk80,1,A3C,,1,3\n\n"
        "job_id,arrival_s,model,batch_size,scale_factor,total_steps,priority_weight\n"
        "0,0,ResNet-18,128,1,925982,1\n1,5.5,A3C,,1,100,1\n",
        "3name,time,application,num_replicas,batch_size\ncifar10-0,53,cifar10,6,2048\n",
        "3placement,local_bsz,step_time,sync_time\n1,32,0.04,0.0005\n1,64,0.06,0.0005\n"
        "44,32,0.1,0.05\n\nprogress,iteration,grad_sqr,grad_var\n391.1,172,8.9,6.7\n\n"
        "progress,iteration,grad_sqr,grad_var\n392.1,120,8.1,6.1\n",
        "4JobID=0,State=1,Submit=2,Start=3,End=4\n1|COMPLETED|2024-01-01T00:00:00|"
        "2024-01-01T00:00:00|2024-01-01T00:01:00\n"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0]) {
        case '0':
            read_as_sacct(text, "|", "");
            break;
        case '1':
            read_as_sacct(text, "\xE2\x98\x83", "JobID=0,State=1,Submit=2,Start=3,End=4");
            break;
        case '2':
            read_as_gavel(text);
            break;
        case '3':
            read_as_pollux(text);
            break;
        default: {
            const std::size_t end = std::min(text.find('\n'), text.size());
            read_as_sacct(text.substr(end), "|", text.substr(0, end));
        }
    }
    return 0;
}
