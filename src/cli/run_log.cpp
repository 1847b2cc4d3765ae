// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/run_log.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace epochcast {

namespace {

constexpr std::size_t most_waiting = 10'000;

}  // namespace

// Owned by both sides, so that a thread that hangs can be left behind.
struct RunLog::Shared {
    std::filesystem::path dir;
    LogHeader header;
    bool is_resumed = false;

    std::mutex mutex;
    std::condition_variable news;
    std::deque<EpochRecord> rows;
    std::vector<LogEvent> last_events;
    bool is_over = false;
    bool is_done = false;
    bool lost_rows = false;
    std::string trouble;
    bool trouble_told = false;
    std::filesystem::path path;

    void write_until_over();
    void write_or_give_up();
    void give_up(const std::string& why);
    void write(std::optional<LogWriter>& writer, std::deque<EpochRecord>& taken);
    void note_trouble(const Error& error, bool is_lost);
};

void RunLog::Shared::note_trouble(const Error& error, bool is_lost) {
    const std::lock_guard lock(mutex);
    if (trouble.empty()) trouble = error.message;
    lost_rows = lost_rows || is_lost;
}

// Rows that could not be written stay in `taken`.
void RunLog::Shared::write(std::optional<LogWriter>& writer, std::deque<EpochRecord>& taken) {
    if (!writer && !taken.empty()) {
        auto made = LogWriter::create(dir, header, is_resumed);
        if (!made) {
            note_trouble(made.error(), false);
            return;
        }
        writer = std::move(made).value();
        const std::lock_guard lock(mutex);
        path = writer->path();
    }
    for (; !taken.empty(); taken.pop_front()) {
        const auto written = writer->append(taken.front());
        // The writer keeps the row and brings it to the file with the next one that fits.
        if (!written) note_trouble(written.error(), true);
    }
}

void RunLog::Shared::write_until_over() {
    std::optional<LogWriter> writer;
    std::deque<EpochRecord> taken;
    for (bool over = false; !over;) {
        std::vector<LogEvent> events;
        {
            std::unique_lock lock(mutex);
            news.wait(lock, [&] { return is_over || !rows.empty(); });
            taken.insert(taken.end(), rows.begin(), rows.end());
            rows.clear();
            over = is_over;
            if (over) events = last_events;
        }
        while (taken.size() > most_waiting) taken.pop_front();
        write(writer, taken);
        if (!writer) continue;
        for (const LogEvent& event : events) {
            const auto written = writer->append(event);
            if (!written) note_trouble(written.error(), false);
        }
    }
    writer.reset();
    const std::lock_guard lock(mutex);
    lost_rows = lost_rows || !taken.empty();
    is_done = true;
    news.notify_all();
}

void RunLog::Shared::give_up(const std::string& why) {
    const std::lock_guard lock(mutex);
    trouble = why;
    lost_rows = is_done = true;
    news.notify_all();
}

// What a machine that is out of memory throws must not end the program that we watch.
void RunLog::Shared::write_or_give_up() {
    try {
        write_until_over();
    } catch (const std::exception& error) {
        give_up(error.what());
    }
}

RunLog::RunLog(std::filesystem::path dir, LogHeader header, bool is_resumed)
    : shared_(std::make_shared<Shared>()) {
    shared_->dir = std::move(dir);
    shared_->header = std::move(header);
    shared_->is_resumed = is_resumed;
    try {
        std::thread([shared = shared_] { shared->write_or_give_up(); }).detach();
    } catch (const std::system_error& error) {  // no further thread for this user
        shared_->give_up(error.what());
    }
}

RunLog::~RunLog() {
    const std::lock_guard lock(shared_->mutex);
    shared_->is_over = true;
    shared_->news.notify_all();
}

void RunLog::append(const std::vector<EpochRecord>& rows) {
    const std::lock_guard lock(shared_->mutex);
    shared_->rows.insert(shared_->rows.end(), rows.begin(), rows.end());
    while (shared_->rows.size() > most_waiting) {
        shared_->rows.pop_front();
        shared_->lost_rows = true;
    }
    shared_->news.notify_all();
}

std::optional<std::string> RunLog::new_trouble() {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->trouble.empty() || std::exchange(shared_->trouble_told, true)) return std::nullopt;
    return shared_->trouble;
}

RunLog::End RunLog::close(const std::vector<LogEvent>& events, std::chrono::milliseconds patience) {
    std::unique_lock lock(shared_->mutex);
    shared_->last_events = events;
    shared_->is_over = true;
    shared_->news.notify_all();
    const bool done = shared_->news.wait_for(lock, patience, [&] { return shared_->is_done; });
    return {shared_->path, done && !shared_->lost_rows};
}

}  // namespace epochcast
