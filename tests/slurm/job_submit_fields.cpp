// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Calls job_submit() and job_modify() of the built plugin with job descriptors that no client would
// send: every text missing, odd entries, hostile text. Run with Slurm's library preloaded, as
// slurmctld has it: job_submit_fields PLUGIN. A job without our options must come back byte for
// byte.

#include <dlfcn.h>

#include <cstdlib>

#include "job_submit_calls.hpp"

namespace {

void check_untouched() {
    job_desc_msg_t job = empty_job();
    passes_untouched("every field NULL", job);

    char path[] = "PATH=/bin";
    char* environment[] = {nullptr, path, nullptr};
    job.environment = environment;
    job.env_size = 3;
    job.spank_job_env = environment;
    job.spank_job_env_size = 3;
    passes_untouched("entries that are NULL", job);

    char odd_key[] = "EPOCHCAST_TRAIN_TASK";
    char no_value[] = "EPOCHCAST_TRAIN_TASK=";
    char near_miss[] = "EPOCHCAST_JOBS_TASK=x y";
    char* odd[] = {odd_key, no_value, near_miss};
    job.environment = odd;
    passes_untouched("a variable without = or value, or with another name", job);

    job = empty_job();
    job.env_size = 7;
    job.spank_job_env_size = 7;
    passes_untouched("a size without an array", job);

    std::string large(4'000'000, 'x');
    job = empty_job();
    job.script = large.data();
    passes_untouched("a script of 4 MB that is none", job);

    char comment[] = "\xff\xfe epochcast";
    char script[] = "";
    job.comment = comment;
    job.script = script;
    passes_untouched("an empty script and a comment of broken text", job);

    job = empty_job();
    job.het_job_offset = 3;
    passes_untouched("a later component whose first one nobody saw", job);
    check("no job at all", job_submit(nullptr, 1000, nullptr) == 0);
}

// Every text of a descriptor, one after the other, long and broken, in a job without and with
// options. None of them is ours to change.
void check_every_field() {
    char* job_desc_msg_t::*const fields[] = {
        &job_desc_msg_t::account,        &job_desc_msg_t::acctg_freq,
        &job_desc_msg_t::admin_comment,  &job_desc_msg_t::alloc_node,
        &job_desc_msg_t::array_inx,      &job_desc_msg_t::batch_features,
        &job_desc_msg_t::burst_buffer,   &job_desc_msg_t::clusters,
        &job_desc_msg_t::comment,        &job_desc_msg_t::container,
        &job_desc_msg_t::cpu_bind,       &job_desc_msg_t::cpus_per_tres,
        &job_desc_msg_t::dependency,     &job_desc_msg_t::extra,
        &job_desc_msg_t::exc_nodes,      &job_desc_msg_t::features,
        &job_desc_msg_t::job_id_str,     &job_desc_msg_t::licenses,
        &job_desc_msg_t::mail_user,      &job_desc_msg_t::mcs_label,
        &job_desc_msg_t::mem_bind,       &job_desc_msg_t::mem_per_tres,
        &job_desc_msg_t::name,           &job_desc_msg_t::network,
        &job_desc_msg_t::origin_cluster, &job_desc_msg_t::partition,
        &job_desc_msg_t::prefer,         &job_desc_msg_t::qos,
        &job_desc_msg_t::req_nodes,      &job_desc_msg_t::reservation,
        &job_desc_msg_t::script,         &job_desc_msg_t::std_err,
        &job_desc_msg_t::std_in,         &job_desc_msg_t::std_out,
        &job_desc_msg_t::submit_line,    &job_desc_msg_t::tres_bind,
        &job_desc_msg_t::tres_freq,      &job_desc_msg_t::tres_per_job,
        &job_desc_msg_t::tres_per_node,  &job_desc_msg_t::tres_per_socket,
        &job_desc_msg_t::tres_per_task,  &job_desc_msg_t::wckey,
        &job_desc_msg_t::work_dir,       &job_desc_msg_t::x11_magic_cookie};
    const std::string values[] = {"", "\xff\xfe[1-", std::string(5000, ','), "n[1-99999999]"};
    bool untouched = true;
    bool kept = true;
    for (const auto field : fields) {
        for (std::string value : values) {
            job_desc_msg_t job = empty_job();
            job.*field = value.data();
            const job_desc_msg_t before = job;
            untouched &= job_submit(&job, 1000, nullptr) == 0 && same_bytes(job, before);
            job.spank_job_env =
                slurm_list({"EPOCHCAST_TRAIN_TASK=cnn", "EPOCHCAST_TRAIN_EPOCHS=2"});
            job.spank_job_env_size = 2;
            const std::string copy = value;
            kept &= job_submit(&job, 1000, nullptr) == 0 && job.*field == value.data() &&
                    value == copy && job.spank_job_env_size == 4;
        }
    }
    check("hostile text in any field, without options", untouched);
    check("and with options", kept);
}

void check_refused() {
    job_desc_msg_t job = empty_job();
    char unknown[] = "EPOCHCAST_TRAIN_=x";
    char* environment[] = {unknown};
    job.environment = environment;
    job.env_size = 1;
    is_refused("a variable with an empty key", job, "epochcast: ");

    std::string long_key = "EPOCHCAST_TRAIN_" + std::string(5000, 'A') + "=x";
    environment[0] = long_key.data();
    is_refused("a variable with a key of 5 kB", job, "no option of epochcast");

    std::string control_key = "EPOCHCAST_TRAIN_\n\x1b[31m" + std::string(100, 'A') + "=x";
    environment[0] = control_key.data();
    is_refused("a key that would write into the log", job, "EPOCHCAST_TRAIN_??[31m");

    char control[] = "EPOCHCAST_TRAIN_TASK=a\nb\x1b[31m";
    environment[0] = control;
    is_refused("a value with control characters", job, "task name");

    char policy[] = "_SLURM_SPANK_OPTION_epochcast_train_policy=\xff\xff";
    environment[0] = policy;
    job.environment = nullptr;
    job.spank_job_env = environment;
    job.spank_job_env_size = 1;
    is_refused("an option with a value of broken text", job, "policy");
}

template <class Function>
void find(Function& function, void* library, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function) return;
    std::fprintf(stderr, "job_submit_fields: %s is missing\n", name);
    std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
    void* plugin = argc == 2 ? dlopen(argv[1], RTLD_LAZY) : nullptr;
    if (!plugin) {
        std::fprintf(stderr, "job_submit_fields PLUGIN: %s\n", argc == 2 ? dlerror() : "give one");
        return 2;
    }
    find(slurm_xcalloc, RTLD_DEFAULT, "slurm_xcalloc");
    find(slurm_xstrdup, RTLD_DEFAULT, "slurm_xstrdup");
    find(job_submit, plugin, "job_submit");
    find(job_modify, plugin, "job_modify");
    check_untouched();
    check_every_field();
    check_refused();
    check_options();
    return failures > 0 ? 1 : 0;
}
