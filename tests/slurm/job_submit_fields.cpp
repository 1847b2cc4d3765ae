// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Calls job_submit() of the built plugin with job descriptors that no client would send: every text
// missing, odd entries, hostile text. Run with Slurm's library preloaded, as slurmctld has it:
// job_submit_fields PLUGIN. A job without our options must come back byte for byte.

#include <dlfcn.h>
#include <slurm/slurm.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

int (*job_submit)(job_desc_msg_t*, uint32_t, char**) = nullptr;
int failures = 0;

void check(const char* name, bool good) {
    std::printf("%s - %s\n", good ? "ok" : "not ok", name);
    failures += good ? 0 : 1;
}

job_desc_msg_t empty_job() {
    job_desc_msg_t job;
    std::memset(&job, 0, sizeof job);
    return job;
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
    char near_miss[] = "EPOCHCAST_JOB_TASK=x y";
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

// spank_job_env must be memory of Slurm's, as it is in slurmctld, because it is grown.
void check_normalised() {
    job_desc_msg_t job = empty_job();
    char script[] = "#!/bin/sh\n#EPOCHCAST task=cnn epochs=4 policy=time\ntrue\n";
    char variable[] = "EPOCHCAST_TRAIN_POLICY=cost";
    char* environment[] = {variable};
    job.script = script;
    job.environment = environment;
    job.env_size = 1;
    job.spank_job_env_size = 7;  // of an array that is not there
    char* error = nullptr;
    check("options are accepted", job_submit(&job, 1000, &error) == 0 && !error);
    check("task", spank_value(job, "EPOCHCAST_JOB_TASK=") == "cnn");
    check("policy: the variable wins", spank_value(job, "EPOCHCAST_JOB_POLICY=") == "cost");
    check("epochs", spank_value(job, "EPOCHCAST_JOB_EPOCHS=") == "4");
    check("three entries", job.spank_job_env_size == 3);
    check("a second time: still three",
          job_submit(&job, 1000, &error) == 0 && job.spank_job_env_size == 3 &&
              spank_value(job, "EPOCHCAST_JOB_TASK=") == "cnn");
    check("script and comment are as they were",
          job.script == script && !job.comment && !job.admin_comment);
}

}  // namespace

int main(int argc, char** argv) {
    void* plugin = argc == 2 ? dlopen(argv[1], RTLD_LAZY) : nullptr;
    if (!plugin) {
        std::fprintf(stderr, "job_submit_fields PLUGIN: %s\n", argc == 2 ? dlerror() : "give one");
        return 2;
    }
    job_submit = reinterpret_cast<decltype(job_submit)>(dlsym(plugin, "job_submit"));
    check_untouched();
    check_refused();
    check_normalised();
    return failures > 0 ? 1 : 0;
}
