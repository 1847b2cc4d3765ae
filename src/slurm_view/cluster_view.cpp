// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "slurm_view/cluster_view.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <optional>
#include <system_error>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include "slurm_view/parcel.hpp"

namespace epochcast {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_answer_bytes = 1u << 30;  // a million jobs and more

std::string_view text_or_empty(const char* text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
}

// Slurm's words; the numbers are the same in every version.
const char* job_state_word(std::uint32_t state) {
    static constexpr const char* words[] = {"PENDING",
                                            "RUNNING",
                                            "SUSPENDED",
                                            "COMPLETED",
                                            "CANCELLED",
                                            "FAILED",
                                            "TIMEOUT",
                                            "NODE_FAIL",
                                            "PREEMPTED",
                                            "BOOT_FAIL",
                                            "DEADLINE",
                                            "OUT_OF_MEMORY"};
    const std::uint32_t base = state & JOB_STATE_BASE;
    if (state & JOB_COMPLETING) return "COMPLETING";
    return base < std::size(words) ? words[base] : "UNKNOWN";
}

const char* node_state_word(std::uint32_t state) {
    static constexpr const char* words[] = {
        "UNKNOWN", "DOWN", "IDLE", "ALLOCATED", "ERROR", "MIXED", "FUTURE"};
    const std::uint32_t base = state & NODE_STATE_BASE;
    if (state & NODE_STATE_DRAIN) return "DRAIN";
    return base < std::size(words) ? words[base] : "UNKNOWN";
}

std::string reason_of(const job_info_t& job) {
    if (job.state_desc != nullptr && *job.state_desc != '\0') return job.state_desc;
    switch (job.state_reason) {
        case WAIT_NO_REASON:
            return "";
        case WAIT_PRIORITY:
            return "Priority";
        case WAIT_DEPENDENCY:
            return "Dependency";
        case WAIT_RESOURCES:
            return "Resources";
        case WAIT_TIME:
            return "BeginTime";
        case WAIT_HELD:
            return "JobHeldAdmin";
        case WAIT_HELD_USER:
            return "JobHeldUser";
        default:
            return "reason " + std::to_string(job.state_reason);
    }
}

bool takes_jobs(std::uint32_t state) {
    constexpr std::uint32_t closed = NODE_STATE_DRAIN | NODE_STATE_FAIL | NODE_STATE_NO_RESPOND;
    const std::uint32_t base = state & NODE_STATE_BASE;
    const bool is_up =
        base == NODE_STATE_IDLE || base == NODE_STATE_ALLOCATED || base == NODE_STATE_MIXED;
    return is_up && (state & closed) == 0;
}

std::uint32_t cpus_taken(const node_info_t& node) {
    std::uint16_t taken = 0;
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
    taken = node.alloc_cpus;
#else
    slurm_get_select_nodeinfo(
        node.select_nodeinfo, SELECT_NODEDATA_SUBCNT, NODE_STATE_ALLOCATED, &taken);
#endif
    return taken;
}

void put(ParcelWriter& parcel, const job_info_t& job) {
    const std::uint32_t base = job.job_state & JOB_STATE_BASE;
    const bool is_pending = base == JOB_PENDING;
    parcel.put(job.job_id);
    parcel.put(job.array_job_id);
    parcel.put(job.array_task_id);
    parcel.put(job.user_id);
    parcel.put(std::string_view(job_state_word(job.job_state)));
    parcel.put(std::string_view(reason_of(job)));
    parcel.put(text_or_empty(job.partition));
    parcel.put(is_pending ? std::string_view() : text_or_empty(job.nodes));
    parcel.put(text_or_empty(job.comment));
    parcel.put(job.num_nodes);
    parcel.put(job.num_cpus);
    parcel.put(static_cast<std::int64_t>(job.start_time));
    parcel.put(static_cast<std::int64_t>(job.end_time));
    parcel.put(base == JOB_RUNNING || base == JOB_SUSPENDED || (job.job_state & JOB_COMPLETING));
    parcel.put(is_pending);
}

void take(ParcelReader& parcel, JobView& job) {
    parcel.take(job.job_id);
    parcel.take(job.array_job_id);
    parcel.take(job.array_task_id);
    parcel.take(job.uid);
    parcel.take(job.state);
    parcel.take(job.reason);
    parcel.take(job.partition);
    parcel.take(job.nodes);
    parcel.take(job.comment);
    parcel.take(job.least_nodes);
    parcel.take(job.cpus);
    parcel.take(job.start_unix_s);
    parcel.take(job.end_unix_s);
    parcel.take(job.is_active);
    parcel.take(job.is_pending);
}

// In the child: everything, or the sentence that says why not.
std::string ask_slurm() {
    slurm_init(nullptr);
    ParcelWriter parcel;
    const auto failed = [] {
        ParcelWriter failure;
        failure.put(false);
        failure.put(text_or_empty(slurm_strerror(errno)));
        return failure.bytes();
    };
    job_info_msg_t* jobs = nullptr;
    node_info_msg_t* nodes = nullptr;
    if (slurm_load_jobs(0, &jobs, SHOW_ALL) != SLURM_SUCCESS) return failed();
    if (slurm_load_node(0, &nodes, SHOW_ALL) != SLURM_SUCCESS) return failed();
    parcel.put(true);
    parcel.put(jobs->record_count);
    for (std::uint32_t i = 0; i < jobs->record_count; ++i) put(parcel, jobs->job_array[i]);
    parcel.put(nodes->record_count);
    for (std::uint32_t i = 0; i < nodes->record_count; ++i) {
        const node_info_t& node = nodes->node_array[i];
        parcel.put(text_or_empty(node.name));
        parcel.put(std::string_view(node_state_word(node.node_state)));
        parcel.put(takes_jobs(node.node_state));
        parcel.put(static_cast<std::uint32_t>(node.cpus));
        parcel.put(node.name == nullptr ? 0u : cpus_taken(node));
    }
    return parcel.bytes();
}

[[noreturn]] void answer(int pipe) {
    // What libslurm says on its way out is told by the parent in other words.
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
    const std::string bytes = ask_slurm();
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t n = ::write(pipe, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        done += static_cast<std::size_t>(n);
    }
    ::_exit(0);
}

// All that comes until the other end closes; nothing if that takes too long.
std::optional<std::string> read_until(int pipe, Clock::time_point end) {
    std::string bytes;
    char buffer[1 << 16];
    while (bytes.size() < max_answer_bytes) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd readable{pipe, POLLIN, 0};
        if (left <= 0 || ::poll(&readable, 1, static_cast<int>(left)) == 0) return std::nullopt;
        const ssize_t n = ::read(pipe, buffer, sizeof buffer);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n <= 0) return bytes;
        bytes.append(buffer, static_cast<std::size_t>(n));
    }
    return std::nullopt;
}

Error environment_error(std::string message) {
    return Error{ErrorKind::environment, std::move(message)};
}

Result<ClusterView> unpack(const std::string& bytes) {
    ParcelReader parcel(bytes);
    bool is_answer = false;
    parcel.take(is_answer);
    if (bytes.empty()) {
        return environment_error("Slurm cannot be asked: there is no usable slurm.conf here");
    }
    if (!is_answer) {
        std::string reason;
        parcel.take(reason);
        return environment_error("Slurm cannot be asked: " + reason);
    }
    ClusterView view;
    std::uint32_t count = 0;
    parcel.take(count);
    for (std::uint32_t i = 0; i < count && parcel.is_whole(); ++i) {
        take(parcel, view.jobs.emplace_back());
    }
    parcel.take(count);
    for (std::uint32_t i = 0; i < count && parcel.is_whole(); ++i) {
        NodeView& node = view.nodes.emplace_back();
        parcel.take(node.name);
        parcel.take(node.state);
        parcel.take(node.is_usable);
        parcel.take(node.cpus);
        parcel.take(node.cpus_taken);
    }
    if (!parcel.complete()) return environment_error("Slurm's answer broke off");
    return view;
}

}  // namespace

Result<ClusterView> view_cluster(std::chrono::milliseconds most_time) {
    const Clock::time_point end = Clock::now() + most_time;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        return environment_error("Slurm cannot be asked: " +
                                 std::generic_category().message(errno));
    }
    const pid_t child = ::fork();
    if (child == 0) answer(ends[1]);
    const int fork_error = errno;
    ::close(ends[1]);
    if (child < 0) {
        ::close(ends[0]);
        return environment_error("Slurm cannot be asked: " +
                                 std::generic_category().message(fork_error));
    }
    const std::optional<std::string> bytes = read_until(ends[0], end);
    ::close(ends[0]);
    if (!bytes) ::kill(child, SIGKILL);
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    if (!bytes) {
        return environment_error("Slurm's controller did not answer within " +
                                 std::to_string(most_time.count() / 1000) + " s");
    }
    return unpack(*bytes);
}

}  // namespace epochcast
