// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "common/node_gpus.hpp"

namespace epochcast::slurm {

namespace {

struct Supply {
    const char* type;
    uint64_t count;
};

int add_supply(void* item, void* sum) {
    const auto& gres = *static_cast<const gres_state_t*>(item);
    if (!is_gpu(gres)) return 0;
    const auto& node = *static_cast<const gres_node_state_t*>(gres.gres_data);
    auto& supply = *static_cast<Supply*>(sum);
    if (!supply.type || !*supply.type) {
        supply.count += node.gres_cnt_avail;
        return 0;
    }
    for (uint16_t i = 0; i < node.type_cnt; ++i)
        if (node.type_name[i] && !std::strcmp(node.type_name[i], supply.type))
            supply.count += node.type_cnt_avail[i];
    return 0;
}

int add_idle(void* item, void* sum) {
    const auto& gres = *static_cast<const gres_state_t*>(item);
    if (!is_gpu(gres)) return 0;
    const auto& node = *static_cast<const gres_node_state_t*>(gres.gres_data);
    if (node.gres_cnt_avail > node.gres_cnt_alloc)
        *static_cast<uint64_t*>(sum) += node.gres_cnt_avail - node.gres_cnt_alloc;
    return 0;
}

}  // namespace

bool is_gpu(const gres_state_t& gres) {
    return gres.gres_data && gres.gres_name && !std::strcmp(gres.gres_name, "gpu");
}

uint64_t count_gpus(const node_record_t& node, const char* type) {
    Supply supply{type, 0};
    if (node.gres_list) list_for_each(node.gres_list, add_supply, &supply);
    return supply.count;
}

uint64_t idle_gpus(const node_record_t& node) {
    uint64_t idle = 0;
    if (node.gres_list) list_for_each(node.gres_list, add_idle, &idle);
    return idle;
}

}  // namespace epochcast::slurm
