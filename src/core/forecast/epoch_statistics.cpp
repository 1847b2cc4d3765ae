// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/epoch_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/forecast/statistics.hpp"

namespace epochcast {

namespace {

// Spread assumed before any repeat was seen, as two virtual observations: 5 % of the mean.
constexpr double prior_relative_deviation = 0.05;
constexpr double prior_weight = 2;

// A first epoch this much slower than the later ones was a warm-up, whatever its flags say.
constexpr double slow_first_factor = 1.25;

// Batches that differ by less are one: the last step of an epoch may be smaller.
constexpr double same_batch_tolerance = 0.1;

// A trend needs this many epochs, a slope of so many standard errors, and a drift of this part of
// the mean over all epochs.
constexpr std::size_t trend_epochs = 8;
constexpr double trend_errors = 5;
constexpr double trend_drift = 0.1;

// A record and what its amounts are multiplied by to stand for an epoch of median length.
struct Sample {
    const EpochRecord* record = nullptr;
    double factor = 1;
    double time_s() const { return record->wall_s * factor; }
};
using Samples = std::vector<Sample>;

bool has_time(const EpochRecord& record) {
    return std::isfinite(record.wall_s) && record.wall_s > 0;
}

double real(std::uint64_t count) {
    return count == absent_count ? absent : static_cast<double>(count);
}

double positive(std::uint64_t count) { return count == 0 ? absent : real(count); }

std::vector<double> times_of(const Samples& samples) {
    std::vector<double> times;
    for (const Sample& sample : samples) times.push_back(sample.time_s());
    return times;
}

// Mean of a field over the samples that have it; NaN if none has.
template <class Field>
double mean_of(const Samples& samples, Field field) {
    double sum = 0;
    std::size_t count = 0;
    for (const Sample& sample : samples) {
        const double value = field(*sample.record, sample.factor);
        if (!std::isfinite(value)) continue;
        sum += value;
        ++count;
    }
    return count == 0 ? absent : sum / static_cast<double>(count);
}

EpochMeans means_of(const Samples& samples) {
    EpochMeans means;
    means.time_s = mean_of(samples, [](auto& r, double f) { return r.wall_s * f; });
    means.cpu_s = mean_of(samples, [](auto& r, double f) { return r.cpu_s * f; });
    means.peak_memory_bytes =
        mean_of(samples, [](auto& r, double) { return real(r.peak_memory_bytes); });
    means.disk_read_bytes =
        mean_of(samples, [](auto& r, double f) { return real(r.disk_read_bytes) * f; });
    means.disk_written_bytes =
        mean_of(samples, [](auto& r, double f) { return real(r.disk_written_bytes) * f; });
    means.flop = mean_of(samples, [](auto& r, double f) { return r.flop * f; });
    double flop = 0;
    double flop_time_s = 0;
    for (const Sample& sample : samples) {
        if (!std::isfinite(sample.record->flop)) continue;
        flop += sample.record->flop;
        flop_time_s += sample.record->wall_s;
    }
    if (flop_time_s > 0) means.flop_rate = flop / flop_time_s;
    return means;
}

// The records sorted by how far they can be trusted.
struct Sorted {
    Samples steady;
    Samples generated;
    Samples doubtful;
};

Sorted sorted(std::span<const EpochRecord> records) {
    Sorted result;
    for (const EpochRecord& record : records) {
        if (!has_time(record) || (record.flags & epoch_partial) != 0) continue;
        const bool is_doubtful = (record.flags & (epoch_warm_up | epoch_resumed)) != 0;
        const bool is_generated = (record.flags & epoch_generated) != 0;
        (is_generated  ? result.generated
         : is_doubtful ? result.doubtful
                       : result.steady)
            .push_back({&record});
    }
    return result;
}

double samples_per_step_of(const EpochRecord& record) {
    return positive(record.samples) / positive(record.steps);
}

// Keeps the samples of one batch size; see robust_means().
void drop_other_batches(Samples& samples, double declared) {
    double kept = absent;
    for (const Sample& sample : samples) {
        const double batch = samples_per_step_of(*sample.record);
        if (!std::isfinite(batch)) continue;
        const bool is_nearer =
            !std::isfinite(kept) || !std::isfinite(declared) ||
            std::abs(std::log(batch / declared)) <= std::abs(std::log(kept / declared));
        if (is_nearer) kept = batch;
    }
    std::erase_if(samples, [kept](const Sample& sample) {
        return std::abs(samples_per_step_of(*sample.record) / kept - 1) > same_batch_tolerance;
    });
}

// Makes epochs of unequal length comparable; returns the steps of the median one, or NaN.
double level(Samples& samples) {
    const auto level_by = [&](auto length_of) {
        std::vector<double> lengths;
        for (const Sample& sample : samples) lengths.push_back(length_of(*sample.record));
        if (!std::ranges::all_of(lengths, [](double l) { return std::isfinite(l); })) return absent;
        const double typical = median(lengths);
        for (std::size_t i = 0; i < samples.size(); ++i) samples[i].factor = typical / lengths[i];
        return typical;
    };
    const double steps = level_by([](const EpochRecord& r) { return positive(r.steps); });
    if (!std::isfinite(steps)) level_by([](const EpochRecord& r) { return positive(r.samples); });
    return steps;
}

// Leaves out a first epoch that was a warm-up although its flags do not say so.
void drop_slow_first(Samples& samples) {
    std::vector<double> later;
    for (const Sample& sample : samples) {
        if (sample.record->epoch > 0) later.push_back(sample.time_s());
    }
    if (later.empty()) return;
    const double bound = slow_first_factor * median(later);
    std::erase_if(samples, [bound](const Sample& sample) {
        return sample.record->epoch == 0 && sample.time_s() > bound;
    });
}

// Keeps the samples whose time is near the median; see robust_means() in the header.
void drop_absurd(Samples& samples) {
    std::vector<double> times = times_of(samples);
    const double middle = median(times);
    for (double& time : times) time = std::abs(time - middle);
    // 1.4826: standard deviation of a normal distribution over its median absolute deviation.
    const double bound = std::max(5 * 1.4826 * median(times), 0.5 * middle);
    std::erase_if(samples, [middle, bound](const Sample& sample) {
        return std::abs(sample.time_s() - middle) > bound;
    });
}

// Seconds per epoch by which the times rise (or fall, negative); 0 where they show no trend.
double drift_of(const Samples& samples) {
    if (samples.size() < trend_epochs) return 0;
    const auto count = static_cast<double>(samples.size());
    const double middle = (count - 1) / 2;
    const double mean = mean_of_all(times_of(samples));
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double x = static_cast<double>(i) - middle;
        const double y = samples[i].time_s() - mean;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    const double slope = xy / xx;
    const double error = std::sqrt(std::max(yy - slope * xy, 0.0) / (count - 2) / xx);
    const bool is_trend =
        std::abs(slope) > trend_errors * error && std::abs(slope) * count > trend_drift * mean;
    return is_trend ? slope : 0;
}

void set_interval(RobustMeans& result, const Samples& samples) {
    const double mean = result.means.time_s;
    const auto count = static_cast<double>(samples.size());
    double squares = prior_weight * std::pow(prior_relative_deviation * mean, 2);
    for (const Sample& sample : samples) squares += std::pow(sample.time_s() - mean, 2);
    const double degrees = prior_weight + count - 1;
    const double half =
        t_quantile_95(degrees) * std::sqrt(squares / degrees) * std::sqrt(1 + 1 / count);
    // Times are positive: an interval wider than the mean is closed on the scale of ratios.
    result.low_s = half < mean ? mean - half : mean / (1 + half / mean);
    result.high_s = mean + half;
}

// Widens the interval by what the times would drift in as many epochs again.
void widen_by_drift(RobustMeans& result, std::size_t epochs) {
    const double drift = result.drift_s * static_cast<double>(epochs);
    if (drift > 0) result.high_s += drift;
    if (drift < 0) result.low_s /= 1 - drift / result.means.time_s;
}

}  // namespace

EpochMeans plain_means(std::span<const EpochRecord> records) {
    Samples all;
    for (const EpochRecord& record : records) {
        if (has_time(record) && (record.flags & (epoch_partial | epoch_generated)) == 0) {
            all.push_back({&record});
        }
    }
    return means_of(all);
}

RobustMeans robust_means(std::span<const EpochRecord> records, double samples_per_step) {
    Sorted kinds = sorted(records);
    RobustMeans result;
    result.only_generated = kinds.steady.empty() && !kinds.generated.empty();
    result.only_doubtful =
        kinds.steady.empty() && !result.only_generated && !kinds.doubtful.empty();
    Samples& samples = result.only_generated  ? kinds.generated
                       : result.only_doubtful ? kinds.doubtful
                                              : kinds.steady;
    if (samples.empty()) return result;
    drop_other_batches(samples, samples_per_step);
    result.steps = level(samples);
    drop_slow_first(samples);
    drop_absurd(samples);
    result.drift_s = drift_of(samples);
    const std::size_t epochs = samples.size();
    if (result.drift_s != 0) {
        const std::size_t last = std::max<std::size_t>(3, epochs / 4);
        samples.erase(samples.begin(), samples.end() - static_cast<std::ptrdiff_t>(last));
    }
    result.used = static_cast<std::uint32_t>(samples.size());
    result.means = means_of(samples);
    set_interval(result, samples);
    widen_by_drift(result, epochs);
    return result;
}

}  // namespace epochcast
