// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Loads a plugin outside Slurm, as Slurm's loader would (lazy binding), and looks up symbols:
// load_plugin FILE SYMBOL... Exit 1 names what is missing.

#include <dlfcn.h>

#include <cstdio>

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    void* plugin = dlopen(argv[1], RTLD_LAZY);
    if (!plugin) {
        std::fprintf(stderr, "load_plugin: %s\n", dlerror());
        return 1;
    }
    for (int i = 2; i < argc; ++i) {
        if (!dlsym(plugin, argv[i])) {
            std::fprintf(stderr, "load_plugin: %s has no symbol %s\n", argv[1], argv[i]);
            return 1;
        }
    }
    return dlclose(plugin) == 0 ? 0 : 1;
}
