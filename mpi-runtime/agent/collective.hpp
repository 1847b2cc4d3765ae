// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What agents do together. Every agent calls the same functions in the same order. The local body
// is a single agent; the MPI body waits without burning the CPU that workers need.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace epochcast::runtime {

class Collective {
  public:
    virtual ~Collective() = default;
    virtual std::uint32_t rank() const = 0;
    virtual std::uint32_t size() const = 0;

    // Everybody's bytes, one after another in rank order. `bytes[r]` is what rank r gives; `all`
    // holds their sum. Every count is a multiple of `block`, their sum below 2^31 blocks.
    virtual void gather_all(std::span<const std::byte> mine,
                            std::span<std::byte> all,
                            std::span<const std::size_t> bytes,
                            std::size_t block) = 0;

    // Rank 0's bytes for everybody; all give the same size.
    virtual void broadcast(std::span<std::byte> bytes) = 0;

    // One trivially copyable value of each rank, in rank order.
    template <class T>
    std::vector<T> gather_values(const T& value) {
        std::vector<T> values(size());
        const std::vector<std::size_t> bytes(size(), sizeof(T));
        gather_all(std::as_bytes(std::span(&value, 1)),
                   std::as_writable_bytes(std::span(values)),
                   bytes,
                   sizeof(T));
        return values;
    }
};

std::unique_ptr<Collective> local_collective();

// All ranks of MPI_COMM_WORLD. MPI is initialised before and finalised after its life. The
// destructor waits for the other ranks. Errors of MPI itself end the program, as MPI's default is.
std::unique_ptr<Collective> mpi_collective();

// The outcome of a part that every rank did by itself: the error of the lowest rank that has one,
// with the host's name in front where ranks differ. All ranks get the same answer.
Result<void> agree(Collective& collective, const Result<void>& mine, const std::string& host);

}  // namespace epochcast::runtime
