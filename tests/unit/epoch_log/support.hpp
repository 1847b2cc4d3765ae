// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What the tests of h5, epoch_log and history share: a folder that cleans up after itself, a header
// and records to log, and work done in a child process.

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>

#include "epoch_log/log.hpp"

namespace epochcast::test {

class TempDir {
  public:
    TempDir() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "epochcast-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~TempDir() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool has_address_sanitizer = true;
#else
inline constexpr bool has_address_sanitizer = false;
#endif

inline constexpr std::uint64_t second_ns = 1'000'000'000;
inline constexpr std::uint64_t sample_start_ns = 1'700'000'000 * second_ns;

inline LogHeader sample_header() {
    LogHeader header;
    header.cluster = "testcluster";
    header.job_id = "1234_7";
    header.model_job = "main";
    header.uid = 4711;
    header.task = {"user:4711", "mnist/cnn"};
    header.attributes.framework = "epochcast-train";
    header.attributes.model = "cnn";
    header.attributes.dataset = "Fashion-MNIST \"10k\" – ü";
    header.attributes.samples_per_epoch = 10'000;
    header.declared_epochs = 4;
    header.start_ns = sample_start_ns;
    header.nodes = {{"fast1", 4, 2}, {"fast2", 4, 2}};
    header.writer = "unit test 0.1.0";
    header.note = "learning_rate=0.01 it's \"quoted\"";
    return header;
}

// Epoch n of a model job whose epochs take 2 s and that took 5 s to start up.
inline EpochRecord sample_record(std::uint64_t epoch, std::int32_t unit = unit_model_job) {
    EpochRecord record;
    record.epoch = epoch;
    record.unit = unit;
    record.start_ns = sample_start_ns + 5 * second_ns + epoch * 2 * second_ns;
    record.wall_s = 2.0;
    record.cpu_s = 7.5;
    record.peak_memory_bytes = 1 << 28;
    record.samples = 10'000;
    record.loss = 1.0 / static_cast<double>(epoch + 1);
    return record;
}

// Runs `work` in a forked child. Its result is the child's exit status, 128 + n for signal n.
inline int in_child(const std::function<int()>& work) {
    std::cout.flush();
    const pid_t child = fork();
    if (child == 0) {
        _exit(work());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Whether `python3 -c script argument` succeeds, with the system's Python: that is the one for
// which Debian packages h5py.
inline bool python(const std::string& script, const std::filesystem::path& argument = {}) {
    return in_child([&] {
               execl(
                   "/usr/bin/python3", "python3", "-c", script.c_str(), argument.c_str(), nullptr);
               return 127;
           }) == 0;
}

inline bool has_h5py() {
    static const bool found =
        python("import sys\ntry:\n import h5py\nexcept ImportError: sys.exit(1)");
    return found;
}

// The folder of public test inputs, empty if $EPOCHCAST_DATA is not set.
inline std::filesystem::path data_dir() {
    const char* dir = std::getenv("EPOCHCAST_DATA");
    return dir == nullptr ? "" : dir;
}

}  // namespace epochcast::test
