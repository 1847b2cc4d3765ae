// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/readers/pollux.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/text.hpp"
#include "simulate/readers/csv.hpp"
#include "simulate/readers/plane.hpp"

namespace epochcast::simulate {

namespace {

constexpr double largest = 1e300;
constexpr double most_nodes_measured = 16;
constexpr std::size_t most_nodes_in_key = 9;

// The numbers of one row's named columns, in that order.
class Columns {
  public:
    static Result<Columns> of(const Csv& csv, const std::vector<std::string_view>& names) {
        Columns columns(csv);
        for (const std::string_view name : names) {
            const auto column = csv.column(name);
            if (!column) return column.error();
            columns.numbers_.push_back(column.value());
        }
        return columns;
    }

    Result<std::vector<double>> row(std::size_t row) const {
        std::vector<double> values;
        for (const std::size_t column : numbers_) {
            const auto value = csv_.number(row, column, 0, largest);
            if (!value) return value.error();
            values.push_back(value.value());
        }
        return values;
    }

  private:
    explicit Columns(const Csv& csv) : csv_(csv) {}
    const Csv& csv_;
    std::vector<std::size_t> numbers_;
};

// Calls take(row number, values) for each row. `take` returns Result<void>.
template <class Take>
Result<void> each_row(std::string_view what,
                      std::string_view text,
                      const std::vector<std::string_view>& names,
                      Take take) {
    const auto csv = Csv::read(what, text);
    if (!csv) return csv.error();
    const auto columns = Columns::of(csv.value(), names);
    if (!columns) return columns.error();
    for (std::size_t row = 0; row < csv.value().rows(); ++row) {
        const auto values = columns.value().row(row);
        if (!values) return values.error();
        if (const auto taken = take(csv.value(), row, values.value()); !taken) return taken.error();
    }
    return {};
}

// Digits of a placement, nodes in the order that makes the smallest text of all rotations.
std::string key_of(const std::vector<std::uint32_t>& placement) {
    if (placement.size() > most_nodes_in_key) return {};
    std::string digits;
    for (const std::uint32_t replicas : placement) {
        if (replicas > 9) return {};
        digits += static_cast<char>('0' + replicas);
    }
    std::string smallest = digits;
    for (std::size_t i = 1; i < digits.size(); ++i) {
        std::rotate(digits.begin(), digits.begin() + 1, digits.end());
        smallest = std::min(smallest, digits);
    }
    return smallest;
}

StepTime mix(const StepTime& a, const StepTime& b, double part_of_b) {
    return {a.step_s + (b.step_s - a.step_s) * part_of_b,
            a.sync_s + (b.sync_s - a.sync_s) * part_of_b};
}

// Linear between the measured batches, and the nearest one's value outside them.
StepTime at(const std::map<double, StepTime>& curve, double local_batch) {
    const auto above = curve.lower_bound(local_batch);
    if (above == curve.end()) return curve.rbegin()->second;
    if (above == curve.begin() || above->first == local_batch) return above->second;
    const auto below = std::prev(above);
    return mix(
        below->second, above->second, (local_batch - below->first) / (above->first - below->first));
}

bool covers(const std::map<double, StepTime>& curve, double local_batch) {
    return curve.begin()->first <= local_batch && local_batch <= curve.rbegin()->first;
}

}  // namespace

Result<std::vector<PolluxJob>> read_pollux_workload(std::string_view text) {
    std::vector<PolluxJob> jobs;
    const auto name = [](const Csv& csv, std::size_t row, std::string_view column) {
        const auto at_column = csv.column(column);
        return at_column ? std::string(csv.field(row, at_column.value())) : std::string();
    };
    const auto read = each_row(
        "workload",
        text,
        {"time", "num_replicas", "batch_size"},
        [&](const Csv& csv, std::size_t row, const std::vector<double>& values) -> Result<void> {
            PolluxJob job{name(csv, row, "name"),
                          name(csv, row, "application"),
                          values[0],
                          static_cast<std::uint32_t>(std::min(values[1], 1e6)),
                          static_cast<std::uint64_t>(values[2])};
            if (job.replicas == 0 || job.batch == 0) {
                return Error{ErrorKind::bad_input,
                             "workload job " + quoted(job.name) + ": no replicas or no batch"};
            }
            jobs.push_back(std::move(job));
            return {};
        });
    if (!read) return read.error();
    return jobs;
}

std::optional<PolluxApplication> pollux_application(std::string_view name) {
    if (name == "bert") return PolluxApplication{2, 0};
    if (name == "cifar10") return PolluxApplication{100, 0};
    if (name == "ncf") return PolluxApplication{10, 0};
    if (name == "imagenet") return PolluxApplication{90, 0};
    if (name == "deepspeech2") return PolluxApplication{80, 0};
    if (name == "yolov3") return PolluxApplication{50, 8};
    return std::nullopt;
}

Result<PolluxProfile> PolluxProfile::read(const PolluxTexts& texts,
                                          std::size_t epochs,
                                          std::uint64_t largest_local_batch) {
    PolluxProfile profile;
    profile.epochs_ = epochs;
    if (const auto read = profile.read_placements(texts.placements); !read) return read.error();
    if (const auto read = profile.read_scalability(texts.scalability); !read) return read.error();
    for (const auto& [batch, text] : texts.validation) {
        if (const auto read = profile.read_run(batch, text); !read) return read.error();
    }
    if (profile.smallest_local_batch_ == 0 || profile.runs_.empty() || epochs == 0) {
        return Error{ErrorKind::bad_input, "profile: no placement, no batch, no run or no epoch"};
    }
    if (largest_local_batch > 0) profile.largest_local_batch_ = largest_local_batch;
    return profile;
}

Result<void> PolluxProfile::read_placements(std::string_view text) {
    std::map<std::pair<double, double>, std::map<double, std::vector<StepTime>>> sizes;
    double smallest = std::numeric_limits<double>::infinity();
    double most = 0;
    const auto take =
        [&](const Csv& csv, std::size_t row, const std::vector<double>& values) -> Result<void> {
        const std::string digits(csv.field(row, csv.column("placement").value()));
        if (digits.empty() || digits.find_first_not_of("123456789") != std::string::npos) {
            return Error{ErrorKind::bad_input, "placement " + quoted(digits) + " is not digits"};
        }
        const StepTime time{values[2], values[3]};
        double replicas = 0;
        for (const char c : digits) replicas += c - '0';
        placements_[digits][values[1]] = time;
        sizes[{static_cast<double>(digits.size()), replicas}][values[1]].push_back(time);
        smallest = std::min(smallest, values[1]);
        most = std::max(most, values[1]);
        return {};
    };
    const auto read =
        each_row("placements", text, {"placement", "local_bsz", "step_time", "sync_time"}, take);
    if (!read) return read.error();
    for (const auto& [size, batches] : sizes) {
        for (const auto& [batch, times] : batches) {
            StepTime& mean = by_size_[size][batch];
            for (const StepTime& time : times) {
                mean.step_s += time.step_s / static_cast<double>(times.size());
                mean.sync_s += time.sync_s / static_cast<double>(times.size());
            }
        }
    }
    smallest_local_batch_ = placements_.empty() ? 0 : static_cast<std::uint64_t>(smallest);
    largest_local_batch_ = static_cast<std::uint64_t>(most);
    return {};
}

Result<void> PolluxProfile::read_scalability(std::string_view text) {
    return each_row("scalability",
                    text,
                    {"num_nodes", "num_replicas", "local_bsz", "step_time", "sync_time"},
                    [&](const Csv&, std::size_t, const std::vector<double>& v) -> Result<void> {
                        by_size_[{v[0], v[1]}].try_emplace(v[2], StepTime{v[3], v[4]});
                        return {};
                    });
}

Result<void> PolluxProfile::read_run(std::uint64_t batch, std::string_view text) {
    Run run;
    const auto read =
        each_row("validation-" + std::to_string(batch),
                 text,
                 {"progress", "iteration", "grad_sqr", "grad_var"},
                 [&](const Csv&, std::size_t, const std::vector<double>& v) -> Result<void> {
                     run.progress.push_back(v[0]);
                     run.steps.push_back(v[1]);
                     run.sqr.push_back(v[2]);
                     run.var.push_back(v[3]);
                     return {};
                 });
    if (!read) return read.error();
    if (run.steps.size() < epochs_) {
        return Error{ErrorKind::bad_input,
                     "validation-" + std::to_string(batch) + ": " +
                         std::to_string(run.steps.size()) + " epochs where " +
                         std::to_string(epochs_) + " are needed"};
    }
    runs_[batch] = std::move(run);
    return {};
}

double PolluxProfile::progress(std::size_t epoch) const {
    if (epoch == 0) return 0;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [batch, run] : runs_) least = std::min(least, run.progress[epoch - 1]);
    return least;
}

double PolluxProfile::between(double batch,
                              std::size_t epoch,
                              std::vector<double> Run::*column) const {
    const auto clamped = static_cast<std::uint64_t>(std::clamp(
        batch, static_cast<double>(smallest_batch()), static_cast<double>(largest_batch())));
    const auto above = runs_.lower_bound(clamped);
    const double high = (above->second.*column)[epoch];
    if (above->first == clamped) return high;
    const auto below = std::prev(above);
    const double low = (below->second.*column)[epoch];
    const double part = static_cast<double>(clamped - below->first) /
                        static_cast<double>(above->first - below->first);
    return low + (high - low) * part;
}

double PolluxProfile::steps(double batch, std::size_t epoch) const {
    return between(batch, epoch, &Run::steps);
}

double PolluxProfile::gain(double batch, std::size_t epoch) const {
    const double sqr = between(batch, epoch, &Run::sqr);
    const double var = between(batch, epoch, &Run::var);
    const double scale = batch / static_cast<double>(smallest_batch());
    return (var + sqr) / (var / scale + sqr);
}

StepTime PolluxProfile::step_time(const std::vector<std::uint32_t>& placement,
                                  double local_batch) const {
    const auto measured = placements_.find(key_of(placement));
    if (measured != placements_.end()) return at(measured->second, local_batch);
    const double replicas = std::accumulate(placement.begin(), placement.end(), 0.0);
    return spread(std::min(static_cast<double>(placement.size()), most_nodes_measured),
                  replicas,
                  local_batch);
}

StepTime PolluxProfile::spread(double nodes, double replicas, double local_batch) const {
    std::vector<PlanePoint> points;
    std::vector<StepTime> times;
    for (const auto& [size, curve] : by_size_) {
        if (!covers(curve, local_batch)) continue;
        points.push_back({size.first, size.second});
        times.push_back(at(curve, local_batch));
    }
    if (points.empty()) return at(by_size_.rbegin()->second, local_batch);
    StepTime time;
    for (const auto& [index, weight] : plane_weights(points, {nodes, replicas})) {
        time.step_s += weight * times[index].step_s;
        time.sync_s += weight * times[index].sync_s;
    }
    return time;
}

}  // namespace epochcast::simulate
