/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The epochcast developers
 *
 * A shim of the right version and with all functions, whose init() ends the process. */
#include <stdint.h>
#include <stdlib.h>

#include "slurm/slurm_version.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT const char plugin_name[] = "aborts";
EXPORT const char plugin_type[] = "select/cons_tres";
EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;

EXPORT int init(void);
EXPORT int fini(void);

int init(void) { abort(); }
int fini(void) { return 0; }
