// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "meter/use_track.hpp"

#include <algorithm>
#include <cmath>

namespace epochcast {

namespace {

constexpr std::size_t most_samples = 4096;

constexpr std::uint64_t ProcessUse::*cumulative[] = {&ProcessUse::disk_read_bytes,
                                                     &ProcessUse::disk_written_bytes,
                                                     &ProcessUse::syscall_read_bytes,
                                                     &ProcessUse::syscall_written_bytes};

std::uint64_t or_zero(std::uint64_t count) { return count == absent_count ? 0 : count; }

std::uint64_t mixed(std::uint64_t a, std::uint64_t b, double part) {
    if (a == absent_count || b == absent_count) return absent_count;
    const std::uint64_t gained = b > a ? b - a : 0;
    return a + static_cast<std::uint64_t>(part * static_cast<double>(gained));
}

// What the kernel no longer tells, of a process that just ended, stays as it was.
void keep_known(ProcessUse& use, const ProcessUse& before) {
    for (const auto field : cumulative) {
        if (use.*field == absent_count) use.*field = before.*field;
    }
    if (use.peak_memory_bytes == absent_count) use.peak_memory_bytes = before.peak_memory_bytes;
    if (use.resident_bytes == absent_count) use.resident_bytes = before.resident_bytes;
}

}  // namespace

void UseTrack::add(double time_s, const ProcessUse& use) {
    const bool is_known = !std::isnan(use.cpu_s);
    if (!is_known || (!samples_.empty() && time_s < samples_.back().time_s)) return;
    ProcessUse sum = use;
    if (use.cpu_s < last_raw_.cpu_s) {
        lost_.cpu_s = (std::isnan(lost_.cpu_s) ? 0 : lost_.cpu_s) + last_raw_.cpu_s - use.cpu_s;
    }
    if (!std::isnan(lost_.cpu_s)) sum.cpu_s += lost_.cpu_s;
    for (const auto field : cumulative) {
        const std::uint64_t now = use.*field;
        const std::uint64_t before = last_raw_.*field;
        if (now == absent_count) continue;
        if (before != absent_count && now < before) {
            lost_.*field = or_zero(lost_.*field) + before - now;
        }
        sum.*field = now + or_zero(lost_.*field);
    }
    if (!samples_.empty()) keep_known(sum, samples_.back().use);
    last_raw_ = use;
    samples_.push_back({time_s, sum});
    if (samples_.size() >= most_samples) thin();
}

void UseTrack::thin() {
    const std::size_t half = samples_.size() / 2;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        if (i < half && i % 2 == 1) continue;
        samples_[kept++] = samples_[i];
    }
    samples_.resize(kept);
}

ProcessUse UseTrack::at(double time_s) const {
    const auto after =
        std::ranges::lower_bound(samples_, time_s, {}, [](const Sample& s) { return s.time_s; });
    if (after == samples_.end()) return samples_.back().use;
    if (after == samples_.begin()) return samples_.front().use;
    const Sample& a = *(after - 1);
    const Sample& b = *after;
    const double part = b.time_s > a.time_s ? (time_s - a.time_s) / (b.time_s - a.time_s) : 1;
    ProcessUse use = b.use;
    use.cpu_s = a.use.cpu_s + part * (b.use.cpu_s - a.use.cpu_s);
    for (const auto field : cumulative) use.*field = mixed(a.use.*field, b.use.*field, part);
    return use;
}

ProcessUse UseTrack::between(double begin_s, double end_s) const {
    if (samples_.empty()) return {};
    const ProcessUse first = at(begin_s);
    const ProcessUse last = at(end_s);
    ProcessUse use = last - first;
    // A peak that rose in between was reached in between; else the largest sample.
    const std::uint64_t before = first.peak_memory_bytes;
    const bool has_risen = last.peak_memory_bytes != absent_count &&
                           (before == absent_count || last.peak_memory_bytes > before);
    std::uint64_t resident = absent_count;
    for (const Sample& sample : samples_) {
        if (sample.time_s < begin_s || sample.time_s > end_s) continue;
        if (sample.use.resident_bytes == absent_count) continue;
        resident = std::max(or_zero(resident), sample.use.resident_bytes);
    }
    if (resident == absent_count) resident = last.resident_bytes;
    use.peak_memory_bytes =
        has_risen || resident == absent_count ? last.peak_memory_bytes : resident;
    return use;
}

}  // namespace epochcast
