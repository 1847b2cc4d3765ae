// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// What job_submit() makes of jobs with options where there are no forecasts: entries for the shim
// and the task, requests to Slurm, refusals, warnings.

#include "job_submit_calls.hpp"

namespace {

void check_refused_later() {
    job_desc_msg_t job = empty_job();
    char past[] = "epochcast:task=a;deadline=2020-01-01T00:00:00Z";
    job.comment = past;
    is_refused("a deadline that has passed", job, "the deadline has passed");
    char require[] = "epochcast:task=a;policy=time;placement=require";
    job.comment = require;
    is_refused("placement=require without forecasts", job, "there are no forecasts");
    char soon[] = "epochcast:task=a;deadline=+1h";
    job.comment = soon;
    check("a deadline from submission becomes a moment",
          job_submit(&job, 1000, nullptr) == 0 &&
              spank_value(job, "EPOCHCAST_JOB_DEADLINE=").ends_with("Z"));
}

void check_normalised() {
    job_desc_msg_t job = empty_job();
    char script[] = "#!/bin/sh\n#EPOCHCAST task=cnn epochs=4 policy=time\ntrue\n";
    job.script = script;
    job.environment = slurm_list({"PATH=/bin", "EPOCHCAST_TRAIN_POLICY=cost"});
    job.env_size = 2;
    job.spank_job_env_size = 7;  // of an array that is not there
    char* error = nullptr;
    check("options are accepted", job_submit(&job, 1000, &error) == 0 && !error);
    check("task", spank_value(job, "EPOCHCAST_JOB_TASK=") == "cnn");
    check("policy: the variable wins", spank_value(job, "EPOCHCAST_JOB_POLICY=") == "cost");
    check("epochs", spank_value(job, "EPOCHCAST_JOB_EPOCHS=") == "4");
    check("three entries, ended by null",
          job.spank_job_env_size == 3 && job.spank_job_env[3] == nullptr);
    check("the task will see them",
          environment_of(job, "EPOCHCAST_JOB_") ==
              "EPOCHCAST_JOB_TASK=cnn;EPOCHCAST_JOB_EPOCHS=4;EPOCHCAST_JOB_POLICY=cost;");
    check("a second time: the same",
          job_submit(&job, 1000, &error) == 0 && job.spank_job_env_size == 3 && job.env_size == 5 &&
              job.environment[5] == nullptr);
    check("script and comment are as they were",
          job.script == script && !job.comment && !job.admin_comment);
    check("nothing else is asked of Slurm",
          !job.exc_nodes && !job.tres_per_node && job.time_limit == NO_VAL);
}

// A job that is submitted from inside another one, and one that comes back without its script.
void check_inherited() {
    job_desc_msg_t job = empty_job();
    job.environment = slurm_list({"EPOCHCAST_JOB_TASK=cnn", "PATH=/bin", "EPOCHCAST_JOB_EPOCHS=x"});
    job.env_size = 3;
    job.spank_job_env =
        slurm_list({"EPOCHCAST_JOB_POLICY=time", "EPOCHCAST_OWN_EXCLUDED=n1", "A=b"});
    job.spank_job_env_size = 3;
    check("options of the outer job are not inherited",
          job_submit(&job, 1000, nullptr) == 0 && job.env_size == 1 &&
              std::string(job.environment[0]) == "PATH=/bin" && !job.environment[1] &&
              job.spank_job_env_size == 1 && std::string(job.spank_job_env[0]) == "A=b" &&
              !job.spank_job_env[1]);

    job = empty_job();
    job.spank_job_env = slurm_list({"_SLURM_SPANK_OPTION_epochcast_train_task=cnn",
                                    "EPOCHCAST_JOB_TASK=cnn",
                                    "EPOCHCAST_JOB_LOG=x"});
    job.spank_job_env_size = 3;
    check("a descriptor made of a job's record: its options once more",
          job_submit(&job, 1000, nullptr) == 0 && job.spank_job_env_size == 2 &&
              spank_value(job, "EPOCHCAST_JOB_TASK=") == "cnn");
}

void check_components() {
    char script[] =
        "#!/bin/sh\n#EPOCHCAST task=a\n#SBATCH hetjob\n#EPOCHCAST task=b\n#SBATCH hetjob\n"
        "#EPOCHCAST task=c\n";
    std::string tasks;
    for (const uint32_t uid : {1000u, 1000u, 1001u}) {
        for (uint32_t component = 0; component < 3; ++component) {
            job_desc_msg_t job = empty_job();
            job.user_id = component == 2 ? uid : 1000;
            job.het_job_offset = component;
            if (component == 0) job.script = script;
            check("a component is accepted", job_submit(&job, 1000, nullptr) == 0);
            tasks += spank_value(job, "EPOCHCAST_JOB_TASK=") + ";";
        }
    }
    check("each component has its lines, and nobody another user's", tasks == "a;b;c;a;b;c;a;b;;");
}

// "gres/gpu:2", as Slurm writes it from 23.02 on, as "gres:gpu:2".
std::string with_colons(std::string request) {
    for (char& letter : request)
        if (letter == '/') letter = ':';
    return request;
}

void check_gpus() {
    job_desc_msg_t job = empty_job();
    char options[] = "epochcast:gpus=2-4";
    job.comment = options;
    check("GPUs are asked for where the user asks for none",
          job_submit(&job, 1000, nullptr) == 0 && job.tres_per_node &&
              with_colons(job.tres_per_node) == "gres:gpu:2");
    char* job_desc_msg_t::*const fields[] = {&job_desc_msg_t::tres_per_job,
                                             &job_desc_msg_t::tres_per_node,
                                             &job_desc_msg_t::tres_per_socket,
                                             &job_desc_msg_t::tres_per_task};
    for (const auto field : fields) {
        char own[] = "gres:gpu:a100:1";
        job = empty_job();
        job.comment = options;
        job.*field = own;
        is_refused("GPUs that are asked for twice", job, "twice, by gpus=2 (--train-gpus)");
    }
    job = empty_job();
    job.comment = options;
    job.tres_per_node = slurm_xstrdup("gres:craynetwork:1");
    check("other resources stay",
          job_submit(&job, 1000, nullptr) == 0 &&
              with_colons(job.tres_per_node) == "gres:craynetwork:1,gres:gpu:2");
}

void check_warning() {
    job_desc_msg_t job = empty_job();
    char script[] = "#!/bin/sh\nset -e\n#EPOCHCAST task=a\n";
    job.script = script;
    const job_desc_msg_t before = job;
    char* text = slurm_xstrdup("what another plugin said");
    check(
        "lines that stand too late: accepted, with a word about it",
        job_submit(&job, 1000, &text) == 0 && same_bytes(job, before) &&
            std::string(text).starts_with("what another plugin said\nepochcast: 1 #EPOCHCAST line "
                                          "ignored after line 2"));
}

void check_modify() {
    job_desc_msg_t change = empty_job();
    char comment[] = "epochcast:policy=best";
    change.comment = comment;
    const job_desc_msg_t before = change;
    check("a change of no job", job_modify(&change, nullptr, 1000, nullptr) == 0);
    check("no change of no job", job_modify(nullptr, nullptr, 1000, nullptr) == 0);
    check("  leave all as it was", same_bytes(change, before));
}
}  // namespace

void check_options() {
    check_refused_later();
    check_normalised();
    check_inherited();
    check_components();
    check_gpus();
    check_warning();
    check_modify();
}
