// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/forecast/remaining.hpp"

#include <algorithm>
#include <cmath>

#include "core/forecast/epoch_statistics.hpp"

namespace epochcast {

namespace {

constexpr double stalled_factor = 5;

// What one more epoch takes.
struct EpochTime {
    double mean_s = 0;
    double low_s = 0;
    double high_s = 0;
    double drift_s = 0;
    std::uint32_t used = 0;  // epochs that the mean rests on
    std::string basis;
};

std::optional<EpochTime> epoch_time(std::span<const EpochRecord> rows, const Forecast* prior) {
    const RobustMeans own = robust_means(rows);
    if (own.used > 0 && !own.only_doubtful && !own.only_generated) {
        return EpochTime{
            own.means.time_s,
            own.low_s,
            own.high_s,
            own.drift_s,
            own.used,
            "from its own " + std::to_string(own.used) + (own.used == 1 ? " epoch" : " epochs")};
    }
    if (prior == nullptr || !(prior->epoch.time_s > 0)) return std::nullopt;
    return EpochTime{
        prior->epoch.time_s, prior->epoch_low_s, prior->epoch_high_s, 0, 1, prior->basis};
}

// Epochs that have ended: the highest index counts, so repeated ones after a restart do not.
std::uint64_t ended_epochs(std::span<const EpochRecord> rows) {
    std::uint64_t ended = 0;
    for (const EpochRecord& row : rows) {
        if ((row.flags & epoch_partial) == 0 && row.epoch != absent_count) {
            ended = std::max(ended, row.epoch + 1);
        }
    }
    return ended;
}

// Half the interval of a sum of `count` epochs over half that of one: the error of the mean, which
// all share, and their own scatter, which averages out.
double widening(double count, std::uint32_t used) {
    const double n = used;
    return std::sqrt((count * count / n + count) / (1 / n + 1));
}

}  // namespace

std::optional<Remaining> forecast_remaining(std::span<const EpochRecord> rows,
                                            std::uint64_t epochs,
                                            double in_epoch_s,
                                            const Forecast* prior) {
    const auto epoch = epoch_time(rows, prior);
    if (!epoch) return std::nullopt;
    const std::uint64_t ended = ended_epochs(rows);
    Remaining remaining;
    remaining.epochs = epochs > ended ? epochs - ended : 0;
    remaining.basis = epoch->basis;
    if (remaining.epochs == 0) return remaining;
    const auto count = static_cast<double>(remaining.epochs);
    const double gone_s = std::isfinite(in_epoch_s) ? std::max(in_epoch_s, 0.0) : 0;
    // A running epoch has at least nothing left, however long it has run.
    const auto left = [&](double epoch_s, double all_s) {
        return std::max(all_s - std::min(gone_s, epoch_s), 0.0);
    };
    const double wider = widening(count, epoch->used);
    const double drift_s = epoch->drift_s * count * count / 2;
    const double all_s = count * epoch->mean_s;
    remaining.is_stalled = gone_s > stalled_factor * epoch->high_s;
    remaining.time_s = left(epoch->mean_s, all_s);
    remaining.low_s = left(
        epoch->mean_s,
        std::max(all_s - wider * (epoch->mean_s - epoch->low_s) + std::min(drift_s, 0.0), 0.0));
    remaining.high_s = left(
        epoch->mean_s, all_s + wider * (epoch->high_s - epoch->mean_s) + std::max(drift_s, 0.0));
    return remaining;
}

}  // namespace epochcast
