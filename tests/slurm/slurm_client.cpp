// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "slurm_client.hpp"

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <sstream>
#include <vector>

// Named by slurm.h as what frees a will_run_response_msg_t, but not declared there.
extern "C" void slurm_free_will_run_response_msg(will_run_response_msg_t* response);

namespace slurm_client {

namespace {

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(2);
}

std::string text_or_empty(const char* text) { return text ? text : ""; }

std::uint32_t number(const std::string& text) {
    return static_cast<std::uint32_t>(std::strtoul(text.c_str(), nullptr, 10));
}

// A job descriptor and the texts that it points to, filled as sbatch fills it.
class Description {
  public:
    explicit Description(const std::string& job) {
        slurm_init_job_desc_msg(&desc_);
        std::istringstream words(job);
        for (std::string word; words >> word;) {
            const std::size_t equals = word.find('=');
            if (equals == word.npos) fail("job word '" + word + "' has no =");
            set(word.substr(0, equals), word.substr(equals + 1));
        }
        if (desc_.cpus_per_task != NO_VAL16 || desc_.num_tasks != NO_VAL)
            desc_.min_cpus = (desc_.num_tasks == NO_VAL ? 1 : desc_.num_tasks) *
                             (desc_.cpus_per_task == NO_VAL16 ? 1u : desc_.cpus_per_task);
        desc_.name = text("random");
        desc_.work_dir = text("/");
        desc_.user_id = getuid();
        desc_.group_id = getgid();
        environment_ = text("PATH=/usr/bin:/bin");
        desc_.environment = &environment_;
        desc_.env_size = 1;
    }
    Description(const Description&) = delete;
    Description& operator=(const Description&) = delete;

    void make_batch() {
        desc_.script = text("#!/bin/sh\nsleep 1\n");
        desc_.std_out = desc_.std_err = desc_.std_in = text("/dev/null");
    }
    job_desc_msg_t* operator->() { return &desc_; }
    job_desc_msg_t* get() { return &desc_; }

  private:
    char* text(const std::string& value) { return texts_.emplace_back(value).data(); }

    void set(const std::string& key, const std::string& value) {
        if (key == "nodes") {
            const std::size_t dash = value.find('-');
            desc_.min_nodes = number(value);
            desc_.max_nodes = dash == value.npos ? desc_.min_nodes : number(value.substr(dash + 1));
        } else if (key == "tasks") {
            desc_.num_tasks = number(value);
            desc_.bitflags |= JOB_NTASKS_SET;
        } else if (key == "cpus_per_task") {
            desc_.cpus_per_task = static_cast<std::uint16_t>(number(value));
            desc_.bitflags |= JOB_CPUS_SET;
        } else if (key == "tasks_per_node") {
            desc_.ntasks_per_node = static_cast<std::uint16_t>(number(value));
        } else if (key == "mem") {
            desc_.pn_min_memory = number(value);
        } else if (key == "mem_per_cpu") {
            desc_.pn_min_memory = number(value) | MEM_PER_CPU;
        } else if (key == "limit") {
            desc_.time_limit = number(value);
        } else if (key == "exclusive") {
            desc_.shared = JOB_SHARED_NONE;
        } else if (key == "contiguous") {
            desc_.contiguous = 1;
        } else if (char** target = text_field(key)) {
            const bool is_gres = target == &desc_.tres_per_node || target == &desc_.tres_per_job;
            *target = text((is_gres ? "gres:" : "") + value);
        } else {
            fail("job word '" + key + "' is not understood");
        }
    }

    char** text_field(const std::string& key) {
        if (key == "features") return &desc_.features;
        if (key == "nodelist") return &desc_.req_nodes;
        if (key == "exclude") return &desc_.exc_nodes;
        if (key == "reservation") return &desc_.reservation;
        if (key == "partition") return &desc_.partition;
        if (key == "comment") return &desc_.comment;
        if (key == "gres" || key == "gpus_per_node") return &desc_.tres_per_node;
        if (key == "gpus") return &desc_.tres_per_job;
        return nullptr;
    }

    job_desc_msg_t desc_;
    std::deque<std::string> texts_;
    char* environment_ = nullptr;
};

Answer refused(int error) { return {false, 0, "", slurm_strerror(error)}; }

std::string state_word(std::uint32_t state) {
    switch (state & JOB_STATE_BASE) {
        case JOB_PENDING:
            return "PENDING";
        case JOB_RUNNING:
            return "RUNNING";
        case JOB_CANCELLED:
            return "CANCELLED";
        default:
            return "state " + std::to_string(state);
    }
}

}  // namespace

std::string Answer::text() const {
    if (!accepted) return "refused (" + reason + ")";
    return nodes.empty() ? "-" : nodes;
}

void start() {
    std::signal(SIGPIPE, SIG_IGN);
    slurm_init(nullptr);
}

Answer will_run(const std::string& job) {
    Description description(job);
    will_run_response_msg_t* response = nullptr;
    if (slurm_job_will_run2(description.get(), &response) != SLURM_SUCCESS) return refused(errno);
    Answer answer{true, 0, text_or_empty(response->node_list), ""};
    slurm_free_will_run_response_msg(response);
    return answer;
}

Answer allocate_now(const std::string& job) {
    Description description(job);
    description->immediate = 1;
    resource_allocation_response_msg_t* response = nullptr;
    if (slurm_allocate_resources(description.get(), &response) != SLURM_SUCCESS || !response)
        return refused(errno);
    Answer answer{true, response->job_id, text_or_empty(response->node_list), ""};
    slurm_free_resource_allocation_response_msg(response);
    return answer;
}

Answer submit(const std::string& job, bool held) {
    Description description(job);
    description.make_batch();
    if (held) description->priority = 0;
    submit_response_msg_t* response = nullptr;
    if (slurm_submit_batch_job(description.get(), &response) != SLURM_SUCCESS)
        return refused(errno);
    Answer answer{true, response->job_id, "", ""};
    slurm_free_submit_response_response_msg(response);
    return answer;
}

void cancel(std::uint32_t job_id) {
    if (slurm_kill_job(job_id, SIGKILL, 0) != SLURM_SUCCESS && errno != ESLURM_ALREADY_DONE)
        fail("cannot cancel job " + std::to_string(job_id) + ": " + slurm_strerror(errno));
}

JobState state_of(std::uint32_t job_id) {
    job_info_msg_t* jobs = nullptr;
    if (slurm_load_job(&jobs, job_id, SHOW_ALL | SHOW_DETAIL) != SLURM_SUCCESS ||
        jobs->record_count == 0)
        fail("cannot ask for job " + std::to_string(job_id) + ": " + slurm_strerror(errno));
    const slurm_job_info_t& job = jobs->job_array[0];
    JobState state{state_word(job.job_state),
                   text_or_empty(job.nodes),
                   text_or_empty(job.sched_nodes),
                   job.start_time};
    slurm_free_job_info_msg(jobs);
    return state;
}

}  // namespace slurm_client
