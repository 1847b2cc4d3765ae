// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "meter/process_tree.hpp"

#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace epochcast {

namespace {

constexpr std::size_t most_processes = 100'000;

bool read_number(const std::string& text, int& number) {
    const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc() && stop == text.data() + text.size();
}

// The children of all threads of a process; false where the kernel does not list them.
bool children_of(const std::filesystem::path& folder, std::vector<int>& children) {
    std::error_code failure;
    bool is_listed = false;
    for (std::filesystem::directory_iterator thread(folder / "task", failure), end;
         !failure && thread != end;
         thread.increment(failure)) {
        std::ifstream file(thread->path() / "children");
        if (!file) continue;
        is_listed = true;
        children.insert(
            children.end(), std::istream_iterator<int>(file), std::istream_iterator<int>());
    }
    return is_listed;
}

// Field 4 of stat, counted from the last parenthesis: the name in field 2 may hold anything.
bool read_parent(const std::filesystem::path& folder, int& parent) {
    std::ifstream file(folder / "stat");
    const std::string stat{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto name_end = stat.rfind(") ");
    if (name_end == stat.npos || stat.size() < name_end + 5) return false;
    const auto start = name_end + 4;
    return read_number(stat.substr(start, stat.find(' ', start) - start), parent);
}

// For kernels without lists of children: all processes of the machine by their parents.
std::multimap<int, int> all_children(const std::filesystem::path& proc) {
    std::multimap<int, int> children;
    std::error_code failure;
    for (std::filesystem::directory_iterator entry(proc, failure), end;
         !failure && entry != end && children.size() < most_processes;
         entry.increment(failure)) {
        int pid = 0;
        int parent = 0;
        if (!read_number(entry->path().filename().string(), pid)) continue;
        if (read_parent(entry->path(), parent)) children.emplace(parent, pid);
    }
    return children;
}

}  // namespace

std::vector<int> process_tree(int root, const std::filesystem::path& proc) {
    std::error_code failure;
    if (!std::filesystem::exists(proc / std::to_string(root), failure)) return {};
    std::vector<int> pids{root};
    std::vector<int> children;
    if (children_of(proc / std::to_string(root), children)) {
        for (std::size_t i = 0; i < pids.size() && pids.size() < most_processes; ++i) {
            children.clear();
            children_of(proc / std::to_string(pids[i]), children);
            pids.insert(pids.end(), children.begin(), children.end());
        }
        return pids;
    }
    const auto all = all_children(proc);
    for (std::size_t i = 0; i < pids.size() && pids.size() < most_processes; ++i) {
        const auto [first, last] = all.equal_range(pids[i]);
        for (auto child = first; child != last; ++child) pids.push_back(child->second);
    }
    return pids;
}

}  // namespace epochcast
