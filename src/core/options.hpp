// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The options with which a job asks for epochcast: what there is, what each may say, and how it is
// written down. One table serves every form (core/option_sources.hpp); an option is added by a row
// of it and a member of Options.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/utility/limits.hpp"
#include "core/utility/policy.hpp"

namespace epochcast {

inline constexpr std::uint64_t max_epochs = 1'000'000'000;  // above any training; catches 10^12
inline constexpr std::uint64_t max_batch_samples = 1'000'000'000;
inline constexpr std::uint64_t max_epoch_samples = 1'000'000'000'000'000;
inline constexpr std::uint32_t max_gpus = 4096;
inline constexpr std::size_t max_log_bytes = 1023;

// Devices per node that a job can use; closed range.
struct GpuRange {
    std::uint32_t least = 1;
    std::uint32_t most = 1;
    bool operator==(const GpuRange&) const = default;
};

// What the best class means to a job: prefer takes another one rather than wait, require waits.
enum class PlacementWish { prefer, require };

// What is absent was not given.
struct Options {
    std::optional<std::string> task;      // as parse_task_name()
    std::optional<std::uint64_t> epochs;  // 1 to max_epochs
    std::optional<std::string> policy;    // as parse_policy(), or "off"
    std::optional<std::string> framework;
    std::optional<std::string> model;
    std::optional<std::string> data;
    std::optional<std::uint64_t> batch;    // samples per optimiser step of the whole job
    std::optional<std::uint64_t> samples;  // per epoch
    std::optional<GpuRange> gpus;          // 1 to max_gpus
    std::optional<Deadline> deadline;      // an absolute one is after 1970
    std::optional<double> budget;          // of the site's money, for the whole job
    std::optional<std::string> log;        // absolute path
    std::optional<PlacementWish> placement;
    bool operator==(const Options&) const = default;
    bool empty() const { return *this == Options(); }
};

// One option as users see it. Null-terminated static text.
struct OptionHelp {
    const char* name;      // "task"
    const char* argument;  // "NAME"
    const char* help;      // one line with unit and default
};
std::span<const OptionHelp> option_table();

// "task, epochs, ...": for messages.
const std::string& option_names();

// Sets one option from its text unless it is set already; the text is checked either way. Unknown
// key or malformed value: a usage error that names the value and what is allowed.
Result<void> set_option(Options& options, std::string_view key, std::string_view value);

// The text that set_option() reads back as the same value; row: of option_table(). Empty if the
// option is not given.
std::string option_text(const Options& options, std::size_t row);

// Takes over from `other` what is not set in `options`.
void fill_unset(Options& options, const Options& other);

}  // namespace epochcast
