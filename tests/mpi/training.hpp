// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A folder with a job file in it, and epochcast-train run on it.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "mpi/program.hpp"
#include "support/temporary_dir.hpp"

namespace epochcast {

// Where the test's build put the programs, and the data: see CMakeLists.txt.
inline const std::string bin_folder = EPOCHCAST_TEST_BIN;
inline const std::filesystem::path fashion_mnist = "/usr/share/datasets/fashion-mnist";

class Training : public testing::Test {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(fashion_mnist)) {
            GTEST_SKIP() << "Fashion-MNIST is missing: apt-get install dataset-fashion-mnist";
        }
        job_file(
            "[[job]]\ntask = \"test-task\"\nsamples = 256\nbatch = 64\nmicro_batch = 16\n"
            "test_samples = 100\nworkers = 1\noversubscribe = true\nepochs = 2\n");
    }

    void job_file(const std::string& text) { write_in_place(folder() / "job.toml", text); }
    const std::filesystem::path& folder() const { return folder_.path(); }

    // epochcast-train job.toml with these --set values.
    Start alone(const std::vector<std::string>& overrides, bool json = true) const {
        Start start;
        start.folder = folder();
        start.command = {bin_folder + "/epochcast-train", "job.toml"};
        if (json) {
            start.command.emplace_back("--json");
        }
        for (const auto& text : overrides) {
            start.command.insert(start.command.end(), {"--set", text});
        }
        return start;
    }

    // The same as `ranks` processes under mpirun.
    Start under_mpirun(int ranks, const std::vector<std::string>& overrides, bool json = true) {
        Start start = alone(overrides, json);
        start.command.insert(
            start.command.begin(),
            {"mpirun", "--oversubscribe", "--bind-to", "none", "-np", std::to_string(ranks)});
        return start;
    }

    // Runs it; it must succeed. The JSON object that it prints.
    static nlohmann::json trained(const Start& start) {
        const Ended ended = run_program(start);
        EXPECT_EQ(ended.exit_code, 0) << ended.err << ended.out;
        const auto json = nlohmann::json::parse(ended.out, nullptr, false);
        EXPECT_FALSE(json.is_discarded()) << ended.out;
        return json;
    }

    // What must not depend on who computed it: losses of all epochs and the final bits.
    static std::string bits_of(const nlohmann::json& run) {
        std::string bits = run.value("parameters_digest", "none");
        for (const auto& epoch : run.value("epochs", nlohmann::json::array())) {
            bits += " " + epoch.value("loss", nlohmann::json()).dump();
        }
        return bits;
    }

  private:
    TemporaryDir folder_;
};

}  // namespace epochcast
