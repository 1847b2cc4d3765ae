// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Forecast files: as they are, and with the header made right again, so that a changed payload gets
// past the checksum to the verifier and the checks. What is accepted must be usable: it is written
// again, merged with itself, and ranked from.

#include <algorithm>
#include <span>

#include "decide/epochcast_decide.h"
#include "decide/table.hpp"
#include "forecast_file/envelope.hpp"
#include "forecast_file/forecast_file.hpp"
#include "forecast_file/merge.hpp"
#include "fuzz/fuzz.hpp"
#include "support/sample_forecasts.hpp"
#include "support/sample_job.hpp"

using namespace epochcast;

namespace {

std::string text_of(const ForecastTable& table) {
    const auto bytes = encode_forecast_table(table).value();
    return {bytes.begin(), bytes.end()};
}

void rank_all(const epochcast_table& table) {
    const std::size_t classes = table.content.classes.size();
    const std::vector<epochcast_offer_t> on(classes, sample_offer);
    std::vector<epochcast_choice_t> choices(classes);
    for (const TaskForecasts& task : table.content.tasks) {
        const epochcast_job_t job =
            sample_job(task.task.name.c_str(), "cost=0.5,time=0.5", 1000, 10, 1);
        std::uint32_t count = 0;
        const std::uint32_t rankable =
            epochcast_rank(&table, &job, on.data(), choices.data(), &count);
        promise(rankable <= count && count == classes, "every candidate is answered for");
    }
}

void check(std::span<const std::uint8_t> bytes) {
    auto table = decode_forecast_table(bytes);
    if (!table) {
        promise(table.error().kind == ErrorKind::bad_input, "a bad file is bad input");
        promise(table.error().message.size() < 1000, "messages are short");
        return;
    }
    const auto again = encode_forecast_table(table.value());
    promise(again.ok(), "what was read can be written");
    const auto twice = decode_forecast_table(again.value());
    promise(twice.ok() && encode_forecast_table(twice.value()).value() == again.value(),
            "writing and reading changes nothing");
    ForecastTable merged = table.value();
    promise(merge_older(merged, table.value()).empty(), "a table does not contradict itself");
    promise(encode_forecast_table(merged).value() == again.value(), "nor does it add to itself");
    rank_all(epochcast_table(std::move(table).value()));
}

}  // namespace

std::vector<std::string> fuzz_seeds() {
    ForecastTable empty;
    empty.service = "empty";
    ForecastTable half = sample_table();
    half.classes[0].price_per_node_hour = absent;
    half.classes[1].flop_rate = absent;
    half.tasks[1].placements[0].forecast.epoch = {};
    half.default_policy = "time";
    return {
        text_of(sample_table()), text_of(empty), text_of(half), text_of(large_table(5, 4, 3, 3))};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::uint8_t> bytes(data, size);
    check(bytes);
    check(seal_envelope(bytes.subspan(std::min(size, envelope_header_bytes))));
    return 0;
}
