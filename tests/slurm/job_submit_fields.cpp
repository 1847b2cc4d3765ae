// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Calls job_submit() and job_modify() of the built plugin with job descriptors that no client would
// send: every text missing, odd entries, hostile text. Run with Slurm's library preloaded, as
// slurmctld has it: job_submit_fields PLUGIN. A job without our options must come back byte for
// byte.

#include <dlfcn.h>
#include <slurm/slurm.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

// Of Slurm's library, which is preloaded and whose header is private.
void* (*slurm_xcalloc)(size_t, size_t, bool, bool, const char*, int, const char*) = nullptr;
char* (*slurm_xstrdup)(const char*) = nullptr;

int (*job_submit)(job_desc_msg_t*, uint32_t, char**) = nullptr;
int (*job_modify)(job_desc_msg_t*, void*, uint32_t, char**) = nullptr;
int failures = 0;

void check(const char* name, bool good) {
    std::printf("%s - %s\n", good ? "ok" : "not ok", name);
    failures += good ? 0 : 1;
}

job_desc_msg_t empty_job() {
    job_desc_msg_t job;
    std::memset(&job, 0, sizeof job);
    job.het_job_offset = NO_VAL;
    job.time_limit = NO_VAL;
    job.pn_min_memory = NO_VAL64;
    return job;
}

// A list of texts in Slurm's memory, as in slurmctld: the plugin frees and grows it.
char** slurm_list(const std::vector<std::string>& texts) {
    auto** list = static_cast<char**>(
        slurm_xcalloc(texts.size() + 1, sizeof(char*), true, false, __FILE__, __LINE__, ""));
    for (std::size_t i = 0; i < texts.size(); ++i) list[i] = slurm_xstrdup(texts[i].c_str());
    return list;
}

// The environment's entries that begin with prefix, joined.
std::string environment_of(const job_desc_msg_t& job, const std::string& prefix) {
    std::string found;
    for (uint32_t i = 0; job.environment && i < job.env_size; ++i)
        if (job.environment[i] && std::string(job.environment[i]).starts_with(prefix))
            found += std::string(job.environment[i]) + ";";
    return found;
}

// The entry of spank_job_env that begins with key, or "".
std::string spank_value(const job_desc_msg_t& job, const std::string& key) {
    for (uint32_t i = 0; i < job.spank_job_env_size; ++i)
        if (job.spank_job_env[i] && std::string(job.spank_job_env[i]).starts_with(key))
            return std::string(job.spank_job_env[i]).substr(key.size());
    return "";
}

void passes_untouched(const char* name, job_desc_msg_t job) {
    const job_desc_msg_t before = job;
    char* error = nullptr;
    const int rc = job_submit(&job, 1000, &error);
    check(name, rc == 0 && !error && std::memcmp(&job, &before, sizeof job) == 0);
}

void is_refused(const char* name, job_desc_msg_t job, const char* words) {
    const job_desc_msg_t before = job;
    char* error = nullptr;
    const int rc = job_submit(&job, 1000, &error);
    check(name,
          rc != 0 && error && std::strstr(error, words) &&
              std::memcmp(&job, &before, sizeof job) == 0);
    check("  also where nobody takes the message", job_submit(&job, 1000, nullptr) != 0);
}

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
            untouched &=
                job_submit(&job, 1000, nullptr) == 0 && std::memcmp(&job, &before, sizeof job) == 0;
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

void check_gpus() {
    job_desc_msg_t job = empty_job();
    char options[] = "epochcast:gpus=2-4";
    job.comment = options;
    check("GPUs are asked for where the user asks for none",
          job_submit(&job, 1000, nullptr) == 0 && job.tres_per_node &&
              std::string(job.tres_per_node) == "gres:gpu:2");
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
              std::string(job.tres_per_node) == "gres:craynetwork:1,gres:gpu:2");
}

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

void check_warning() {
    job_desc_msg_t job = empty_job();
    char script[] = "#!/bin/sh\nset -e\n#EPOCHCAST task=a\n";
    job.script = script;
    const job_desc_msg_t before = job;
    char* text = slurm_xstrdup("what another plugin said");
    check(
        "lines that stand too late: accepted, with a word about it",
        job_submit(&job, 1000, &text) == 0 && std::memcmp(&job, &before, sizeof job) == 0 &&
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
    check("  leave all as it was", std::memcmp(&change, &before, sizeof change) == 0);
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
    check_refused_later();
    check_normalised();
    check_inherited();
    check_components();
    check_gpus();
    check_warning();
    check_modify();
    return failures > 0 ? 1 : 0;
}
