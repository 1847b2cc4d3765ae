// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/duty.hpp"

#include <unistd.h>

#include <fstream>

#include "core/version.hpp"
#include "select/companions.hpp"

namespace epochcast::slurm {

namespace {

constexpr std::chrono::milliseconds look_period{1000};

// From 23.11 on slurmctld says so to the process that takes over in a reconfigure.
constexpr const char* reconfigure_variable = "SLURMCTLD_RECONF";

// Without a configuration, as in epochcast-selftest, a folder that cannot exist.
std::string marks_dir() {
    const char* state = slurm_conf.state_save_location;
    return std::string(state ? state : "/dev/null") + "/epochcast";
}

std::string host_name() {
    char name[65] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

std::string one_line(std::string text) {
    for (char& letter : text)
        if (letter == '\n') letter = ' ';
    return text;
}

}  // namespace

Duty::Duty(JobTestFunction stock_job_test, const char* forecast_dir)
    : stock_(stock_job_test),
      forecast_dir_(forecast_dir),
      marks_(marks_dir().c_str(), host_name().c_str()) {
    if (std::getenv(reconfigure_variable)) marks_.remove_all();
    const bool stands_aside = marks_.crashed_twice(std::time(nullptr));
    if (stands_aside)
        error(
            "epochcast: slurmctld died twice within 10 minutes, each time soon after it started "
            "with this plugin: no job is steered. `scontrol reconfigure` steers again, and so "
            "does removing %s before a restart",
            marks_.dir());
    try {
        if (!stands_aside) go_on_duty();
        thread_.emplace("epochcast-duty", look_period, [this] { look(); });
    } catch (...) {
        marks_.remove();  // nothing of ours runs, so nothing of ours can crash
        throw;
    }
    if (!stands_aside) add_companions();
}

void Duty::go_on_duty() {
    if (const int failure = marks_.add(std::time(nullptr)))
        info("epochcast: cannot write in %s (%s): crashes of slurmctld are not counted",
             marks_.dir(),
             std::strerror(failure));
    on_duty_ns_ = monotonic_ns();
    is_marked_ = true;
    owned_ = std::make_unique<Shim>(stock_, forecast_dir_.c_str());
    shim_.store(owned_.get(), std::memory_order_release);
}

void Duty::slurm_conf_is_read() noexcept {
    ++readings_;
    // Two crashes may have been a companion's; a reconfigure forgives both.
    if (shim() || readings_ > 1) add_companions();
}

void Duty::look() {
    const int readings = readings_.load();
    if (readings > readings_seen_) {
        marks_.remove_all();
        is_marked_ = false;
        if (!owned_) {
            go_on_duty();
            info("epochcast: slurm.conf was read again: jobs are steered again");
            is_state_written_ = false;
        }
        readings_seen_ = readings;
    }
    if (is_marked_ && monotonic_ns() - on_duty_ns_ >= healthy_after_s * uint64_t{1'000'000'000}) {
        marks_.remove();
        is_marked_ = false;
    }
    if (!is_state_written_) {
        is_state_written_ = true;  // tried once: without the file `doctor` knows less, no more
        write_state();
    }
}

// Whole or not at all: written beside its place and moved there.
void Duty::write_state() const {
    const std::string path = std::string(marks_.dir()) + "/state";
    const std::string fresh = path + "." + std::to_string(::getpid());
    {
        std::ofstream file(fresh, std::ios::trunc);
        file << "pid " << ::getpid() << "\nstart_ticks " << process_start_ticks(::getpid())
             << "\nhost " << host_name() << "\nsteers " << (owned_ ? "yes" : "no") << "\nepochcast "
             << package_version << "\nslurm " << SLURM_VERSION_STRING << "\nforecast_dir "
             << one_line(forecast_dir_) << "\n";
        if (!file.flush()) return static_cast<void>(::unlink(fresh.c_str()));
    }
    if (std::rename(fresh.c_str(), path.c_str()) != 0) ::unlink(fresh.c_str());
}

}  // namespace epochcast::slurm
