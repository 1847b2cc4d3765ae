// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/decisions.hpp"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <limits>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr std::size_t max_file_bytes = 16u << 20;  // twice what src/decide writes before it rotates
constexpr std::uint64_t max_id = std::numeric_limits<std::uint32_t>::max() - 1;

std::string reason_of(int error_number) { return std::generic_category().message(error_number); }

// The content of a regular file, "" if there is none. Links and pipes are refused.
Result<std::string> read_bounded(const std::filesystem::path& path) {
    const auto refused = [&](const std::string& why) {
        return Error{ErrorKind::environment,
                     epochcast::quoted(path.string(), 200) + " cannot be read: " + why};
    };
    const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return errno == ENOENT ? Result<std::string>("") : refused(reason_of(errno));
    struct stat status {};
    std::string text;
    std::string why;
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        why = "it is not a regular file";
    } else if (static_cast<std::size_t>(status.st_size) > max_file_bytes) {
        why = "it is larger than 16 MiB";
    } else {
        text.resize(static_cast<std::size_t>(status.st_size));
        std::size_t have = 0;
        while (have < text.size()) {
            const ssize_t n = ::read(file, text.data() + have, text.size() - have);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) why = reason_of(errno);
            if (n <= 0) break;
            have += static_cast<std::size_t>(n);
        }
        text.resize(have);
    }
    ::close(file);
    if (!why.empty()) return refused(why);
    return text;
}

std::uint64_t number_in(const Json& record, const char* key) {
    const auto found = record.find(key);
    const bool is_number = found != record.end() && found->is_number_unsigned();
    return is_number ? found->get<std::uint64_t>() : std::numeric_limits<std::uint64_t>::max();
}

bool is_about(const Json& record, const JobName& job) {
    if (job.array_task) {
        return number_in(record, "array_job_id") == job.job &&
               number_in(record, "array_task_id") == *job.array_task;
    }
    return number_in(record, "job_id") == job.job || number_in(record, "array_job_id") == job.job;
}

// Printing recurses, so values that are nested deeper than any of ours are dropped.
bool is_shallow(int depth, Json::parse_event_t, const Json&) { return depth <= 4; }

// The last record of the text that is about the job and speaks for this user.
std::optional<Json> last_decision(std::string_view text, std::uint32_t uid, const JobName& job) {
    const std::string id = std::to_string(job.job);
    std::optional<Json> last;
    for (const std::string_view line : split(text, '\n')) {
        if (line.find(id) == line.npos) continue;
        Json record = Json::parse(line, is_shallow, false);
        const bool is_record = record.is_object() && number_in(record, "uid") == uid &&
                               record.value("schema", Json()) == "epochcast.decision.v1";
        if (is_record && is_about(record, job)) last = std::move(record);
    }
    return last;
}

std::int64_t time_of(const Json& record) {
    const auto found = record.find("time_unix_s");
    const bool is_number = found != record.end() && found->is_number_integer();
    return is_number ? found->get<std::int64_t>() : 0;
}

}  // namespace

Result<JobName> parse_job_name(const std::string& text) {
    const auto parts = split(text, '_');
    const auto job = parse_count("job", parts[0], 1, max_id);
    if (job && parts.size() == 1) return JobName{static_cast<std::uint32_t>(job.value()), {}};
    if (job && parts.size() == 2) {
        const auto task = parse_count("array task", parts[1], 0, max_id);
        if (task) {
            return JobName{static_cast<std::uint32_t>(job.value()),
                           static_cast<std::uint32_t>(task.value())};
        }
    }
    return Error{ErrorKind::usage,
                 "job " + epochcast::quoted(text) +
                     " is not allowed: give a job id such as 1234, or 1234_7 for task 7 of an "
                     "array"};
}

DecisionSearch find_decision(const std::filesystem::path& dir,
                             const std::vector<std::uint32_t>& uids,
                             const JobName& job) {
    DecisionSearch search;
    for (const std::uint32_t uid : uids) {
        for (const char* name : {"decisions.1.jsonl", "decisions.jsonl"}) {
            const auto text = read_bounded(dir / std::to_string(uid) / name);
            if (!text) {
                search.ignored.push_back(text.error().message);
                continue;
            }
            auto decision = last_decision(text.value(), uid, job);
            if (!decision) continue;
            if (search.decision && time_of(*search.decision) > time_of(*decision)) continue;
            search.decision = std::move(decision);
            search.uid = uid;
        }
    }
    return search;
}

Result<std::vector<std::uint32_t>> users_with_decisions(const std::filesystem::path& dir) {
    std::vector<std::uint32_t> uids;
    std::error_code failure;
    std::filesystem::directory_iterator entry(dir, failure);
    for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
        const auto uid = parse_count("uid", entry->path().filename().string(), 0, max_id);
        if (uid) uids.push_back(static_cast<std::uint32_t>(uid.value()));
    }
    if (failure) {
        return Error{ErrorKind::environment,
                     "decision_dir " + epochcast::quoted(dir.string(), 200) +
                         " cannot be read: " + failure.message()};
    }
    std::ranges::sort(uids);
    return uids;
}

}  // namespace epochcast
