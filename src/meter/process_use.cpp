// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "meter/process_use.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace epochcast {

namespace {

std::optional<std::string> content_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        return std::nullopt;
    }
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    return in.bad() || text.empty() ? std::nullopt : std::optional(std::move(text));
}

// The number at the start of `text`, blanks skipped.
std::optional<std::uint64_t> number_at(std::string_view text) {
    const auto start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) {
        return std::nullopt;
    }
    text.remove_prefix(start);
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc() ? std::optional(value) : std::nullopt;
}

// The number after "key:" at the start of a line.
std::optional<std::uint64_t> number_of(std::string_view text, std::string_view key) {
    std::size_t line = 0;
    while (line < text.size()) {
        const auto rest = text.substr(line);
        if (rest.substr(0, key.size()) == key) {
            return number_at(rest.substr(key.size()));
        }
        const auto newline = text.find('\n', line);
        line = newline == std::string_view::npos ? text.size() : newline + 1;
    }
    return std::nullopt;
}

// user + system ticks of the process and of its children that it waited for. The command name in
// field 2 may hold anything, so fields are counted from the last parenthesis.
std::optional<std::uint64_t> cpu_ticks(std::string_view stat) {
    const auto paren = stat.rfind(')');
    if (paren == std::string_view::npos) {
        return std::nullopt;
    }
    stat.remove_prefix(paren + 1);
    constexpr int first_field = 3;
    constexpr int utime = 14;
    constexpr int cstime = 17;
    std::uint64_t ticks = 0;
    for (int field = first_field; field <= cstime; ++field) {
        const auto start = stat.find_first_not_of(' ');
        if (start == std::string_view::npos) {
            return std::nullopt;
        }
        stat.remove_prefix(start);
        if (field >= utime) {
            const auto value = number_at(stat);
            if (!value) {
                return std::nullopt;
            }
            ticks += *value;
        }
        stat.remove_prefix(std::min(stat.find(' '), stat.size()));
    }
    return ticks;
}

void add(std::uint64_t& sum, std::optional<std::uint64_t> value) {
    if (value) {
        sum = (sum == absent_count ? 0 : sum) + *value;
    }
}

void add(double& sum, std::optional<double> value) {
    if (value) {
        sum = (sum == sum ? sum : 0) + *value;
    }
}

std::uint64_t difference(std::uint64_t b, std::uint64_t a) {
    if (a == absent_count || b == absent_count) {
        return absent_count;
    }
    return b > a ? b - a : 0;
}

}  // namespace

ProcessUse process_use(std::span<const int> pids, const std::filesystem::path& proc) {
    static const double ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    ProcessUse use;
    for (const int pid : pids) {
        const auto folder = proc / std::to_string(pid);
        if (const auto stat = content_of(folder / "stat")) {
            if (const auto ticks = cpu_ticks(*stat)) {
                add(use.cpu_s, static_cast<double>(*ticks) / ticks_per_second);
            }
        }
        if (const auto status = content_of(folder / "status")) {
            if (const auto kilobytes = number_of(*status, "VmHWM:")) {
                add(use.peak_memory_bytes, *kilobytes * 1024);
            }
            if (const auto kilobytes = number_of(*status, "VmRSS:")) {
                add(use.resident_bytes, *kilobytes * 1024);
            }
        }
        if (const auto io = content_of(folder / "io")) {
            add(use.disk_read_bytes, number_of(*io, "read_bytes:"));
            add(use.disk_written_bytes, number_of(*io, "write_bytes:"));
            add(use.syscall_read_bytes, number_of(*io, "rchar:"));
            add(use.syscall_written_bytes, number_of(*io, "wchar:"));
        }
    }
    return use;
}

bool reset_peak_memory(std::span<const int> pids, const std::filesystem::path& proc) {
    bool all = true;
    for (const int pid : pids) {
        const auto path = proc / std::to_string(pid) / "clear_refs";
        std::error_code code;
        if (!std::filesystem::exists(path, code)) {
            all = false;
            continue;
        }
        std::ofstream out(path);
        out << '5' << std::flush;  // 5: reset the peak resident set (proc(5))
        all = all && out.good();
    }
    return all;
}

ProcessUse operator-(const ProcessUse& b, const ProcessUse& a) {
    ProcessUse use;
    use.cpu_s = b.cpu_s - a.cpu_s < 0 ? 0 : b.cpu_s - a.cpu_s;
    use.peak_memory_bytes = b.peak_memory_bytes;
    use.resident_bytes = b.resident_bytes;
    use.disk_read_bytes = difference(b.disk_read_bytes, a.disk_read_bytes);
    use.disk_written_bytes = difference(b.disk_written_bytes, a.disk_written_bytes);
    use.syscall_read_bytes = difference(b.syscall_read_bytes, a.syscall_read_bytes);
    use.syscall_written_bytes = difference(b.syscall_written_bytes, a.syscall_written_bytes);
    return use;
}

}  // namespace epochcast
