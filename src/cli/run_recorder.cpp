// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/run_recorder.hpp"

#include <chrono>

#include <fmt/format.h>

#include "cli/watched_program.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"
#include "meter/process_tree.hpp"

namespace epochcast {

namespace {

constexpr double sample_every_s = 0.5;
// How long the end of a program waits for a file system that hangs.
constexpr std::chrono::seconds patience{5};

double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::uint64_t now_ns() {
    using namespace std::chrono;
    return static_cast<std::uint64_t>(
        duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count());
}

// Nothing was used before the program began.
ProcessUse no_use() {
    ProcessUse use;
    use.cpu_s = 0;
    use.disk_read_bytes = use.disk_written_bytes = 0;
    use.syscall_read_bytes = use.syscall_written_bytes = 0;
    return use;
}

}  // namespace

RunRecorder::RunRecorder(RunSettings settings, std::function<void(const std::string&)> warn)
    : settings_(std::move(settings)),
      warn_(std::move(warn)),
      start_s_(now()),
      rows_({start_s_,
             settings_.header.start_ns,
             settings_.sees_all_nodes,
             settings_.header.attributes.samples_per_epoch}),
      log_(settings_.log_dir, settings_.header, settings_.is_resumed),
      recogniser_(start_s_, settings_.unit, [this](const EpochEvent& event) { take(event); }),
      last_sample_s_(start_s_),
      last_row_s_(start_s_) {
    use_.add(start_s_, no_use());
}

void RunRecorder::output(std::size_t stream, std::string_view bytes) {
    const double now_s = now();
    if (now_s - last_sample_s_ >= sample_every_s) sample(now_s);
    recogniser_.feed(stream, bytes, now_s);
}

void RunRecorder::tick(int pid) {
    pid_ = pid;
    const double now_s = now();
    sample(now_s);
    recogniser_.tick(now_s);
    append_partial(now_s);
    tell_trouble();
}

void RunRecorder::sample(double now_s) {
    if (pid_ == 0) return;
    use_.add(now_s, process_use(process_tree(pid_)));
    last_sample_s_ = now_s;
}

void RunRecorder::take(const EpochEvent& event) {
    const double now_s = now();
    // An epoch that ended after the last sample is measured up to now.
    if (event.end_s > last_sample_s_) sample(now_s);
    const auto rows = rows_.ended(event, use_);
    append(rows, now_s);
    if (rows.empty() || !event.is_whole) return;
    ++epochs_;
    total_s_ += event.wall_s;
}

void RunRecorder::append(const std::vector<EpochRecord>& rows, double now_s) {
    if (rows.empty()) return;
    has_rows_ = true;
    last_epoch_ = rows.back().epoch;
    last_row_s_ = now_s;
    log_.append(rows);
}

void RunRecorder::append_partial(double now_s) {
    const bool is_declared = settings_.unit.steps || settings_.unit.tokens;
    if (!is_declared || now_s - last_row_s_ < settings_.partial_every_s - 1) return;
    const auto epoch = recogniser_.unfinished();
    if (epoch) append(rows_.partial(*epoch, now_s, settings_.unit.steps, use_), now_s);
}

void RunRecorder::tell_trouble() {
    if (const auto trouble = log_.new_trouble()) {
        warn_("the epoch log cannot be written, training goes on: " + *trouble);
    }
}

std::string RunRecorder::nothing_recognised() const {
    const std::string said = "nothing was recorded: ";
    if (settings_.unit.tokens && recogniser_.saw_steps() && !recogniser_.saw_tokens()) {
        return said + "the output counts steps, but names no tokens; say --steps-per-epoch N";
    }
    if (settings_.unit.steps || settings_.unit.tokens) {
        return said + "no epoch of the declared length ended in the output";
    }
    if (recogniser_.dropped() > 0) {
        return said +
               "epochs were printed, but no time passed between them; is the output held "
               "back in a buffer?";
    }
    if (recogniser_.saw_epochs()) return said + "an epoch began in the output, but none ended";
    if (recogniser_.saw_steps()) {
        return said +
               "the output counts steps, but no epochs; say what an epoch is with "
               "--steps-per-epoch N";
    }
    return said +
           "no epochs were recognised in the output; print a line such as 'Epoch 3/10' when "
           "an epoch begins, or say --steps-per-epoch N where steps are printed";
}

std::string RunRecorder::finish(int exit_code, bool is_task_proposed) {
    recogniser_.finish(exit_code == 0);
    const std::string how = exit_code > 128 ? fmt::format("signal {}", exit_code - 128)
                                            : fmt::format("exit code {}", exit_code);
    std::vector<LogEvent> events = {{EventKind::end, now_ns(), last_epoch_, how}};
    if (exit_code != 0)
        events.insert(events.begin(), {EventKind::failure, now_ns(), last_epoch_, how});
    const auto end = log_.close(events, patience);
    tell_trouble();
    const bool may_never_have_run = exit_code == exit_not_executable || exit_code == exit_not_found;
    if (!has_rows_) return may_never_have_run ? "" : nothing_recognised();
    const std::string what = fmt::format(
        "{} of task '{}'{}",
        plural(epochs_, "epoch"),
        settings_.header.task.name,
        is_task_proposed ? " (a name made of the command; --task NAME gives another)" : "");
    if (end.path.empty() || !end.is_complete) {
        return what +
               (end.path.empty() ? " not recorded: no log could be written below "
                                 : " recorded in part only in ") +
               plain((end.path.empty() ? settings_.log_dir : end.path).string(), 1000);
    }
    const std::string mean =
        epochs_ == 0 ? "" : ", mean " + human_duration(total_s_ / static_cast<double>(epochs_));
    const std::string dropped =
        recogniser_.dropped() == 0
            ? ""
            : fmt::format(", {} left out that took no time", recogniser_.dropped());
    return what + mean + dropped + ", recorded in " + plain(end.path.string(), 1000);
}

}  // namespace epochcast
