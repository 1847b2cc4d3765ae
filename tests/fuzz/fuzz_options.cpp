// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// The options of a job in each form that they come in. The input is read as a script, as a comment,
// as a normalised entry, and as the value of each option.

#include <algorithm>

#include "core/option_sources.hpp"
#include "core/options.hpp"
#include "core/task.hpp"
#include "fuzz/fuzz.hpp"

using namespace epochcast;

namespace {

const Options before = [] {
    Options options;
    options.task = "before";
    return options;
}();

void check_message(const Error& error) {
    promise(error.kind == ErrorKind::usage, "bad options are usage errors");
    promise(!error.message.empty() && error.message.size() < 1000, "a message is one short line");
    promise(std::ranges::none_of(error.message,
                                 [](char c) { return static_cast<unsigned char>(c) < 0x20; }),
            "nothing in a message controls a terminal");
}

void check_options(const Options& options) {
    promise(options.task && parse_task_name(*options.task).ok(), "a task has a task's name");
    promise(!options.epochs || (*options.epochs >= 1 && *options.epochs <= max_epochs),
            "epochs are in their range");
    promise(!options.policy || *options.policy == "off" || parse_policy(*options.policy).ok(),
            "a policy is one or off");
    promise(
        !options.gpus || (options.gpus->least >= 1 && options.gpus->least <= options.gpus->most &&
                          options.gpus->most <= max_gpus),
        "a range of GPUs is one");
    promise(!options.deadline || options.deadline->seconds > 0, "a deadline is some time");
    promise(!options.budget || *options.budget > 0, "a budget is money");
    promise(!options.log || (options.log->size() <= max_log_bytes && options.log->front() == '/'),
            "a log has an absolute path");
}

// What is written for plugins is read back as it was.
void check_entries(const Options& options) {
    Options read_back;
    for (std::size_t row = 0; row < option_table().size(); ++row) {
        const std::string entry = job_entry(options, row);
        promise(entry.size() < 1100, "an entry fits the buffers of C");
        promise(entry.empty() || read_job_entry(read_back, entry).ok(), "an entry is well-formed");
    }
    promise(read_back == options, "entries keep every option");
}

// Runs read(Options&) twice: it must not touch what is set, and a refusal changes nothing.
template <class Read>
void check(Read read) {
    Options options = before;
    const auto result = read(options);
    if (!result) {
        check_message(result.error());
        promise(options == before, "a refusal changes nothing");
        return;
    }
    check_options(options);
    check_entries(options);
    promise(options.task == before.task, "what is set is kept");
    const Options once = options;
    promise(read(options).ok() && options == once, "reading twice changes nothing more");
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
    return {
        "#!/bin/bash\n#SBATCH --nodes=2\n#EPOCHCAST task=resnet50 epochs=90 policy=time\nsrun x\n",
        "#!/bin/sh\r\n#EPOCHCAST\ttask=a # remark\r\n\r\n#EPOCHCAST policy=cost=0.7,time=0.3\r\n",
        "#EPOCHCAST epochs=1000000000",
        "#EPOCHCAST task=\"my net\"\n#EPOCHCAST =\n",
        "epochcast:task=a;epochs=7;policy=cost=0.7,time=0.3",
        "epochcast: ; task=a/b@c ;",
        "epochcast:framework=jax;model=m:8b;batch=64;samples=60000;gpus=1-8;deadline=+1d12h",
        "#SBATCH hetjob\n#EPOCHCAST budget=12.5 placement=require log=/a/b\nx\n#EPOCHCAST task=b\n",
        "EPOCHCAST_JOB_DEADLINE=2026-08-07T18:00:00Z",
        "EPOCHCAST_JOB_LOG=/a b",
        "a comment of a user",
        "1000000000",
        "throughput"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const std::uint32_t component : {0u, 1u}) {
        check([&](Options& options) { return read_script(options, text, component); });
    }
    check([&](Options& options) { return read_job_entry(options, text); });
    check([&](Options& options) { return read_comment(options, text); });
    for (const OptionHelp& option : option_table()) {
        check([&](Options& options) { return set_option(options, option.name, text); });
    }
    check([&](Options& options) { return set_option(options, text, "1"); });
    return 0;
}
