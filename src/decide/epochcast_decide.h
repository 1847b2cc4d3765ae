/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The epochcast developers
 *
 * What the Slurm plugins ask: are these options well-formed, and which node class is best for this
 * job? C face of core and forecast_file; no function throws. Except where said, no function does
 * I/O. Text arguments may be NULL where said; hostile content is survived everywhere.
 */
#ifndef EPOCHCAST_DECIDE_H
#define EPOCHCAST_DECIDE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- options ----------------------------------------------------------------------------- */

enum {
    EPOCHCAST_TASK_SIZE = 129,
    EPOCHCAST_POLICY_SIZE = 128,
    EPOCHCAST_LABEL_SIZE = 129,
    EPOCHCAST_PATH_SIZE = 1024,
    EPOCHCAST_MESSAGE_SIZE = 512,
    EPOCHCAST_ENTRY_SIZE = 1100 /* of a normalised entry */
};

enum {
    EPOCHCAST_PLACEMENT_NONE = 0,
    EPOCHCAST_PLACEMENT_PREFER = 1,
    EPOCHCAST_PLACEMENT_REQUIRE = 2
};

/* Options of one job. Empty string, 0, 0.0: not given. */
typedef struct epochcast_options {
    char task[EPOCHCAST_TASK_SIZE];
    char policy[EPOCHCAST_POLICY_SIZE]; /* "off" or a policy text */
    uint64_t epochs;
    char framework[EPOCHCAST_LABEL_SIZE];
    char model[EPOCHCAST_LABEL_SIZE];
    char data[EPOCHCAST_LABEL_SIZE];
    uint64_t batch;      /* samples per optimiser step of the whole job */
    uint64_t samples;    /* per epoch */
    uint32_t least_gpus; /* devices per node, closed range */
    uint32_t most_gpus;
    int64_t deadline_unix_s;
    int64_t deadline_after_s; /* from submission; job_submit makes deadline_unix_s of it */
    double budget;            /* of the site's money, for the whole job */
    char log[EPOCHCAST_PATH_SIZE];
    int placement; /* EPOCHCAST_PLACEMENT_* */
} epochcast_options_t;

typedef struct epochcast_option_help {
    const char* name;     /* "task" */
    const char* argument; /* "NAME" */
    const char* help;     /* one line with unit and default */
} epochcast_option_help_t;

/* The table of options; ends with name == NULL. Static, never freed. */
const epochcast_option_help_t* epochcast_option_table(void);

/* All return 0, or -1 with a sentence for the user in message (always terminated): which value,
 * what is allowed. An option that is already set in *options is kept, but the new text is still
 * checked. */
int epochcast_options_set(epochcast_options_t* options,
                          const char* key,
                          const char* value,
                          char* message,
                          size_t message_size);
/* `#EPOCHCAST` lines of a batch script, of a heterogeneous job those of one component (0: the first
 * one, or no such job); NULL: none. Work is bounded by the script's header and 1 MiB behind it.
 * With 0 a message that is not empty is a warning: lines that stand too
 * late to be read, or an option that is given twice. */
int epochcast_options_read_script(epochcast_options_t* options,
                                  const char* script,
                                  uint32_t component,
                                  char* message,
                                  size_t message_size);
/* "epochcast:key=value;..." in a comment; NULL or another comment: none. */
int epochcast_options_read_comment(epochcast_options_t* options,
                                   const char* comment,
                                   char* message,
                                   size_t message_size);
/* Takes over from *other what is not set in *options. NULL is nothing. */
void epochcast_options_fill_unset(epochcast_options_t* options, const epochcast_options_t* other);
/* 1 if nothing is set. */
int epochcast_options_empty(const epochcast_options_t* options);

/* A job's options in their normalised form: entries EPOCHCAST_JOB_<OPTION>=value, which job_submit
 * writes into the job's spank_job_env and environment and which are never read as options of
 * another job. */
#define EPOCHCAST_JOB_PREFIX "EPOCHCAST_JOB_"

/* Writes the entry of the option number `row` of the table: 1; 0: this option is not given; -1:
 * there is no such row. A deadline from submission stays one. */
int epochcast_options_job_entry(const epochcast_options_t* options,
                                uint32_t row,
                                char* entry,
                                size_t entry_size);
/* Reads all entries of spank_job_env in one pass, with or without Slurm's prefix SPANK_: 1 found, 0
 * none, -1 malformed (job_submit did not write that). NULL entries are survived, others skipped. */
int epochcast_options_read_job_env(epochcast_options_t* options, char* const* env, uint32_t size);

/* ---- the table of forecasts --------------------------------------------------------------- */

typedef struct epochcast_table epochcast_table_t;

enum { EPOCHCAST_MODE_OFF = 0, EPOCHCAST_MODE_SHADOW = 1, EPOCHCAST_MODE_ON = 2 };

/* Reads and merges the forecast files of a folder (I/O: reader threads and tests only). NULL with a
 * reason in message if there is none that can be used or a file `off` is present. Free with
 * epochcast_table_free(). The caller owns the table; it never changes. */
epochcast_table_t* epochcast_table_read(const char* dir,
                                        int64_t now_unix_s,
                                        char* message,
                                        size_t message_size);
void epochcast_table_free(epochcast_table_t* table); /* NULL is fine */

uint32_t epochcast_table_classes(const epochcast_table_t* table);
const char* epochcast_table_class_name(const epochcast_table_t* table, uint32_t class_index);
/* The class of a node by its name, -1: none. One hash look-up. */
int32_t epochcast_table_class_of_node(const epochcast_table_t* table, const char* node);
/* EPOCHCAST_MODE_*; a partition that is not named, and NULL, is off. */
int epochcast_table_mode(const epochcast_table_t* table, const char* partition);
/* 1 if the newest ping of this node failed and the pings can be trusted: less than a fifth of them
 * failed. True until epochcast_table_pings_fresh_until(). */
int epochcast_table_ping_failed(const epochcast_table_t* table, const char* node);
/* The same as long as class_of_node and ping_failed answer alike for every node; 0: no table. */
uint64_t epochcast_table_nodes_version(const epochcast_table_t* table);
/* Seconds since 1970 UTC; 0: no ping failed, or too many of them. */
int64_t epochcast_table_pings_fresh_until(const epochcast_table_t* table);
/* 1 if the partition allows this policy (its allow-list is empty or has it). */
int epochcast_table_allows(const epochcast_table_t* table,
                           const char* partition,
                           const char* policy);
/* Never NULL; empty: none. Owned by the table. */
const char* epochcast_table_default_policy(const epochcast_table_t* table);
const char* epochcast_table_decision_dir(const epochcast_table_t* table);

/* What the plugins may do beyond choosing nodes; 0: not allowed, also without a table. */
int epochcast_table_set_limits(const epochcast_table_t* table);
uint32_t epochcast_table_site_factor_most(const epochcast_table_t* table);
uint32_t epochcast_table_wait_most_s(const epochcast_table_t* table);

/* A job's place in the queue plan. */
typedef struct epochcast_planned {
    uint32_t class_index;
    uint32_t order;       /* 0: first */
    uint32_t jobs;        /* how many are planned */
    int64_t start_unix_s; /* expected */
    int64_t planned_unix_s;
} epochcast_planned_t;
/* 1 and *planned if a plan that is still fresh has this job; one hash look-up. */
int epochcast_table_planned(const epochcast_table_t* table,
                            uint32_t job_id,
                            int64_t now_unix_s,
                            epochcast_planned_t* planned);
/* The same as long as the order of the plan's jobs and the partitions' modes are; 0: there is no
 * fresh plan. */
uint64_t epochcast_table_plan_version(const epochcast_table_t* table, int64_t now_unix_s);

/* ---- ranking ------------------------------------------------------------------------------ */

typedef struct epochcast_job {
    const char* task;   /* NULL or empty: no ranking */
    const char* policy; /* NULL or empty: the table's default policy */
    uint32_t uid;
    uint64_t
        epochs; /* 0: one epoch is assumed, which leaves the order between classes to epoch cost */
    uint32_t least_nodes; /* >= 1 */
    uint32_t most_nodes;
    uint32_t least_devices; /* per node; 0: it asks for none, or how many is not known */
    uint32_t most_devices;
    double deadline_s; /* seconds from now on; NaN: none */
    double budget;     /* for the whole job; NaN: none */
} epochcast_job_t;

/* The best placement of a job on one class. */
typedef struct epochcast_choice {
    uint32_t class_index;
    uint32_t nodes;
    uint32_t devices_per_node; /* 0: as the job asks */
    double utility;            /* NaN: not rankable, see reason */
    double time_s;             /* whole job, start-up included */
    double cost;               /* NaN: no price */
    double epoch_s;            /* forecast of one epoch */
    double epoch_low_s;        /* its 90 % interval */
    double epoch_high_s;
    double price_per_node_hour;
    const char* basis;  /* owned by the table; "" without forecast */
    const char* reason; /* static; why it is not rankable, "" if it is */
} epochcast_choice_t;

/* What one class offers to a job. */
typedef struct epochcast_offer {
    uint32_t nodes;   /* that the job could have; 0: the class is no candidate */
    uint32_t devices; /* per node, at most; UINT32_MAX: not known, no bound */
    double wait_s;    /* until they could be had */
} epochcast_offer_t;

/* Ranks the classes i with offers[i].nodes != 0 (array of epochcast_table_classes()) for the job,
 * each by its best placement within the job's ranges and the offer, and writes them best first to
 * choices (room for as many). Returns how many of them are rankable (those come first); *count is
 * how many were written. 0 rankable means: change nothing. */
uint32_t epochcast_rank(const epochcast_table_t* table,
                        const epochcast_job_t* job,
                        const epochcast_offer_t* offers,
                        epochcast_choice_t* choices,
                        uint32_t* count);

/* ---- at submission ------------------------------------------------------------------------ */

/* Writes the policies that the partition allows, "cost, time, or off"; "" if it allows all of them.
 */
void epochcast_table_allowed(const epochcast_table_t* table,
                             const char* partition,
                             char* text,
                             size_t text_size);

/* The time limit, in whole minutes, for a job without one: start-up + epochs x max(2 x mean, 99.9 %
 * bound) on the slowest class that it may run on (offers as in epochcast_rank()). 0: it has to be
 * left alone, because the site does not want limits, the job states no epochs, fewer than three
 * jobs of the task were recorded, or one of the classes has no forecast. */
uint32_t epochcast_table_time_limit_min(const epochcast_table_t* table,
                                        const epochcast_job_t* job,
                                        const epochcast_offer_t* offers);

/* ---- watching the folder ------------------------------------------------------------------ */

/* A thread of its own reads the folder again when a file in it changes or gets stale, checks for
 * `off`, and hands over new tables. Polls at least once a second, so `off` acts within 2 s. */
typedef struct epochcast_watch epochcast_watch_t;

/* log (may be NULL) is called from that thread, once per change of state, with one line. */
epochcast_watch_t* epochcast_watch_start(const char* dir, void (*log)(const char* line));
/* The newest table, or NULL: steer nothing. No lock, no wait, no I/O; ONE consumer thread at a
 * time. Valid until the same consumer's next call. */
const epochcast_table_t* epochcast_watch_table(epochcast_watch_t* watch);
/* Stops the thread and frees everything. NULL is fine. */
void epochcast_watch_stop(epochcast_watch_t* watch);

/* ---- decisions ---------------------------------------------------------------------------- */

enum { EPOCHCAST_DECISION_CLASSES = 32, EPOCHCAST_NODES_SIZE = 256 };

/* One decision as the shim made it. Fixed size: filled without allocation. */
typedef struct epochcast_decision {
    uint32_t job_id;
    uint32_t array_job_id;  /* 0: none */
    uint32_t array_task_id; /* UINT32_MAX: none */
    uint32_t uid;
    int mode;            /* EPOCHCAST_MODE_* */
    const char* verdict; /* static: "steered", "shadow", or why there was no steering */
    int64_t time_unix_s;
    uint64_t epochs;
    uint32_t nodes;
    char task[EPOCHCAST_TASK_SIZE];
    char policy[EPOCHCAST_POLICY_SIZE];
    char partition[64];
    char chosen_class[64];
    char chosen_nodes[EPOCHCAST_NODES_SIZE];
    char stock_class[64];         /* what Slurm would have taken; empty: not known */
    int stock_is_estimate;        /* 1: told from node weights; 0: it was asked */
    int is_start;                 /* 1: the job starts; 0: a plan for a pending job */
    int is_planned;               /* 1: the first class is the queue plan's */
    int64_t planned_start_unix_s; /* by the queue plan; 0: not in it */
    uint32_t class_count;         /* filled entries below */
    struct {
        char name[64];
        char basis[96];
        char reason[64];
        uint32_t nodes, devices_per_node;
        double utility, time_s, cost, epoch_s, epoch_low_s, epoch_high_s, price_per_node_hour;
    } classes[EPOCHCAST_DECISION_CLASSES];
} epochcast_decision_t;

/* Appends decisions as JSON lines to <dir>/<uid>/decisions.jsonl from a thread of its own. */
typedef struct epochcast_journal epochcast_journal_t;
epochcast_journal_t* epochcast_journal_start(void (*log)(const char* line));
/* Hands over a copy; dir is the table's decision_dir ("" drops it). Never waits: a full queue drops
 * the decision and counts it. ONE producer thread at a time. */
void epochcast_journal_push(epochcast_journal_t* journal,
                            const char* dir,
                            const epochcast_decision_t* decision);
/* Writes what is queued, stops the thread. NULL is fine. */
void epochcast_journal_stop(epochcast_journal_t* journal);

#ifdef __cplusplus
}
#endif
#endif
