// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "meter/process_use.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/temporary_dir.hpp"

namespace epochcast {
namespace {

double ticks_per_second() { return static_cast<double>(sysconf(_SC_CLK_TCK)); }

// A procfs of our own, with the lines that Linux 6.1 writes.
class ProcessUseFixture : public testing::Test {
  protected:
    void write(int pid, const std::string& file, const std::string& text) {
        const auto folder = proc_.path() / std::to_string(pid);
        std::filesystem::create_directories(folder);
        write_in_place(folder / file, text);
    }
    // Field 14 to 17 are user, system, children's user, children's system ticks.
    void write_stat(int pid, const std::string& name, const std::string& ticks) {
        write(pid,
              "stat",
              std::to_string(pid) + " (" + name + ") S 1 7 7 0 -1 4194304 100 0 0 0 " + ticks +
                  " 20 0 1 0 5000 10000 300\n");
    }
    ProcessUse use(std::vector<int> pids) { return process_use(pids, proc_.path()); }

    TemporaryDir proc_;
};

TEST_F(ProcessUseFixture, adds_up_processes) {
    write_stat(10, "train", "150 50 0 0");
    write(10, "status", "Name:\ttrain\nVmPeak:\t  9000 kB\nVmHWM:\t  2000 kB\nVmRSS:\t 1500 kB\n");
    write(10,
          "io",
          "rchar: 100\nwchar: 200\nsyscr: 1\nsyscw: 2\nread_bytes: 4096\nwrite_bytes: "
          "8192\ncancelled_write_bytes: 0\n");
    write_stat(11, "worker", "100 0 0 0");
    write(11, "status", "VmHWM:\t  1000 kB\n");
    write(11, "io", "rchar: 1\nwchar: 2\nread_bytes: 3\nwrite_bytes: 4\n");

    const ProcessUse sum = use({10, 11});
    EXPECT_DOUBLE_EQ(sum.cpu_s, 300 / ticks_per_second());
    EXPECT_EQ(sum.peak_memory_bytes, 3000U * 1024);
    EXPECT_EQ(sum.disk_read_bytes, 4099U);
    EXPECT_EQ(sum.disk_written_bytes, 8196U);
    EXPECT_EQ(sum.syscall_read_bytes, 101U);
    EXPECT_EQ(sum.syscall_written_bytes, 202U);
}

TEST_F(ProcessUseFixture, counts_the_children_that_were_waited_for) {
    write_stat(10, "zygote", "1 2 30 40");
    EXPECT_DOUBLE_EQ(use({10}).cpu_s, 73 / ticks_per_second());
}

TEST_F(ProcessUseFixture, a_name_cannot_shift_the_fields) {
    write_stat(10, "a) S 1 1 1 1 1 1 1 1 1 1 999 999 (b", "5 6 0 0");
    EXPECT_DOUBLE_EQ(use({10}).cpu_s, 11 / ticks_per_second());
}

TEST_F(ProcessUseFixture, a_process_that_is_gone_contributes_nothing) {
    write_stat(10, "train", "100 0 0 0");
    EXPECT_DOUBLE_EQ(use({10, 99}).cpu_s, use({10}).cpu_s);
}

TEST_F(ProcessUseFixture, what_is_hidden_for_all_is_absent_not_zero) {
    write_stat(10, "train", "100 0 0 0");
    const ProcessUse sum = use({10});
    EXPECT_EQ(sum.peak_memory_bytes, absent_count);
    EXPECT_EQ(sum.disk_read_bytes, absent_count);
    EXPECT_EQ(sum.syscall_written_bytes, absent_count);
    EXPECT_TRUE(std::isnan(use({99}).cpu_s));
    EXPECT_TRUE(std::isnan(use({}).cpu_s));
}

TEST_F(ProcessUseFixture, damaged_files_are_hidden_ones) {
    write(10, "stat", "10 (train S 1 2 3");
    write(10, "status", "VmHWM:\tmany kB\n");
    write(10, "io", "read_bytes:");
    const ProcessUse sum = use({10});
    EXPECT_TRUE(std::isnan(sum.cpu_s));
    EXPECT_EQ(sum.peak_memory_bytes, absent_count);
    EXPECT_EQ(sum.disk_read_bytes, absent_count);
}

TEST_F(ProcessUseFixture, differences_keep_the_later_peak_and_absence) {
    ProcessUse a;
    a.cpu_s = 1;
    a.peak_memory_bytes = 10;
    a.disk_read_bytes = 100;
    ProcessUse b;
    b.cpu_s = 3;
    b.peak_memory_bytes = 7;
    b.disk_read_bytes = 150;
    b.disk_written_bytes = 5;
    const ProcessUse used = b - a;
    EXPECT_DOUBLE_EQ(used.cpu_s, 2);
    EXPECT_EQ(used.peak_memory_bytes, 7U);
    EXPECT_EQ(used.disk_read_bytes, 50U);
    EXPECT_EQ(used.disk_written_bytes, absent_count) << "it was absent before";
    EXPECT_TRUE(std::isnan((b - ProcessUse{}).cpu_s));
}

TEST_F(ProcessUseFixture, the_peak_is_reset_for_all_or_it_says_so) {
    write(10, "clear_refs", "");
    EXPECT_TRUE(reset_peak_memory(std::vector<int>{10}, proc_.path()));
    EXPECT_EQ(text_of(proc_.path() / "10" / "clear_refs"), "5");
    EXPECT_FALSE(reset_peak_memory(std::vector<int>{10, 99}, proc_.path()));
}

// What follows looks at this very process.

std::vector<int> self() { return {static_cast<int>(getpid())}; }

TEST(ProcessUse, sees_cpu_time_that_this_process_uses) {
    const ProcessUse before = process_use(self());
    const double clock_before = static_cast<double>(std::clock());
    while ((static_cast<double>(std::clock()) - clock_before) / CLOCKS_PER_SEC < 0.1) {
    }
    const ProcessUse used = process_use(self()) - before;
    EXPECT_GE(used.cpu_s, 0.07);  // the kernel counts in ticks of 10 ms
    EXPECT_LE(used.cpu_s, 1.0);
}

TEST(ProcessUse, sees_peak_memory_and_forgets_it_on_reset) {
    constexpr std::size_t large = 64 << 20;
    // Mapped here, because an allocator (or a sanitizer's) may keep freed memory.
    void* const memory =
        mmap(nullptr, large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    std::memset(memory, 1, large);
    munmap(memory, large);
    const ProcessUse high = process_use(self());
    EXPECT_GE(high.peak_memory_bytes, large);
    if (!reset_peak_memory(self())) {
        GTEST_SKIP() << "this kernel does not let the peak be reset";
    }
    EXPECT_LT(process_use(self()).peak_memory_bytes, high.peak_memory_bytes - large / 2);
}

TEST(ProcessUse, sees_bytes_that_this_process_writes) {
    const ProcessUse before = process_use(self());
    if (before.syscall_written_bytes == absent_count) {
        GTEST_SKIP() << "this kernel hides /proc/self/io";
    }
    const TemporaryDir folder;
    write_in_place(folder.path() / "file", std::string(1 << 20, 'x'));
    EXPECT_GE((process_use(self()) - before).syscall_written_bytes, 1U << 20);
}

TEST(ProcessUse, keeps_what_a_child_used_after_it_was_waited_for) {
    const ProcessUse before = process_use(self());
    const pid_t child = fork();
    if (child == 0) {
        const std::clock_t start = std::clock();
        while (std::clock() - start < CLOCKS_PER_SEC / 10) {
        }
        _exit(0);
    }
    waitpid(child, nullptr, 0);
    EXPECT_GE((process_use(self()) - before).cpu_s, 0.07);
}

}  // namespace
}  // namespace epochcast
