// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "decide/handover.hpp"

namespace epochcast {

TableHandover::~TableHandover() {
    delete incoming_.load();
    delete current_;
    free_list(retired_.load());
}

void TableHandover::offer(std::unique_ptr<const epochcast_table> table) {
    auto parcel = std::make_unique<Parcel>();
    parcel->table = std::move(table);
    delete incoming_.exchange(parcel.release(), std::memory_order_acq_rel);  // never taken
}

void TableHandover::free_retired() {
    free_list(retired_.exchange(nullptr, std::memory_order_acquire));
}

const epochcast_table* TableHandover::take() noexcept {
    // The plain load keeps the usual call, nothing new, free of a locked instruction.
    if (incoming_.load(std::memory_order_relaxed) != nullptr) {
        if (Parcel* fresh = incoming_.exchange(nullptr, std::memory_order_acq_rel)) {
            if (current_ != nullptr) retire(current_);
            current_ = fresh;
        }
    }
    return current_ == nullptr ? nullptr : current_->table.get();
}

void TableHandover::free_list(Parcel* first) {
    while (first != nullptr) delete std::exchange(first, first->next);
}

void TableHandover::retire(Parcel* parcel) noexcept {
    // Only the consumer pushes and the reader takes the whole list, so there is no ABA.
    parcel->next = retired_.load(std::memory_order_relaxed);
    while (!retired_.compare_exchange_weak(
        parcel->next, parcel, std::memory_order_release, std::memory_order_relaxed)) {
    }
}

}  // namespace epochcast
