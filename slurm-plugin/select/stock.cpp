// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/stock.hpp"

#include <dlfcn.h>

namespace epochcast::slurm {

namespace {

template <class T>
T next(const char* symbol) {
    return reinterpret_cast<T>(dlsym(RTLD_NEXT, symbol));
}

}  // namespace

bool Stock::find(uint32_t version) {
    const auto* stock_version = next<const uint32_t*>("plugin_version");
    if (!stock_version || *stock_version != version) return false;
    init = next<int (*)()>("init");
    fini = next<int (*)()>("fini");
    job_test = next<JobTestFunction>("select_p_job_test");
    state_restore = next<int (*)(char*)>("select_p_state_restore");
    return init && job_test;
}

}  // namespace epochcast::slurm
