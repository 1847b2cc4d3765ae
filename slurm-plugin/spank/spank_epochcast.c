/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright 2026 The epochcast developers
 *
 * The SPANK plugin: puts --train-* into sbatch, salloc and srun, checks the values where the user
 * sees the answer at once, and hands them to job_submit through the job's spank_job_env, each
 * component of a heterogeneous job its own. It also shows them to the task as EPOCHCAST_JOB_*,
 * where job_submit cannot: salloc and srun send no environment. On compute nodes it only exists, so
 * that the options are known there too: it returns 0, reads nothing, and starts nothing.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "slurm/slurm.h"
#include "slurm/slurm_errno.h"
#include "slurm/spank.h"

#include "decide/epochcast_decide.h"

#define EPOCHCAST_EXPORT __attribute__((visibility("default")))

/* As SPANK_PLUGIN(epochcast, 1), which has no place for the visibility. */
EPOCHCAST_EXPORT const char plugin_name[] = "epochcast";
EPOCHCAST_EXPORT const char plugin_type[] = "spank";
EPOCHCAST_EXPORT const unsigned int plugin_version = SLURM_VERSION_NUMBER;
EPOCHCAST_EXPORT const unsigned int spank_plugin_version = 1;

EPOCHCAST_EXPORT int slurm_spank_init(spank_t spank, int argc, char** argv);
EPOCHCAST_EXPORT int slurm_spank_init_post_opt(spank_t spank, int argc, char** argv);

enum { max_options = 32, max_name = 96 };

/* srun inside a job starts a step of a job whose options are settled. */
static int inside_a_job = 0;

/* Of a heterogeneous job; the commands call slurm_spank_init_post_opt() once for each. */
static int component = 0;

/* Values of options, NULL: none. Slurm keeps those of a component for all later ones, which is not
 * what the user wrote, so we do our own bookkeeping. */
static char* given[max_options]; /* for this component, on the command line or by #SBATCH */
static char*
    from_start[max_options]; /* by the user's variables SLURM_SPANK__SLURM_SPANK_OPTION_... */

/* Slurm's name for an option in spank_job_env; in the environment it has SLURM_SPANK_ in front. */
static void slurm_name(char (*name)[max_name], const char* prefix, int number) {
    snprintf(*name,
             sizeof *name,
             "%s_SLURM_SPANK_OPTION_epochcast_train_%s",
             prefix,
             epochcast_option_table()[number].name);
}

/* One --train-* option was given; `number` is its place in the table. Not 0: the command stops. */
static int check_option(int number, const char* value, int remote) {
    if (remote || inside_a_job) return 0;
    char name[max_name];
    slurm_name(&name, "SLURM_SPANK_", number);
    /* What Slurm reads from the environment it passes as it lies there; after the first component
     * it is what we left there ourselves. */
    const int is_variable = value == getenv(name);
    if (is_variable && component > 0) return 0;
    epochcast_options_t options;
    char message[EPOCHCAST_MESSAGE_SIZE] = "";
    memset(&options, 0, sizeof options);
    if (epochcast_options_set(
            &options, epochcast_option_table()[number].name, value, message, sizeof message) != 0) {
        slurm_error("epochcast: %s", message);
        return -1;
    }
    if (!is_variable) {
        free(given[number]);
        given[number] = strdup(value);
    }
    return 0;
}

static void register_option(spank_t spank, int number, const epochcast_option_help_t* entry) {
    char name[64];
    char argument[64];
    char usage[512];
    snprintf(name, sizeof name, "train-%s", entry->name);
    snprintf(argument, sizeof argument, "%s", entry->argument);
    snprintf(usage, sizeof usage, "[epochcast] %s", entry->help);
    struct spank_option option = {name, argument, usage, 1, number, check_option};
    spank_option_register(spank, &option); /* copies the texts */
}

/* The user's own variables count. Those that Slurm left in a job tell of that job's options; a job
 * that is submitted from there does not inherit them. */
static void look_at_variable(int number, int is_nested) {
    char name[max_name];
    slurm_name(&name, "SLURM_SPANK_", number);
    const char* value = getenv(name);
    if (!value) return;
    if (is_nested)
        unsetenv(name);
    else
        from_start[number] = strdup(value);
}

int slurm_spank_init(spank_t spank, int argc, char** argv) {
    (void)argc;
    (void)argv;
    const spank_context_t context = spank_context();
    const int has_job = getenv("SLURM_JOB_ID") != NULL;
    inside_a_job = context == S_CTX_LOCAL && has_job;
    const epochcast_option_help_t* table = epochcast_option_table();
    for (int i = 0; i < max_options && table[i].name; ++i) {
        register_option(spank, i, &table[i]);
        if (!inside_a_job && (context == S_CTX_ALLOCATOR || context == S_CTX_LOCAL))
            look_at_variable(i, has_job);
    }
    return 0;
}

/* The value of EPOCHCAST_TRAIN_<OPTION>, NULL if there is none; name gets the variable's name. */
static const char* own_variable(char (*name)[max_name], int number) {
    const int end =
        snprintf(*name, sizeof *name, "EPOCHCAST_TRAIN_%s", epochcast_option_table()[number].name);
    for (int i = 0; i < end && i < max_name; ++i)
        (*name)[i] = (char)toupper((unsigned char)(*name)[i]);
    const char* value = getenv(*name);
    return value && *value ? value : NULL;
}

/* Puts one option of this component where job_submit reads it, and into *options. Values were
 * checked where that could stop the command; job_submit checks the variables. */
static void hand_over(spank_t spank, int number, epochcast_options_t* options) {
    char name[max_name];
    char message[EPOCHCAST_MESSAGE_SIZE];
    const char* key = epochcast_option_table()[number].name;
    slurm_name(&name, "", number);
    const char* value = given[number] ? given[number] : from_start[number];
    if (value) {
        spank_job_control_setenv(spank, name, value, 1);
        epochcast_options_set(options, key, value, message, sizeof message);
    } else {
        spank_job_control_unsetenv(spank, name);
    }
    value = own_variable(&name, number);
    if (value) {
        spank_job_control_setenv(spank, name, value, 1);
        epochcast_options_set(options, key, value, message, sizeof message);
    }
    free(given[number]);
    given[number] = NULL;
}

/* The environment in which salloc's command or srun's tasks start. What is there already tells of
 * the job that we are in. */
static void show_to_task(epochcast_options_t* options) {
    char entry[EPOCHCAST_ENTRY_SIZE];
    if (options->deadline_after_s > 0)
        options->deadline_unix_s = (int64_t)time(NULL) + options->deadline_after_s;
    options->deadline_after_s = 0;
    const epochcast_option_help_t* table = epochcast_option_table();
    for (int i = 0; i < max_options && table[i].name; ++i) {
        if (epochcast_options_job_entry(options, (uint32_t)i, entry, sizeof entry) == 1) {
            char* equals = strchr(entry, '=');
            *equals = '\0';
            setenv(entry, equals + 1, 1);
            continue;
        }
        const int end = snprintf(entry, sizeof entry, EPOCHCAST_JOB_PREFIX "%s", table[i].name);
        for (int c = 0; c < end; ++c) entry[c] = (char)toupper((unsigned char)entry[c]);
        unsetenv(entry);
    }
}

int slurm_spank_init_post_opt(spank_t spank, int argc, char** argv) {
    (void)argc;
    (void)argv;
    const spank_context_t context = spank_context();
    if (inside_a_job || (context != S_CTX_ALLOCATOR && context != S_CTX_LOCAL)) return 0;
    epochcast_options_t options;
    memset(&options, 0, sizeof options);
    for (int i = 0; i < max_options && epochcast_option_table()[i].name; ++i)
        hand_over(spank, i, &options);
    if (component++ == 0) show_to_task(&options); /* all components share one environment */
    return 0;
}
