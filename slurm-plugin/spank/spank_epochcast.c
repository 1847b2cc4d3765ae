/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright 2026 The epochcast developers
 *
 * The SPANK plugin: puts --train-* into sbatch, salloc and srun, and checks the values where the
 * user sees the answer at once. Slurm carries the values to job_submit. On compute nodes it only
 * exists, so that the options are known there too: it returns 0, reads nothing, and starts nothing.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* srun inside a job starts a step of a job whose options are settled. */
static int inside_a_job = 0;

/* One --train-* option was given; `number` is its place in the table. Not 0: the command stops. */
static int check_option(int number, const char* value, int remote) {
    if (remote || inside_a_job) return 0;
    epochcast_options_t options;
    char message[EPOCHCAST_MESSAGE_SIZE] = "";
    memset(&options, 0, sizeof options);
    if (epochcast_options_set(
            &options, epochcast_option_table()[number].name, value, message, sizeof message) == 0)
        return 0;
    slurm_error("epochcast: %s", message);
    return -1;
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

int slurm_spank_init(spank_t spank, int argc, char** argv) {
    (void)argc;
    (void)argv;
    inside_a_job = spank_context() == S_CTX_LOCAL && getenv("SLURM_JOB_ID") != NULL;
    const epochcast_option_help_t* table = epochcast_option_table();
    for (int i = 0; table[i].name; ++i) register_option(spank, i, &table[i]);
    return 0;
}

/* salloc and srun send no environment to the controller, so EPOCHCAST_TRAIN_* variables go the way
 * of the options. job_submit checks them, because here a refusal would not stop the command. */
int slurm_spank_init_post_opt(spank_t spank, int argc, char** argv) {
    (void)argc;
    (void)argv;
    const spank_context_t context = spank_context();
    if (inside_a_job || (context != S_CTX_ALLOCATOR && context != S_CTX_LOCAL)) return 0;
    for (const epochcast_option_help_t* entry = epochcast_option_table(); entry->name; ++entry) {
        char name[64];
        int end = snprintf(name, sizeof name, "EPOCHCAST_TRAIN_%s", entry->name);
        for (int i = 0; i < end && i < (int)sizeof name; ++i)
            name[i] = (char)toupper((unsigned char)name[i]);
        const char* value = getenv(name);
        if (value && *value) spank_job_control_setenv(spank, name, value, 1);
    }
    return 0;
}
