// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

#include "decide/background_thread.hpp"
#include "decide/c_face.hpp"
#include "decide/decision_line.hpp"
#include "decide/decision_store.hpp"
#include "decide/epochcast_decide.h"
#include "forecast_file/table_check.hpp"

namespace {

// 512 places emptied every 100 ms: five thousand decisions a second, more than Slurm starts jobs.
// They take 6 MB once all of them were used.
constexpr std::size_t queue_size = 512;
constexpr std::chrono::milliseconds write_period{100};

// However many decisions cannot be recorded, slurmctld's log gets one line in this time.
constexpr std::chrono::hours complaint_period{1};

struct Entry {
    char dir[epochcast::max_decision_dir_bytes + 1];
    epochcast_decision_t decision;
};

std::uint32_t class_count_of(const epochcast_decision_t& decision) {
    return std::min<std::uint32_t>(decision.class_count, EPOCHCAST_DECISION_CLASSES);
}

}  // namespace

// A ring for one producer and one writer: places [written_, pushed_) are the writer's, the others
// the producer's.
struct epochcast_journal {
    explicit epochcast_journal(void (*log)(const char*))
        : log_(log),
          ring_(std::make_unique_for_overwrite<Entry[]>(queue_size)),
          thread_(std::in_place, "epochcast-notes", write_period, [this] { write_queued(); }) {}

    ~epochcast_journal() {
        thread_.reset();
        epochcast::guarded(0, [&] { return write_queued(), 0; });
    }

    bool is_ours() const { return thread_->is_ours(); }

    void push(std::string_view dir, const epochcast_decision_t& decision) noexcept {
        const std::size_t place = pushed_.load(std::memory_order_relaxed);
        if (place - written_.load(std::memory_order_acquire) == queue_size ||
            dir.size() >= sizeof Entry::dir) {
            dropped_.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        Entry& entry = ring_[place % queue_size];
        epochcast::copy_text(entry.dir, sizeof entry.dir, dir);
        const std::size_t used = offsetof(epochcast_decision_t, classes) +
                                 class_count_of(decision) * sizeof decision.classes[0];
        std::memcpy(&entry.decision, &decision, used);
        pushed_.store(place + 1, std::memory_order_release);
    }

  private:
    void write_queued() {
        std::size_t place = written_.load(std::memory_order_relaxed);
        const std::size_t end = pushed_.load(std::memory_order_acquire);
        for (; place != end; ++place) {
            write(ring_[place % queue_size]);
            written_.store(place + 1, std::memory_order_release);
        }
        complain();
    }

    void write(const Entry& entry) noexcept {
        const bool is_written = epochcast::guarded(false, [&] {
            const auto appended = epochcast::append_decision(
                entry.dir, entry.decision.uid, epochcast::decision_line(entry.decision));
            if (!appended) reason_ = appended.error().message;
            return appended.ok();
        });
        if (!is_written) dropped_.fetch_add(1, std::memory_order_relaxed);
    }

    void complain() {
        const auto now = std::chrono::steady_clock::now();
        if (dropped_.load(std::memory_order_relaxed) == 0 || now < silent_until_) return;
        const std::size_t count = dropped_.exchange(0, std::memory_order_relaxed);
        const std::string line = std::to_string(count) + " decisions not recorded, 'epochcast " +
                                 "explain' will lack them: " +
                                 (reason_.empty() ? "more at once than can be written" : reason_);
        reason_.clear();
        silent_until_ = now + complaint_period;
        if (log_ != nullptr) log_(line.c_str());
    }

    void (*const log_)(const char*);
    const std::unique_ptr<Entry[]> ring_;
    std::atomic<std::size_t> pushed_{0};
    std::atomic<std::size_t> written_{0};
    std::atomic<std::size_t> dropped_{0};
    std::string reason_;  // of the last one that could not be written
    std::chrono::steady_clock::time_point silent_until_{};
    std::optional<epochcast::BackgroundThread> thread_;  // last: it uses all of the above
};

extern "C" {

epochcast_journal_t* epochcast_journal_start(void (*log)(const char* line)) {
    return epochcast::guarded(static_cast<epochcast_journal_t*>(nullptr),
                              [&] { return new epochcast_journal(log); });
}

void epochcast_journal_push(epochcast_journal_t* journal,
                            const char* dir,
                            const epochcast_decision_t* decision) {
    if (journal == nullptr || dir == nullptr || dir[0] == '\0' || decision == nullptr) return;
    journal->push(dir, *decision);
}

void epochcast_journal_stop(epochcast_journal_t* journal) {
    // In a forked child the thread does not exist; its memory goes with the child.
    if (journal != nullptr && journal->is_ours()) delete journal;
}

}  // extern "C"
