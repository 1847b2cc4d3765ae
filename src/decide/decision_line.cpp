// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "decide/decision_line.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>

#include "core/text.hpp"
#include "decide/c_face.hpp"

namespace epochcast {

namespace {

void append_json(std::string& line, std::string_view text) {
    line += '"';
    while (!text.empty()) {
        const auto byte = static_cast<unsigned char>(text[0]);
        const std::size_t length = utf8_length(text);
        if (length == 0) {
            line += "\xEF\xBF\xBD";
        } else if (byte < 0x20 || byte == 0x7F) {
            constexpr const char* digits = "0123456789abcdef";
            line += "\\u00";
            line += digits[byte >> 4];
            line += digits[byte & 15];
        } else {
            if (byte == '"' || byte == '\\') line += '\\';
            line += text.substr(0, length);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    line += '"';
}

void append_json(std::string& line, bool value) { line += value ? "true" : "false"; }

template <class Number>
requires std::integral<Number> || std::floating_point<Number>
void append_json(std::string& line, Number value) {
    if constexpr (std::floating_point<Number>) {
        if (!std::isfinite(value)) {
            line += "null";
            return;
        }
    }
    char digits[32];
    line.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// Writes the members of one object.
class Object {
  public:
    explicit Object(std::string& line) : line_(line) { line_ += '{'; }
    ~Object() { line_ += '}'; }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    void key(const char* name) {
        if (line_.back() != '{') line_ += ',';
        append_json(line_, std::string_view(name));
        line_ += ':';
    }
    template <class Value>
    void add(const char* name, Value value) {
        key(name);
        append_json(line_, value);
    }
    template <class Value>
    void add_unless(bool is_absent, const char* name, Value value) {
        if (!is_absent) return add(name, value);
        key(name);
        line_ += "null";
    }

  private:
    std::string& line_;
};

std::string_view mode_text(int mode) {
    switch (mode) {
        case EPOCHCAST_MODE_ON:
            return "on";
        case EPOCHCAST_MODE_SHADOW:
            return "shadow";
        default:
            return "off";
    }
}

template <class Class>
void append_class(std::string& line, const Class& weighed) {
    Object object(line);
    object.add("class", text_in(weighed.name));
    object.add("nodes", weighed.nodes);
    object.add_unless(weighed.devices_per_node == 0, "devices_per_node", weighed.devices_per_node);
    object.add("utility", weighed.utility);
    object.add("time_s", weighed.time_s);
    object.add("cost", weighed.cost);
    object.add("epoch_s", weighed.epoch_s);
    object.add("epoch_low_s", weighed.epoch_low_s);
    object.add("epoch_high_s", weighed.epoch_high_s);
    object.add("price_per_node_hour", weighed.price_per_node_hour);
    object.add("basis", text_in(weighed.basis));
    object.add("reason", text_in(weighed.reason));
}

void append_head(Object& object, const epochcast_decision_t& decision) {
    const bool is_array = decision.array_job_id != 0;
    object.add("schema", std::string_view("epochcast.decision.v1"));
    object.add("time_unix_s", decision.time_unix_s);
    object.add("job_id", decision.job_id);
    object.add_unless(!is_array, "array_job_id", decision.array_job_id);
    object.add_unless(
        !is_array || decision.array_task_id == UINT32_MAX, "array_task_id", decision.array_task_id);
    object.add("uid", decision.uid);
    object.add("mode", mode_text(decision.mode));
    object.add("verdict", text_or_empty(decision.verdict));
    object.add("task", text_in(decision.task));
    object.add("policy", text_in(decision.policy));
    object.add("partition", text_in(decision.partition));
    object.add_unless(decision.epochs == 0, "epochs", decision.epochs);
    object.add("nodes", decision.nodes);
    object.add("chosen_class", text_in(decision.chosen_class));
    object.add("chosen_nodes", text_in(decision.chosen_nodes));
    object.add("stock_class", text_in(decision.stock_class));
    object.add("stock_is_estimate", decision.stock_is_estimate != 0);
    object.add("is_start", decision.is_start != 0);
    object.add("is_planned", decision.is_planned != 0);
    object.add_unless(
        decision.planned_start_unix_s == 0, "planned_start_unix_s", decision.planned_start_unix_s);
}

}  // namespace

std::string decision_line(const epochcast_decision_t& decision) {
    std::string line;
    line.reserve(2048);
    {
        Object object(line);
        append_head(object, decision);
        object.key("classes");
        line += '[';
        const auto count =
            std::min<std::uint32_t>(decision.class_count, EPOCHCAST_DECISION_CLASSES);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (i != 0) line += ',';
            append_class(line, decision.classes[i]);
        }
        line += ']';
    }
    return line + '\n';
}

}  // namespace epochcast
