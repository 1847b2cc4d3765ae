// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/epoch_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace epochcast {

namespace {

// Spread assumed before any repeat was seen, as two virtual observations: 5 % of the mean.
constexpr double prior_relative_deviation = 0.05;
constexpr double prior_weight = 2;

using Records = std::vector<const EpochRecord*>;

bool has_time(const EpochRecord& record) {
    return std::isfinite(record.wall_s) && record.wall_s > 0;
}

// Mean of a field over the records that have it; NaN if none has.
template <class Field>
double mean_of(const Records& records, Field field) {
    double sum = 0;
    std::size_t count = 0;
    for (const EpochRecord* record : records) {
        const double value = field(*record);
        if (!std::isfinite(value)) continue;
        sum += value;
        ++count;
    }
    return count == 0 ? absent : sum / static_cast<double>(count);
}

double real(std::uint64_t count) {
    return count == absent_count ? absent : static_cast<double>(count);
}

EpochMeans means_of(const Records& records) {
    EpochMeans means;
    means.time_s = mean_of(records, [](const EpochRecord& r) { return r.wall_s; });
    means.cpu_s = mean_of(records, [](const EpochRecord& r) { return r.cpu_s; });
    means.peak_memory_bytes =
        mean_of(records, [](const EpochRecord& r) { return real(r.peak_memory_bytes); });
    means.disk_read_bytes =
        mean_of(records, [](const EpochRecord& r) { return real(r.disk_read_bytes); });
    means.disk_written_bytes =
        mean_of(records, [](const EpochRecord& r) { return real(r.disk_written_bytes); });
    means.flop = mean_of(records, [](const EpochRecord& r) { return r.flop; });
    double flop = 0;
    double flop_time_s = 0;
    for (const EpochRecord* record : records) {
        if (!std::isfinite(record->flop)) continue;
        flop += record->flop;
        flop_time_s += record->wall_s;
    }
    if (flop_time_s > 0) means.flop_rate = flop / flop_time_s;
    return means;
}

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// Keeps the records whose time is near the median; see robust_means() in the header.
Records without_absurd(const Records& records) {
    std::vector<double> times;
    for (const EpochRecord* record : records) times.push_back(record->wall_s);
    const double median = median_of(times);
    for (double& time : times) time = std::abs(time - median);
    // 1.4826: standard deviation of a normal distribution over its median absolute deviation.
    const double bound = std::max(5 * 1.4826 * median_of(times), 0.5 * median);
    Records kept;
    std::ranges::copy_if(records, std::back_inserter(kept), [&](const EpochRecord* record) {
        return std::abs(record->wall_s - median) <= bound;
    });
    return kept;
}

// The 95 % point of Student's t with this many degrees of freedom (>= 2), by the expansion around
// the normal quantile (Abramowitz and Stegun 26.7.5).
double t_quantile_95(double degrees) {
    constexpr double z = 1.6448536269514722;
    const double z3 = z * z * z;
    const double z5 = z3 * z * z;
    const double z7 = z5 * z * z;
    return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees * degrees * degrees);
}

void set_interval(RobustMeans& result, const Records& records) {
    const double mean = result.means.time_s;
    const auto count = static_cast<double>(records.size());
    double squares = prior_weight * std::pow(prior_relative_deviation * mean, 2);
    for (const EpochRecord* record : records) squares += std::pow(record->wall_s - mean, 2);
    const double degrees = prior_weight + count - 1;
    const double half =
        t_quantile_95(degrees) * std::sqrt(squares / degrees) * std::sqrt(1 + 1 / count);
    // Times are positive: an interval wider than the mean is closed on the scale of ratios.
    result.low_s = half < mean ? mean - half : mean / (1 + half / mean);
    result.high_s = mean + half;
}

}  // namespace

EpochMeans plain_means(std::span<const EpochRecord> records) {
    Records all;
    for (const EpochRecord& record : records) {
        if (has_time(record) && (record.flags & (epoch_partial | epoch_generated)) == 0) {
            all.push_back(&record);
        }
    }
    return means_of(all);
}

RobustMeans robust_means(std::span<const EpochRecord> records) {
    Records steady;
    Records doubtful;
    for (const EpochRecord& record : records) {
        if (!has_time(record) || (record.flags & (epoch_partial | epoch_generated)) != 0) continue;
        const bool is_doubtful = (record.flags & (epoch_warm_up | epoch_resumed)) != 0;
        (is_doubtful ? doubtful : steady).push_back(&record);
    }
    RobustMeans result;
    result.only_doubtful = steady.empty() && !doubtful.empty();
    if (result.only_doubtful) steady.swap(doubtful);
    if (steady.empty()) return result;
    const Records kept = without_absurd(steady);
    result.used = static_cast<std::uint32_t>(kept.size());
    result.means = means_of(kept);
    set_interval(result, kept);
    return result;
}

}  // namespace epochcast
