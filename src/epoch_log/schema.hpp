// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// hdf5-schemas/epoch_log.v1.md as code: what writer and reader must agree on. A change of a type or
// name here is a new version of the schema.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "epoch_log/log.hpp"
#include "epoch_log/text_rules.hpp"
#include "h5/type.hpp"

namespace epochcast::schema {

inline constexpr const char* name = "epochcast.epoch_log";
inline constexpr std::size_t name_bytes = 31;
inline constexpr std::uint64_t version = 1;

inline constexpr const char* epochs = "epochs";
inline constexpr const char* events = "events";
inline constexpr const char* nodes = "nodes";
inline constexpr const char* totals = "totals";

// Rows that the data sets grow by: 32 rows are 4.3 KiB of /epochs and 4.8 KiB of /events.
inline constexpr std::uint64_t chunk_rows = 32;

// What a reader accepts at most, so that a file cannot claim all memory: 4 million rows are 544 MB
// and 10000 epochs on 400 nodes.
inline constexpr std::uint64_t max_epoch_rows = 4'000'000;
inline constexpr std::uint64_t max_event_rows = 100'000;
inline constexpr std::uint64_t max_node_rows = 100'000;

// A text attribute of the root group, in the header and in the file.
struct TextField {
    const char* name;
    std::size_t longest;  // bytes
    TextRule rule;
    std::string& (*of)(LogHeader&);
};
std::span<const TextField> text_fields();

// A u64 attribute; an optional value that is absent is stored as absent_count.
struct NumberField {
    const char* name;
    std::uint64_t (*load)(const LogHeader&);
    bool (*store)(LogHeader&, std::uint64_t);  // false if the value cannot be right
};
std::span<const NumberField> number_fields();

// Rows as stored; EpochRecord is stored as it is.
struct NodeRow {
    std::array<char, 248> host;
    std::uint32_t cpus;
    std::uint32_t workers;
};
struct EventRow {
    std::uint64_t time_ns;
    std::uint64_t epoch;
    std::uint64_t kind;
    std::array<char, 128> text;
};

h5::Type epoch_type();
h5::Type event_type();
h5::Type node_type();
h5::Type totals_type();

// The longest text that a field of a row takes: one zero follows it.
template <class Field>
constexpr std::size_t longest_in(const Field& field) {
    return field.size() - 1;
}

// Between texts and fixed-length strings that are filled up with zeros.
void store_text(const std::string& text, std::span<char> field);
std::string load_text(std::span<const char> field);

}  // namespace epochcast::schema
