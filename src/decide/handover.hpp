// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Passes tables from the one thread that reads files to the one that schedules, which neither
// waits, nor locks, nor frees: what it is done with goes back through a list.
//
// Ownership of a parcel moves: reader → incoming_ → current_ (consumer's) → retired_ → reader. Each
// step is one atomic exchange, so a parcel has one owner at any time.

#include <atomic>
#include <memory>

#include "decide/table.hpp"

namespace epochcast {

class TableHandover {
  public:
    TableHandover() = default;
    TableHandover(const TableHandover&) = delete;
    TableHandover& operator=(const TableHandover&) = delete;
    // Neither side may be at work any more.
    ~TableHandover();

    // Reader: the consumer's next take() returns this table; null: none.
    void offer(std::unique_ptr<const epochcast_table> table);
    // Reader: frees what the consumer gave back.
    void free_retired();

    // Consumer: the newest table, valid until the consumer's next take().
    const epochcast_table* take() noexcept;

  private:
    struct Parcel {
        std::unique_ptr<const epochcast_table> table;
        Parcel* next = nullptr;  // in retired_
    };
    static void free_list(Parcel* first);
    void retire(Parcel* parcel) noexcept;

    std::atomic<Parcel*> incoming_{nullptr};
    std::atomic<Parcel*> retired_{nullptr};
    Parcel* current_ = nullptr;
};

}  // namespace epochcast
