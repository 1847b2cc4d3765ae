// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/words.hpp"

#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr const char* nothing = "-";

double number_of(std::uint64_t count) {
    return count == absent_count ? absent : static_cast<double>(count);
}

Json json_means(const EpochMeans& means) {
    return {{"time_s", json_number(means.time_s)},
            {"cpu_s", json_number(means.cpu_s)},
            {"peak_memory_bytes", json_number(means.peak_memory_bytes)},
            {"disk_read_bytes", json_number(means.disk_read_bytes)},
            {"disk_written_bytes", json_number(means.disk_written_bytes)},
            {"flop", json_number(means.flop)},
            {"flop_rate_flop_per_s", json_number(means.flop_rate)}};
}

}  // namespace

std::string plain(std::string_view hostile, std::size_t max_bytes) {
    std::string text = epochcast::quoted(hostile, max_bytes);
    if (text.back() != '\'') return text;
    text = text.substr(1, text.size() - 2);
    // Without quotes around it an apostrophe is harmless; a backslash of the text's own is \x5c
    // here.
    constexpr std::string_view escaped = "\\x27";
    for (auto at = text.find(escaped); at != std::string::npos; at = text.find(escaped, at + 1)) {
        text.replace(at, escaped.size(), "'");
    }
    return text;
}

std::string duration_cell(double seconds) {
    return std::isfinite(seconds) ? human_duration(seconds) : nothing;
}

std::string bytes_cell(double bytes) { return std::isfinite(bytes) ? human_bytes(bytes) : nothing; }

std::string bytes_cell(std::uint64_t bytes) { return bytes_cell(number_of(bytes)); }

std::string count_cell(std::uint64_t count) {
    return count == absent_count ? nothing : std::to_string(count);
}

std::string flop_cell(double flop, const char* unit) {
    if (!std::isfinite(flop)) return nothing;
    constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t step = 0;
    while (std::abs(flop) >= 999.5 && step + 1 < std::size(prefixes)) {
        flop /= 1000;
        ++step;
    }
    const std::string suffix = std::string(prefixes[step]) + unit;
    return fmt::format("{:.3g}{}{}", flop, suffix.empty() ? "" : " ", suffix);
}

std::string number_cell(double value) {
    if (!std::isfinite(value)) return nothing;
    const double size = std::abs(value);
    if (size != 0 && (size < 1e-6 || size >= 1e9)) return fmt::format("{:.3e}", value);
    const int decimals = size == 0 ? 0 : 3 - static_cast<int>(std::floor(std::log10(size)));
    return fmt::format("{:.{}f}", value, std::max(decimals, 0));
}

std::string interval_cell(double low_s, double high_s) {
    if (!std::isfinite(low_s) || !std::isfinite(high_s)) return nothing;
    const std::string low = human_duration(low_s);
    const std::string high = human_duration(high_s);
    // "1.84 to 2.20 s" where both have one number and the same unit.
    const auto unit = low.find(' ');
    const bool is_short = low.find(' ', unit + 1) == low.npos && high.ends_with(low.substr(unit)) &&
                          high.find(' ') == high.size() - (low.size() - unit);
    return (is_short ? low.substr(0, unit) : low) + " to " + high;
}

std::string time_cell(std::uint64_t unix_ns) {
    const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
    std::tm parts{};
    if (unix_ns == 0 || gmtime_r(&seconds, &parts) == nullptr) return "at an unknown time";
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
    return text;
}

std::string plural(std::uint64_t count, const char* noun) {
    const std::string word = noun;
    if (count == 1) return "1 " + word;
    const bool ends_in_s = word.back() == 's';
    return std::to_string(count) + " " + word + (ends_in_s ? "es" : "s");
}

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json json_count(std::uint64_t count) { return count == absent_count ? Json() : Json(count); }

Json json_text(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json json_task(const TaskKey& task) { return {{"scope", task.scope}, {"name", task.name}}; }

Json json_attributes(const TaskAttributes& attributes) {
    return {{"framework", json_text(attributes.framework)},
            {"model", json_text(attributes.model)},
            {"dataset", json_text(attributes.dataset)},
            {"precision", json_text(attributes.precision)},
            {"samples_per_epoch", json_count(attributes.samples_per_epoch.value_or(absent_count))},
            {"batch_per_device", json_count(attributes.batch_per_device.value_or(absent_count))},
            {"total_batch", json_count(attributes.total_batch.value_or(absent_count))}};
}

Json json_forecast(const Forecast& forecast) {
    return {{"epoch", json_means(forecast.epoch)},
            {"epoch_low_s", json_number(forecast.epoch_low_s)},
            {"epoch_high_s", json_number(forecast.epoch_high_s)},
            {"startup_s", json_number(forecast.startup_s)},
            {"mean_all", json_means(forecast.mean_all)},
            {"samples_per_epoch", json_count(forecast.samples_per_epoch)},
            {"rule", static_cast<int>(forecast.rule)},
            {"records", forecast.records},
            {"basis", forecast.basis}};
}

std::string attributes_text(const TaskAttributes& attributes) {
    std::string text;
    const auto append = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (!attributes.model.empty()) append("model " + plain(attributes.model, 40));
    if (!attributes.dataset.empty()) append("data set " + plain(attributes.dataset, 40));
    if (attributes.batch_per_device) {
        append(fmt::format("batch {} per device", *attributes.batch_per_device));
    }
    if (attributes.total_batch) append(fmt::format("batch {}", *attributes.total_batch));
    if (attributes.samples_per_epoch) {
        append(fmt::format("{} samples per epoch", *attributes.samples_per_epoch));
    }
    if (!attributes.precision.empty()) append(plain(attributes.precision, 40));
    if (!attributes.framework.empty()) append(plain(attributes.framework, 40));
    return text;
}

}  // namespace epochcast
