// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/log_files.hpp"

#include <set>

#include "core/text.hpp"

namespace epochcast {

namespace fs = std::filesystem;

namespace {

// Adds the *.h5 files below `folder`. A folder that cannot be listed is named and skipped.
void walk(const fs::path& folder, std::set<fs::path>& found, std::vector<std::string>& unreadable) {
    std::vector<fs::path> folders = {folder};
    while (!folders.empty()) {
        const fs::path here = folders.back();
        folders.pop_back();
        std::error_code failure;
        for (fs::directory_iterator entry(here, failure); !failure && entry != fs::end(entry);
             entry.increment(failure)) {
            std::error_code ignored;  // an entry that vanished meanwhile is no log
            if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
                folders.push_back(entry->path());
            } else if (entry->path().extension() == ".h5" && entry->is_regular_file(ignored)) {
                found.insert(entry->path());
            }
        }
        if (failure) {
            unreadable.push_back("folder " + epochcast::quoted(here.string(), 200) +
                                 " cannot be read: " + failure.message());
        }
    }
}

}  // namespace

Result<std::vector<fs::path>> find_logs(std::span<const fs::path> named,
                                        std::vector<std::string>& unreadable) {
    std::set<fs::path> found;
    for (const fs::path& path : named) {
        std::error_code failure;
        const auto status = fs::status(path, failure);
        if (failure || !fs::exists(status)) {
            return Error{ErrorKind::environment,
                         epochcast::quoted(path.string(), 200) + " cannot be read: " +
                             (failure ? failure.message() : "there is no such file or folder")};
        }
        if (fs::is_directory(status)) {
            walk(path, found, unreadable);
        } else {
            found.insert(path);
        }
    }
    return std::vector<fs::path>(found.begin(), found.end());
}

}  // namespace epochcast
