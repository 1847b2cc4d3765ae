// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "slurm_view/hostlist.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <type_traits>

#include <slurm/slurm.h>

#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr std::size_t max_text_bytes = 1u << 20;
constexpr std::size_t max_host_bytes = 255;  // as DNS allows, ranges not counted
constexpr std::size_t max_digits = 18;       // of one number in a range: fits 64 bits

// "struct hostlist*" has had the name hostlist_t, and from Slurm 23.11 on hostlist_t*.
using HostlistPointer = decltype(slurm_hostlist_create(nullptr));

struct DestroyHostlist {
    void operator()(HostlistPointer list) const { slurm_hostlist_destroy(list); }
};
using Hostlist = std::unique_ptr<std::remove_pointer_t<HostlistPointer>, DestroyHostlist>;

struct FreeText {
    void operator()(char* text) const { std::free(text); }
};
using MallocedText = std::unique_ptr<char, FreeText>;

Error wrong(std::string_view list, std::string_view part, const std::string& what) {
    std::string message = "host list " + epochcast::quoted(list);
    if (part != list) message += ": " + epochcast::quoted(part);
    return Error{ErrorKind::bad_input,
                 message + " " + what + "; write names and ranges such as fast[1-2],mid1"};
}

bool is_host_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t value = 0;
    if (text.size() > max_digits) return std::nullopt;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// How many names "1-3" or "07" stands for; 0 if it is no range.
std::size_t range_size(std::string_view range) {
    const std::size_t dash = range.find('-');
    const auto low = whole_number(range.substr(0, dash));
    const auto high = dash == range.npos ? low : whole_number(range.substr(dash + 1));
    if (!low || !high || *low > *high) return 0;
    return *high - *low >= max_hosts ? max_hosts + 1 : *high - *low + 1;
}

// How many names one element such as "rack[0-1]n[00-03]" stands for.
Result<std::size_t> element_size(std::string_view list, std::string_view element) {
    std::size_t names = 1;
    std::size_t plain_bytes = 0;
    bool ends_in_range = false;
    for (std::size_t i = 0; i < element.size(); ++i) {
        ends_in_range = element[i] == '[';
        if (!ends_in_range) {
            if (!is_host_character(element[i])) {
                return wrong(list, element, "has a character that no host name has");
            }
            if (++plain_bytes > max_host_bytes) return wrong(list, element, "is too long");
            continue;
        }
        const std::size_t close = element.find(']', i);
        if (close == element.npos) return wrong(list, element, "has a bracket that is not closed");
        std::size_t names_here = 0;
        for (const std::string_view range : split(element.substr(i + 1, close - i - 1), ',')) {
            const std::size_t size = range_size(range);
            if (size == 0) return wrong(list, range, "is not a range of ascending numbers");
            names_here += size;
            if (names_here > max_hosts) break;
        }
        names *= names_here;
        if (names > max_hosts) return wrong(list, element, "stands for more than 65536 hosts");
        i = close;
    }
    const bool has_suffix = element.find(']') != element.npos && !ends_in_range;
    if (has_suffix) return wrong(list, element, "has text after its last range");
    return names;
}

// The elements between the commas that stand outside of brackets, blanks around them left out.
std::vector<std::string_view> elements_of(std::string_view list) {
    std::vector<std::string_view> elements;
    bool in_bracket = false;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= list.size(); ++i) {
        const char c = i < list.size() ? list[i] : ',';
        if (c == '[') in_bracket = true;
        if (c == ']') in_bracket = false;
        if (i < list.size() && (c != ',' || in_bracket)) continue;
        const std::string_view element = trimmed(list.substr(start, i - start));
        if (!element.empty()) elements.push_back(element);
        start = i + 1;
    }
    return elements;
}

// How many names the list stands for, or why libslurm must not see it.
Result<std::size_t> checked_size(std::string_view list) {
    if (list.size() > max_text_bytes) return wrong(list, list, "is longer than 1 MiB");
    std::size_t names = 0;
    for (const std::string_view element : elements_of(list)) {
        const auto size = element_size(list, element);
        if (!size) return size.error();
        names += size.value();
        if (names > max_hosts) return wrong(list, list, "stands for more than 65536 hosts");
    }
    if (names == 0) return wrong(list, list, "names no host");
    return names;
}

}  // namespace

Result<std::vector<std::string>> expand_hostlist(std::string_view text) {
    const auto size = checked_size(text);
    if (!size) return size.error();
    const Hostlist list(slurm_hostlist_create(std::string(text).c_str()));
    if (!list) return wrong(text, text, "is not a host list that Slurm reads");
    std::vector<std::string> hosts;
    hosts.reserve(size.value());
    while (const MallocedText host{slurm_hostlist_shift(list.get())})
        hosts.emplace_back(host.get());
    if (hosts.size() != size.value()) {
        return wrong(text, text, "is read by Slurm as " + std::to_string(hosts.size()) + " hosts");
    }
    return hosts;
}

std::string compress_hostlist(const std::vector<std::string>& hosts) {
    const Hostlist list(slurm_hostlist_create(""));
    if (!list) return "";
    for (const std::string& host : hosts) slurm_hostlist_push_host(list.get(), host.c_str());
    // The one form of this function that has the same name in every version.
    std::string text(256, '\0');
    while (text.size() <= 2 * max_text_bytes) {
        const auto size = slurm_hostlist_ranged_string(list.get(), text.size(), text.data());
        if (size >= 0) return text.substr(0, static_cast<std::size_t>(size));
        text.resize(2 * text.size());
    }
    return "";
}

}  // namespace epochcast
