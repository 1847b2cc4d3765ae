// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A folder of its own for each case, and the command line called as a function in it.

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/commands.hpp"
#include "support/temporary_dir.hpp"

namespace epochcast {

struct Ran {
    int code = 0;
    std::string out;
    std::string err;
};

class CliTest : public testing::Test {
  protected:
    void SetUp() override { configure(""); }
    // The folders that a case made unreadable could not be removed otherwise.
    void TearDown() override {
        std::error_code ignored;
        for (std::filesystem::recursive_directory_iterator entry(dir_, ignored), end;
             entry != end && !ignored;
             entry.increment(ignored)) {
            std::filesystem::permissions(entry->path(), std::filesystem::perms::owner_all, ignored);
        }
    }

    std::filesystem::path write(const std::string& name, const std::string& text) {
        const auto path = dir_ / name;
        std::filesystem::create_directories(path.parent_path());
        write_in_place(path, text);
        return path;
    }
    // A configuration whose paths all lie in the folder, and `more`.
    void configure(const std::string& more) {
        write("c.toml",
              "history_dir = \"history\"\nforecast_dir = \"forecast.d\"\n"
              "decision_dir = \"decisions\"\nprobe_file = \"rates.toml\"\n" +
                  more);
    }
    Ran run(std::vector<std::string> arguments, std::uint32_t uid = 1000) {
        arguments.insert(arguments.begin(), {"epochcast", "--config", dir_ / "c.toml"});
        std::vector<const char*> argv;
        for (const std::string& argument : arguments) argv.push_back(argument.c_str());
        std::ostringstream out;
        std::ostringstream err;
        Environment environment;
        environment.uid = uid;
        environment.unix_s = 1'767'323'045;
        Context context{out, err, environment, {}, false, 0};
        const int code = run_epochcast(static_cast<int>(argv.size()), argv.data(), context);
        return {code, out.str(), err.str()};
    }

    TemporaryDir temporary_;
    std::filesystem::path dir_ = temporary_.path();
};

}  // namespace epochcast
