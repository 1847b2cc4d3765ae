// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <chrono>
#include <ctime>
#include <optional>

#include "decide/background_thread.hpp"
#include "decide/c_face.hpp"
#include "decide/epochcast_decide.h"
#include "decide/folder.hpp"
#include "decide/handover.hpp"

namespace {

// `off` must act within 2 s, also when one round is late.
constexpr std::chrono::milliseconds poll_period{250};

// A second write within one clock tick of the file system leaves no trace in its times, so a folder
// that was changed is read again for another second.
constexpr int rereads_after_change = 4;

}  // namespace

struct epochcast_watch {
    epochcast_watch(const char* dir, void (*log)(const char*))
        : dir_(dir), log_(log), thread_("epochcast-watch", poll_period, [this] { look(); }) {}

    const epochcast_table* table() noexcept { return handover_.take(); }
    bool is_ours() const { return thread_.is_ours(); }

  private:
    void look() {
        handover_.free_retired();
        const std::int64_t now_unix_s = std::time(nullptr);
        std::string fingerprint = epochcast::folder_fingerprint(dir_);
        if (fingerprint != fingerprint_) {
            rereads_left_ = rereads_after_change;
        } else if (rereads_left_ > 0) {
            --rereads_left_;
            if (epochcast::folder_checksum(dir_) == checksum_) return;
        } else if (now_unix_s <= read_again_unix_s_) {
            return;
        }
        const std::uint64_t checksum = epochcast::folder_checksum(dir_);
        epochcast::FolderState state = epochcast::read_folder(dir_, now_unix_s, last_good_);
        handover_.offer(std::move(state.table));
        // Only now: had reading thrown, the next round would try again.
        fingerprint_ = std::move(fingerprint);
        checksum_ = checksum;
        read_again_unix_s_ = state.read_again_unix_s;
        if (state.kind != kind_ && log_ != nullptr) log_(state.line.c_str());
        kind_ = std::move(state.kind);
    }

    const std::filesystem::path dir_;
    void (*const log_)(const char*);
    std::optional<std::string> fingerprint_;  // of the folder when it was read last
    std::uint64_t checksum_ = 0;              // of its files then
    std::int64_t read_again_unix_s_ = 0;
    int rereads_left_ = 0;
    std::string kind_;
    epochcast::LastGood last_good_;
    epochcast::TableHandover handover_;
    epochcast::BackgroundThread thread_;  // last: it uses all of the above
};

extern "C" {

epochcast_watch_t* epochcast_watch_start(const char* dir, void (*log)(const char* line)) {
    if (dir == nullptr) return nullptr;
    return epochcast::guarded(static_cast<epochcast_watch_t*>(nullptr),
                              [&] { return new epochcast_watch(dir, log); });
}

const epochcast_table_t* epochcast_watch_table(epochcast_watch_t* watch) {
    return watch == nullptr ? nullptr : watch->table();
}

void epochcast_watch_stop(epochcast_watch_t* watch) {
    // In a forked child the thread does not exist; its memory goes with the child.
    if (watch != nullptr && watch->is_ours()) delete watch;
}

}  // extern "C"
