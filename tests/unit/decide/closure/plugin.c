/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The epochcast developers
 *
 * A plugin in small: C, all of the decide library inside, one symbol outside. It is what
 * needs_glibc_only.cmake looks at, and shows that the header is C.
 */
#include <string.h>

#include "decide/epochcast_decide.h"

__attribute__((visibility("default"))) int closure_plugin_init(const char* dir) {
    epochcast_options_t options;
    memset(&options, 0, sizeof options);
    char message[EPOCHCAST_MESSAGE_SIZE];
    if (epochcast_option_table()->name == NULL ||
        epochcast_options_set(&options, "task", "cnn", message, sizeof message) != 0 ||
        epochcast_options_read_script(&options, NULL, 0, message, sizeof message) != 0 ||
        epochcast_options_read_comment(&options, NULL, message, sizeof message) != 0 ||
        epochcast_options_read_job_env(&options, NULL, 0) != 0 ||
        !epochcast_options_empty(&options)) {
        return -1;
    }
    epochcast_watch_t* watch = epochcast_watch_start(dir, NULL);
    epochcast_journal_t* journal = epochcast_journal_start(NULL);
    const epochcast_table_t* table = epochcast_watch_table(watch);
    epochcast_job_t job = {options.task, "time", 0, 1, 1, 1, 0, 0, 0, 0};
    uint32_t count = 0;
    epochcast_rank(table, &job, NULL, NULL, &count);
    epochcast_journal_push(journal, epochcast_table_decision_dir(table), NULL);
    epochcast_journal_stop(journal);
    epochcast_watch_stop(watch);
    return epochcast_table_class_of_node(table, "n1") == -1 ? 0 : -1;
}
