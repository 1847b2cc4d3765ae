/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright 2026 The epochcast developers
 *
 * Preloaded into a program: while the file that EPOCHCAST_HANG_WHILE names exists, whoever opens or
 * looks at a path below EPOCHCAST_FORECAST_DIR waits, as on a network file system whose server is
 * gone. The call then goes through. Says so once, in a file EPOCHCAST_HANG_WHILE.hung. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void wait_below(const char* path) {
    const char* dir = getenv("EPOCHCAST_FORECAST_DIR");
    const char* flag = getenv("EPOCHCAST_HANG_WHILE");
    if (!path || !dir || !flag || strncmp(path, dir, strlen(dir)) != 0) return;
    while (access(flag, F_OK) == 0) {
        char said[4096];
        snprintf(said, sizeof said, "%s.hung", flag);
        FILE* file = fopen(said, "w");
        if (file) fclose(file);
        usleep(20000);
    }
}

#define SHOWN __attribute__((visibility("default")))
#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

static mode_t mode_after(int flags, va_list arguments) {
    return flags & O_CREAT ? (mode_t)va_arg(arguments, int) : 0;
}

#define DEFINE_OPEN(name)                                 \
    SHOWN int name(const char* path, int flags, ...) {    \
        va_list arguments;                                \
        va_start(arguments, flags);                       \
        const mode_t mode = mode_after(flags, arguments); \
        va_end(arguments);                                \
        wait_below(path);                                 \
        return NEXT(name)(path, flags, mode);             \
    }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

SHOWN DIR* opendir(const char* path) {
    wait_below(path);
    return NEXT(opendir)(path);
}

SHOWN int lstat(const char* path, struct stat* status) {
    wait_below(path);
    return NEXT(lstat)(path, status);
}
