// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <mpi.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cassert>
#include <vector>

#include "agent/collective.hpp"

namespace epochcast::runtime {

namespace {

// A blocking MPI call spins on the CPU for as long as the slowest node takes, and counts as this
// job's CPU time. So: poll, first giving the CPU away only, then sleeping.
constexpr int polls_before_sleep = 300;
constexpr long first_sleep_ns = 20'000;
constexpr long longest_sleep_ns = 200'000;

void wait_for(MPI_Request& request) {
    long sleep_ns = first_sleep_ns;
    int finished = 0;
    for (int poll = 0;; ++poll) {
        MPI_Test(&request, &finished, MPI_STATUS_IGNORE);
        if (finished != 0) {
            return;
        }
        if (poll < polls_before_sleep) {
            sched_yield();
            continue;
        }
        const timespec pause{0, sleep_ns};
        nanosleep(&pause, nullptr);
        sleep_ns = std::min(sleep_ns * 2, longest_sleep_ns);
    }
}

class MpiCollective : public Collective {
  public:
    MpiCollective() {
        int number = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &number);
        rank_ = static_cast<std::uint32_t>(number);
        MPI_Comm_size(MPI_COMM_WORLD, &number);
        size_ = static_cast<std::uint32_t>(number);
    }
    ~MpiCollective() override {
        // All meet here without spinning; in MPI_Finalize the first would keep its CPU busy.
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        wait_for(request);
    }
    MpiCollective(const MpiCollective&) = delete;
    MpiCollective& operator=(const MpiCollective&) = delete;

    std::uint32_t rank() const override { return rank_; }
    std::uint32_t size() const override { return size_; }

    void gather_all(std::span<const std::byte> mine,
                    std::span<std::byte> all,
                    std::span<const std::size_t> bytes,
                    std::size_t block) override {
        assert(bytes.size() == size_ && bytes[rank_] == mine.size());
        // Counts are ints, so large messages are counted in blocks.
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(static_cast<int>(block), MPI_BYTE, &type);
        MPI_Type_commit(&type);
        std::vector<int> counts;
        std::vector<int> places;
        int place = 0;
        for (const std::size_t one : bytes) {
            assert(one % block == 0);
            counts.push_back(static_cast<int>(one / block));
            places.push_back(place);
            place += counts.back();
        }
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallgatherv(mine.data(),
                        counts[rank_],
                        type,
                        all.data(),
                        counts.data(),
                        places.data(),
                        type,
                        MPI_COMM_WORLD,
                        &request);
        wait_for(request);
        MPI_Type_free(&type);
    }

    void broadcast(std::span<std::byte> bytes) override {
        // In pieces, because counts are ints.
        constexpr std::size_t piece = 1ULL << 30;
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            const auto count = static_cast<int>(std::min(piece, bytes.size() - at));
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Ibcast(bytes.data() + at, count, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
            wait_for(request);
        }
    }

  private:
    std::uint32_t rank_ = 0;
    std::uint32_t size_ = 1;
};

}  // namespace

std::unique_ptr<Collective> mpi_collective() { return std::make_unique<MpiCollective>(); }

}  // namespace epochcast::runtime
