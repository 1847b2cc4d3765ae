// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "epoch_log/schema.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

namespace epochcast::schema {
namespace {

using h5::Type;

static_assert(sizeof(EpochRecord) == 136, "EpochRecord is stored as it is, without gaps");
static_assert(sizeof(NodeRow) == 256 && sizeof(EventRow) == 152 && sizeof(LogTotals) == 16);

// cluster, job_id and model_job make up a file name of at most 255 bytes: 40 is Slurm's limit for a
// cluster's name, and ".r4294967295.h5" and two separators take 17.
constexpr TextField texts[] = {
    {"cluster", 40, TextRule::name, [](LogHeader& h) -> std::string& { return h.cluster; }},
    {"job_id", 72, TextRule::name, [](LogHeader& h) -> std::string& { return h.job_id; }},
    {"model_job", 120, TextRule::name, [](LogHeader& h) -> std::string& { return h.model_job; }},
    {"task_scope",
     128,
     TextRule::needed,
     [](LogHeader& h) -> std::string& { return h.task.scope; }},
    {"task_name",
     128,
     TextRule::task_name,
     [](LogHeader& h) -> std::string& { return h.task.name; }},
    {"framework",
     128,
     TextRule::plain,
     [](LogHeader& h) -> std::string& { return h.attributes.framework; }},
    {"model",
     128,
     TextRule::plain,
     [](LogHeader& h) -> std::string& { return h.attributes.model; }},
    {"dataset",
     256,
     TextRule::plain,
     [](LogHeader& h) -> std::string& { return h.attributes.dataset; }},
    {"precision",
     32,
     TextRule::plain,
     [](LogHeader& h) -> std::string& { return h.attributes.precision; }},
    {"writer", 128, TextRule::free, [](LogHeader& h) -> std::string& { return h.writer; }},
    {"note", 1024, TextRule::free, [](LogHeader& h) -> std::string& { return h.note; }},
};

bool store_u32(std::uint32_t& field, std::uint64_t value) {
    field = static_cast<std::uint32_t>(value);
    return value <= std::numeric_limits<std::uint32_t>::max();
}

bool store_optional(std::optional<std::uint64_t>& field, std::uint64_t value) {
    field = value == absent_count ? std::nullopt : std::optional(value);
    return true;
}

constexpr NumberField numbers[] = {
    {"restart",
     [](const LogHeader& h) -> std::uint64_t { return h.restart; },
     [](LogHeader& h, std::uint64_t v) { return store_u32(h.restart, v); }},
    {"uid",
     [](const LogHeader& h) -> std::uint64_t { return h.uid; },
     [](LogHeader& h, std::uint64_t v) { return store_u32(h.uid, v); }},
    {"start_ns",
     [](const LogHeader& h) { return h.start_ns; },
     [](LogHeader& h, std::uint64_t v) {
         h.start_ns = v;
         return true;
     }},
    {"declared_epochs",
     [](const LogHeader& h) { return h.declared_epochs.value_or(absent_count); },
     [](LogHeader& h, std::uint64_t v) { return store_optional(h.declared_epochs, v); }},
    {"samples_per_epoch",
     [](const LogHeader& h) { return h.attributes.samples_per_epoch.value_or(absent_count); },
     [](LogHeader& h, std::uint64_t v) {
         return store_optional(h.attributes.samples_per_epoch, v);
     }},
    {"batch_per_device",
     [](const LogHeader& h) { return h.attributes.batch_per_device.value_or(absent_count); },
     [](LogHeader& h, std::uint64_t v) {
         return store_optional(h.attributes.batch_per_device, v);
     }},
    {"total_batch",
     [](const LogHeader& h) { return h.attributes.total_batch.value_or(absent_count); },
     [](LogHeader& h, std::uint64_t v) { return store_optional(h.attributes.total_batch, v); }},
};

}  // namespace

std::span<const TextField> text_fields() { return texts; }

std::span<const NumberField> number_fields() { return numbers; }

Type epoch_type() {
    const Type i32 = Type::i32(), u32 = Type::u32(), u64 = Type::u64(), f64 = Type::f64();
    return Type::compound(
        sizeof(EpochRecord),
        {{"epoch", offsetof(EpochRecord, epoch), u64},
         {"unit", offsetof(EpochRecord, unit), i32},
         {"flags", offsetof(EpochRecord, flags), u32},
         {"start_ns", offsetof(EpochRecord, start_ns), u64},
         {"wall_s", offsetof(EpochRecord, wall_s), f64},
         {"cpu_s", offsetof(EpochRecord, cpu_s), f64},
         {"peak_memory_bytes", offsetof(EpochRecord, peak_memory_bytes), u64},
         {"disk_read_bytes", offsetof(EpochRecord, disk_read_bytes), u64},
         {"disk_written_bytes", offsetof(EpochRecord, disk_written_bytes), u64},
         {"syscall_read_bytes", offsetof(EpochRecord, syscall_read_bytes), u64},
         {"syscall_written_bytes", offsetof(EpochRecord, syscall_written_bytes), u64},
         {"flop", offsetof(EpochRecord, flop), f64},
         {"flop_rate", offsetof(EpochRecord, flop_rate), f64},
         {"samples", offsetof(EpochRecord, samples), u64},
         {"steps", offsetof(EpochRecord, steps), u64},
         {"loss", offsetof(EpochRecord, loss), f64},
         {"device_busy_s", offsetof(EpochRecord, device_busy_s), f64},
         {"device_memory_bytes", offsetof(EpochRecord, device_memory_bytes), u64}});
}

Type event_type() {
    const Type u64 = Type::u64();
    const Type text = Type::text(longest_in(EventRow{}.text));
    return Type::compound(sizeof(EventRow),
                          {{"time_ns", offsetof(EventRow, time_ns), u64},
                           {"epoch", offsetof(EventRow, epoch), u64},
                           {"kind", offsetof(EventRow, kind), u64},
                           {"text", offsetof(EventRow, text), text}});
}

Type node_type() {
    const Type u32 = Type::u32();
    const Type host = Type::text(longest_in(NodeRow{}.host));
    return Type::compound(sizeof(NodeRow),
                          {{"host", offsetof(NodeRow, host), host},
                           {"cpus", offsetof(NodeRow, cpus), u32},
                           {"workers", offsetof(NodeRow, workers), u32}});
}

Type totals_type() {
    const Type u64 = Type::u64(), f64 = Type::f64();
    return Type::compound(
        sizeof(LogTotals),
        {{"total_epochs", offsetof(LogTotals, total_epochs), u64},
         {"total_training_time_s", offsetof(LogTotals, total_training_time_s), f64}});
}

void store_text(const std::string& text, std::span<char> field) {
    std::ranges::fill(field, '\0');
    std::copy_n(text.begin(), std::min(text.size(), field.size() - 1), field.begin());
}

std::string load_text(std::span<const char> field) {
    return {field.begin(), std::ranges::find(field, '\0')};
}

}  // namespace epochcast::schema
