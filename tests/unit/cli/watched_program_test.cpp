// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/watched_program.hpp"

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/eventually.hpp"
#include "support/temporary_dir.hpp"

namespace epochcast {

using testing::HasSubstr;

namespace {

struct Watched {
    int code = -1;
    std::string out;  // what we printed
    std::string err;
    std::string seen;  // what the watcher saw
};

int code_of(const Result<int>& result) { return result ? result.value() : -1; }

// Runs the program with our streams in files, as a batch job has them.
Watched watch(const std::vector<std::string>& command) {
    Watched watched;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    watched.code = code_of(watch_program(
        command,
        {[&](std::size_t, std::string_view bytes) { watched.seen += bytes; }, [](int) {}}));
    watched.out = testing::internal::GetCapturedStdout();
    watched.err = testing::internal::GetCapturedStderr();
    return watched;
}

Watched watch_script(const std::string& script) { return watch({"bash", "-c", script}); }

// A process that runs the script under watch, to send signals to.
pid_t start_watching(const std::string& script) {
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    ::unsetenv("SLURM_STEP_ID");
    const auto code = watch_program({"bash", "-c", script}, {[](auto, auto) {}, [](int) {}});
    ::_exit(code_of(code));
}

int exit_code_of(pid_t pid) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

}  // namespace

TEST(WatchedProgram, passes_output_and_exit_code) {
    const Watched watched = watch_script("echo one; echo two >&2; printf 'no end'; exit 7");
    EXPECT_EQ(watched.code, 7);
    EXPECT_EQ(watched.out, "one\nno end");
    EXPECT_EQ(watched.err, "two\n");
    EXPECT_THAT(watched.seen, HasSubstr("one\n"));
}

TEST(WatchedProgram, arguments_and_bytes_are_untouched) {
    EXPECT_EQ(watch({"printf", "%s|", "a b", "$(id)", "[1,2]", "--", ""}).out,
              "a b|$(id)|[1,2]|--||");
    const Watched bytes = watch_script("head -c 3000000 /dev/zero");
    EXPECT_EQ(bytes.out, std::string(3'000'000, '\0'));
    EXPECT_EQ(bytes.seen.size(), bytes.out.size());
}

TEST(WatchedProgram, a_signal_that_ends_it_is_an_exit_code) {
    EXPECT_EQ(watch_script("kill -TERM $$").code, 128 + SIGTERM);
    EXPECT_EQ(watch_script("kill -KILL $$").code, 128 + SIGKILL);
}

TEST(WatchedProgram, what_cannot_be_run_is_127_or_126) {
    const Watched missing = watch({"epochcast-no-such-program"});
    EXPECT_EQ(missing.code, 127);
    EXPECT_THAT(missing.err, HasSubstr("cannot run 'epochcast-no-such-program'"));
    EXPECT_EQ(watch({"/dev/null"}).code, 126);
}

TEST(WatchedProgram, signals_reach_it_once) {
    const TemporaryDir dir;
    const std::string file = dir.path() / "signals";
    const pid_t pid =
        start_watching("trap 'echo usr1 >>" + file + "' USR1; trap 'echo term >>" + file +
                       "; exit 9' TERM; echo ready >>" + file + "; while :; do sleep 0.02; done");
    ASSERT_TRUE(eventually([&] { return text_of(file) == "ready\n"; }));
    ::kill(pid, SIGUSR1);
    ASSERT_TRUE(eventually([&] { return text_of(file) == "ready\nusr1\n"; }));
    ::kill(pid, SIGTERM);
    EXPECT_EQ(exit_code_of(pid), 9);
    EXPECT_EQ(text_of(file), "ready\nusr1\nterm\n");
}

TEST(WatchedProgram, a_signal_that_is_ignored_stays_ignored) {
    const TemporaryDir dir;
    const std::string file = dir.path() / "ready";
    std::signal(SIGHUP, SIG_IGN);
    const pid_t pid = start_watching("echo >" + file + "; sleep 0.3; exit 5");
    std::signal(SIGHUP, SIG_DFL);
    ASSERT_TRUE(eventually([&] { return !text_of(file).empty(); }));
    ::kill(pid, SIGHUP);
    EXPECT_EQ(exit_code_of(pid), 5);
}

TEST(WatchedProgram, what_it_leaves_running_does_not_hold_us_up) {
    const auto begin = std::chrono::steady_clock::now();
    const Watched watched = watch_script("sleep 20 & echo $!; exit 3");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
    EXPECT_EQ(watched.code, 3);
    ::kill(std::atoi(watched.out.c_str()), SIGKILL);
}

TEST(WatchedProgram, streams_that_lead_to_one_place_keep_their_order) {
    const TemporaryDir dir;
    const std::string file = dir.path() / "both";
    const pid_t pid = ::fork();
    if (pid == 0) {
        const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        ::dup2(fd, 1);
        ::dup2(fd, 2);
        ::_exit(
            code_of(watch_program({"bash", "-c", "for i in {1..50}; do echo o; echo e >&2; done"},
                                  {[](auto, auto) {}, [](int) {}})));
    }
    EXPECT_EQ(exit_code_of(pid), 0);
    std::string expected;
    for (int i = 0; i < 50; ++i) expected += "o\ne\n";
    EXPECT_EQ(text_of(file), expected);
}

TEST(WatchedProgram, a_reader_that_leaves_is_the_programs_to_notice) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::close(ends[0]);
        ::dup2(ends[1], 1);
        ::_exit(code_of(watch_program({"yes"}, {[](auto, auto) {}, [](int) {}})));
    }
    ::close(ends[1]);
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 1);
    ::close(ends[0]);
    EXPECT_EQ(exit_code_of(pid), 128 + SIGPIPE);
}

TEST(WatchedProgram, on_a_terminal_it_has_a_terminal_of_its_own) {
    winsize size{};
    size.ws_row = 33;
    size.ws_col = 99;
    int terminal = -1;
    const pid_t pid = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (pid == 0) {
        ::_exit(code_of(watch_program(
            {"bash", "-c", "test -t 1 && stty size; read line; echo \"got $line\"; exit 4"},
            {[](auto, auto) {}, [](int) {}})));
    }
    std::string text;
    char buffer[256];
    bool has_sent = false;
    for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(n));
        if (has_sent || text.find("33 99") == text.npos) continue;
        has_sent = ::write(terminal, "key\r", 4) == 4;
    }
    ::close(terminal);
    EXPECT_EQ(exit_code_of(pid), 4);
    EXPECT_THAT(text, HasSubstr("33 99\r\n"));
    EXPECT_THAT(text, HasSubstr("got key\r\n"));
    EXPECT_EQ(text.find("\r\r"), text.npos);
}

}  // namespace epochcast
