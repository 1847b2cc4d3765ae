// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "config/probe_file.hpp"

#include <cstdio>
#include <limits>
#include <sstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/toml_document.hpp"

namespace epochcast {

namespace {

template <class T>
Result<void> store(T& target, Result<T> value) {
    if (!value) return value.error();
    target = std::move(value).value();
    return {};
}

Result<ProbedRate> read_rate(const std::string& file, const toml::value& table) {
    ProbedRate rate;
    const TomlKey keys[] = {
        {"class", [&](const TomlEntry& e) { return store(rate.node_class, toml_text(e, 63)); }},
        {"flop_rate", [&](const TomlEntry& e) { return store(rate.flop_rate, toml_positive(e)); }},
        {"node", [&](const TomlEntry& e) { return store(rate.node, toml_text(e, 255)); }},
        {"threads",
         [&](const TomlEntry& e) -> Result<void> {
             const auto count = toml_count(e, 0, std::numeric_limits<std::uint32_t>::max());
             if (!count) return count.error();
             rate.threads = static_cast<std::uint32_t>(count.value());
             return {};
         }},
        {"measured_at", [&](const TomlEntry& e) { return store(rate.measured_at, toml_text(e)); }},
    };
    const auto done = read_toml_table(file, table, "[[rate]]", keys);
    if (!done) return done.error();
    if (rate.node_class.empty() || rate.flop_rate == 0) {
        const TomlEntry entry{file, "rate", &table};
        return Error{ErrorKind::bad_input, entry.place() + ": [[rate]] lacks class or flop_rate"};
    }
    return rate;
}

Error failed(const std::filesystem::path& path, const char* what) {
    const std::error_code reason(errno, std::generic_category());
    return Error{ErrorKind::environment,
                 path.string() + ": " + what + ": " + reason.message() +
                     "; set probe_file in the configuration to a place that you may write"};
}

// Writes all of `text` to a new file and syncs it.
Result<void> write_synced(const std::filesystem::path& path, const std::string& text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) return failed(path, "cannot be created");
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t n = ::write(file, text.data() + written, text.size() - written);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        written += static_cast<std::size_t>(n);
    }
    const bool is_whole = written == text.size() && ::fchmod(file, 0644) == 0 && ::fsync(file) == 0;
    const Error error = is_whole ? Error{} : failed(path, "cannot be written");
    ::close(file);
    if (is_whole) return {};
    ::unlink(path.c_str());
    return error;
}

std::string text_of(std::span<const ProbedRate> rates) {
    std::ostringstream text;
    text << "# Written by `epochcast probe`: FLOP/s of one node of each class.\n";
    for (const ProbedRate& rate : rates) {
        char number[32];
        std::snprintf(number, sizeof number, "%.6e", rate.flop_rate);
        text << "\n[[rate]]\nclass = \"" << rate.node_class << "\"\nflop_rate = " << number
             << "\nnode = \"" << rate.node << "\"\nthreads = " << rate.threads
             << "\nmeasured_at = \"" << rate.measured_at << "\"\n";
    }
    return text.str();
}

}  // namespace

Result<std::vector<ProbedRate>> read_probe_file(const std::filesystem::path& file) {
    std::error_code failure;
    if (!std::filesystem::exists(file, failure) && !failure) return std::vector<ProbedRate>{};
    auto document = load_toml(file);
    if (!document) return document.error();
    std::vector<ProbedRate> rates;
    const auto take_rates = [&](const TomlEntry& entry) -> Result<void> {
        if (!entry.value->is_array()) return not_allowed(entry, "[[rate]] tables");
        for (const toml::value& table : entry.value->as_array()) {
            if (!table.is_table()) return not_allowed(entry, "[[rate]] tables");
            auto rate = read_rate(entry.file, table);
            if (!rate) return rate.error();
            rates.push_back(std::move(rate).value());
        }
        return {};
    };
    const TomlKey keys[] = {{"rate", take_rates}};
    const auto done = read_toml_table(file.string(), document.value(), "the probe file", keys);
    if (!done) {
        return Error{done.error().kind,
                     done.error().message + "; remove the file and run `epochcast probe` again"};
    }
    return rates;
}

Result<void> write_probe_file(const std::filesystem::path& file,
                              std::span<const ProbedRate> rates) {
    std::error_code failure;
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), failure);
    if (failure) {
        errno = failure.value();
        return failed(file.parent_path(), "cannot be created");
    }
    const std::filesystem::path part =
        file.string() + "." + std::to_string(static_cast<long>(::getpid())) + ".part";
    if (auto written = write_synced(part, text_of(rates)); !written) return written;
    if (::rename(part.c_str(), file.c_str()) == 0) return {};
    const Error error = failed(file, "cannot be replaced");
    ::unlink(part.c_str());
    return error;
}

}  // namespace epochcast
