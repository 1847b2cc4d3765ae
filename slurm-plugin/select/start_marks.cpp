// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/start_marks.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace epochcast::slurm {

namespace {

constexpr int max_entries = 4096;  // looked at; whoever puts more there gets no guard

// The name of a mark: "start-<unix s>-<pid>-<ticks>-<host>".
struct Mark {
    std::time_t started_unix_s = 0;
    pid_t process = 0;
    uint64_t ticks = 0;
    const char* host = nullptr;  // points into the name
};

bool parse(const char* name, Mark& mark) {
    int64_t started = 0;
    int64_t process = 0;
    int end = 0;
    if (std::sscanf(name,
                    "start-%10" SCNd64 "-%10" SCNd64 "-%20" SCNu64 "-%n",
                    &started,
                    &process,
                    &mark.ticks,
                    &end) != 3 ||
        end == 0 || started <= 0 || process <= 0)
        return false;
    mark.started_unix_s = started;
    mark.process = static_cast<pid_t>(process);
    mark.host = name + end;
    return true;
}

bool is_alive(const Mark& mark) {
    const uint64_t ticks = process_start_ticks(mark.process);
    return ticks != 0 && ticks == mark.ticks;
}

// Calls visit(folder, name, mark) for each mark of this host.
template <class Visit>
void for_each_mark(const char* dir, const char* host, Visit visit) {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(dir), &::closedir);
    if (!folder) return;
    for (int i = 0; i < max_entries; ++i) {
        const dirent* entry = ::readdir(folder.get());
        if (!entry) return;
        Mark mark;
        if (parse(entry->d_name, mark) && std::strcmp(mark.host, host) == 0)
            visit(::dirfd(folder.get()), entry->d_name, mark);
    }
}

}  // namespace

uint64_t process_start_ticks(pid_t process) noexcept {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%" PRIdMAX "/stat", intmax_t{process});
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[1024];
    const ssize_t size = ::read(file, text, sizeof text - 1);
    ::close(file);
    if (size <= 0) return 0;
    text[size] = '\0';
    // The second field is the program's name in brackets, which may hold anything.
    const char* field = std::strrchr(text, ')');
    // Dead, and nobody has asked for its exit status yet.
    if (field && (std::strncmp(field, ") Z", 3) == 0 || std::strncmp(field, ") X", 3) == 0))
        return 0;
    // From the third field on they are separated by single blanks; the 22nd is the start.
    for (int i = 2; field && i < 22; ++i) field = std::strchr(field + 1, ' ');
    return field ? std::strtoull(field, nullptr, 10) : 0;
}

StartMarks::StartMarks(const char* dir, const char* host) noexcept : process_(::getpid()) {
    std::snprintf(dir_, sizeof dir_, "%s", dir);
    std::snprintf(host_, sizeof host_, "%s", host && *host ? host : "localhost");
    // It becomes part of a file's name.
    for (char& letter : host_)
        if (letter == '/') letter = '_';
}

bool StartMarks::crashed_twice(std::time_t now_unix_s) const noexcept {
    // More than this many are as good as two.
    std::array<std::time_t, 64> starts{};
    std::size_t count = 0;
    for_each_mark(dir_, host_, [&](int folder, const char* name, const Mark& mark) {
        if (is_alive(mark)) return;
        if (mark.started_unix_s > now_unix_s + crash_window_s)  // the clock was wrong then
            ::unlinkat(folder, name, 0);
        else if (count < starts.size())
            starts[count++] = mark.started_unix_s;
    });
    std::sort(starts.begin(), starts.begin() + count);
    for (std::size_t i = 1; i < count; ++i)
        if (starts[i] - starts[i - 1] <= crash_window_s) return true;
    for_each_mark(dir_, host_, [&](int folder, const char* name, const Mark& mark) {
        if (now_unix_s - mark.started_unix_s > crash_window_s && !is_alive(mark))
            ::unlinkat(folder, name, 0);
    });
    return false;
}

int StartMarks::add(std::time_t now_unix_s) noexcept {
    if (::mkdir(dir_, 0755) != 0 && errno != EEXIST) return errno;
    const int size = std::snprintf(own_path_,
                                   sizeof own_path_,
                                   "%s/start-%" PRIdMAX "-%" PRIdMAX "-%" PRIu64 "-%s",
                                   dir_,
                                   intmax_t{now_unix_s},
                                   intmax_t{process_},
                                   process_start_ticks(process_),
                                   host_);
    int file = -1;
    if (size < 0 || static_cast<std::size_t>(size) >= sizeof own_path_) {
        errno = ENAMETOOLONG;
    } else {
        file = ::open(own_path_, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    }
    if (file < 0) return errno;
    ::close(file);
    is_marked_ = true;
    return 0;
}

void StartMarks::remove() noexcept {
    if (::getpid() == process_ && is_marked_.exchange(false)) ::unlink(own_path_);
}

void StartMarks::remove_all() noexcept {
    if (::getpid() != process_) return;
    for_each_mark(dir_, host_, [](int folder, const char* name, const Mark&) {
        ::unlinkat(folder, name, 0);
    });
    is_marked_ = false;
}

}  // namespace epochcast::slurm
