// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The board: one block of shared memory per node, through which an agent and its workers exchange
// everything. The agent writes parameters and tasks; a worker reads them and writes one result. The
// layout is plain data at offsets found in the header, so that workers in other languages can take
// part; mpi-runtime/README.md describes it in words. Nothing here locks: a result buffer and a slot
// belong to exactly one side at any time, and `request` and `done` hand them over.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace epochcast::runtime {

inline constexpr std::uint64_t board_magic = 0x3130'4452'4250'4345;  // "ECPBRD01"
inline constexpr std::size_t board_alignment = 64;                   // a cache line

// The word that one side waits on; std::atomic<uint32_t> has the layout of a plain 32-bit word.
using Word = std::atomic<std::uint32_t>;
static_assert(Word::is_always_lock_free && sizeof(Word) == 4);

enum class TaskKind : std::uint32_t { train = 1, evaluate = 2 };

// What a worker shall do. `attempt` is no input of the computation: a second attempt gives the
// same bits as the first.
struct Task {
    TaskKind kind = TaskKind::train;
    std::uint32_t samples = 0;      // entries of the slot's index list
    std::uint32_t micro_batch = 0;  // position in the step
    std::uint32_t attempt = 0;      // counted from 0
    std::uint64_t epoch = 0;
    std::uint64_t step = 0;    // within the epoch
    std::uint64_t seed = 0;    // for dropout; depends on (job seed, epoch, step, micro-batch)
    std::uint32_t result = 0;  // index of the result buffer that this task owns until it is done
    float scale = 1;           // multiplies the summed loss before the backward pass
};

enum class TaskStatus : std::uint32_t { ok = 0, failed = 1 };

// One worker's mailbox. It is followed by `index_capacity` uint32 sample indices.
struct alignas(board_alignment) Slot {
    Word request{0};  // raised by the agent: a task is waiting
    Word done{0};     // set equal to `request` by the worker: the result is complete
    TaskStatus status = TaskStatus::ok;
    std::uint32_t reserved = 0;
    Task task;
    char error[192] = {};  // null-terminated text when status is failed
};

// Head of one result buffer, followed by the gradients and the batch statistics as floats.
struct alignas(board_alignment) ResultHead {
    double loss_sum = 0;  // over the samples, not scaled
    double flop = 0;      // floating-point operations of convolutions and matrix products
    std::uint64_t samples = 0;
    std::uint64_t correct = 0;  // samples whose largest output is their label
    std::uint64_t epoch = 0;
    std::uint64_t step = 0;
    std::uint32_t micro_batch = 0;
    std::uint32_t attempt = 0;
};
static_assert(sizeof(ResultHead) == board_alignment);

// What one node tells the others with its results of a step.
struct alignas(board_alignment) NodeHead {
    std::uint32_t stop_signal = 0;  // that asked this node to stop; 0: none
    std::uint32_t failed = 0;       // this node's results are unusable, training cannot go on
    char error[256] = {};           // why, null-terminated
};

// What decides the board's size.
struct BoardSize {
    std::uint32_t workers = 1;
    std::uint32_t index_capacity = 1;    // most samples in one task
    std::uint32_t results = 1;           // result buffers: micro-batches of this node in one step
    std::uint32_t image_bytes = 0;       // of one sample: channels x height x width
    std::uint64_t parameter_floats = 0;  // padded, see ModelSize
    std::uint64_t statistic_floats = 0;
    std::uint64_t train_samples = 0;
    std::uint64_t test_samples = 0;
};

// Where everything lies, in bytes from the start of the board.
struct BoardPlan {
    BoardSize size;
    std::uint64_t slots_at = 0;
    std::uint64_t slot_bytes = 0;
    std::uint64_t parameters_at = 0;
    std::uint64_t statistics_at = 0;
    std::uint64_t node_head_at = 0;  // directly in front of the results: sent as one block
    std::uint64_t results_at = 0;
    std::uint64_t result_bytes = 0;
    std::uint64_t train_images_at = 0;
    std::uint64_t train_labels_at = 0;
    std::uint64_t test_images_at = 0;
    std::uint64_t test_labels_at = 0;
    std::uint64_t total_bytes = 0;
};

BoardPlan plan_board(const BoardSize& size);

// First bytes of the board.
struct alignas(board_alignment) BoardHeader {
    std::uint64_t magic = board_magic;
    Word bell{0};  // raised by workers and zygote whenever the agent has something to look at
    std::uint32_t reserved = 0;
    BoardPlan plan;
};

// A view of a mapped board. Copies see the same memory; the mapping must outlive them.
class Board {
  public:
    Board() = default;
    explicit Board(std::byte* base) : base_(base) {}

    // Writes the plan to the start of zeroed memory and constructs the empty slots.
    static Board format(std::byte* base, const BoardPlan& plan);

    BoardHeader& header() const { return *at<BoardHeader>(0); }
    const BoardPlan& plan() const { return header().plan; }
    Slot& slot(std::uint32_t worker) const;
    std::span<std::uint32_t> indices(std::uint32_t worker) const;
    std::span<float> parameters() const;
    std::span<float> statistics() const;
    NodeHead& node_head() const { return *at<NodeHead>(plan().node_head_at); }
    ResultHead& result(std::uint32_t index) const;
    std::span<float> gradients(std::uint32_t index) const;
    std::span<float> batch_statistics(std::uint32_t index) const;
    std::span<std::uint8_t> train_images() const;
    std::span<std::uint8_t> train_labels() const;
    std::span<std::uint8_t> test_images() const;
    std::span<std::uint8_t> test_labels() const;
    // The node head and the first `results` results: what this node sends to the others.
    std::span<const std::byte> node_block(std::size_t results) const;

  private:
    template <class T>
    T* at(std::uint64_t offset) const {
        return reinterpret_cast<T*>(base_ + offset);
    }
    std::byte* base_ = nullptr;
};

// The same views into a block that another node sent.
const ResultHead& result_in(std::span<const std::byte> results,
                            std::uint64_t result_bytes,
                            std::size_t i);
std::span<const float> floats_in(std::span<const std::byte> results,
                                 std::uint64_t result_bytes,
                                 std::size_t i,
                                 std::uint64_t floats);

}  // namespace epochcast::runtime
