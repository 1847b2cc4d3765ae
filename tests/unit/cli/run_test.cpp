// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// `epochcast run` with real programs.

#include <cstdlib>

#include <gmock/gmock.h>

#include "epoch_log/reader.hpp"
#include "unit/cli/fixture.hpp"

namespace epochcast {

using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class RunTest : public CliTest {
  protected:
    void SetUp() override {
        CliTest::SetUp();
        for (const char* name : {"SLURM_JOB_ID",
                                 "SLURM_STEP_ID",
                                 "SLURM_PROCID",
                                 "PMIX_RANK",
                                 "PMI_RANK",
                                 "OMPI_COMM_WORLD_RANK",
                                 "EPOCHCAST_LOG_DIR"}) {
            ::unsetenv(name);
        }
        ::setenv("EPOCHCAST_JOB_LOG", (dir_ / "logs").c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv("EPOCHCAST_JOB_LOG");
        ::unsetenv("EPOCHCAST_JOB_TASK");
        ::unsetenv("EPOCHCAST_JOB_EPOCHS");
        CliTest::TearDown();
    }
    Ran run_script(std::vector<std::string> options, const std::string& script) {
        options.insert(options.begin(), "run");
        options.insert(options.end(), {"--", "bash", "-c", script});
        testing::internal::CaptureStdout();
        Ran ran = run(options, ::getuid());
        ran.out += testing::internal::GetCapturedStdout();
        return ran;
    }
    std::vector<std::filesystem::path> logs() const {
        std::vector<std::filesystem::path> files;
        std::error_code ignored;
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(dir_ / "logs", ignored)) {
            if (entry.path().extension() == ".h5") files.push_back(entry.path());
        }
        return files;
    }
};

constexpr const char* three_epochs =
    "for e in 1 2 3; do echo Epoch $e/3; sleep 0.1; echo \"4/4 [====] - 0s 25ms/step - loss: "
    "0.$e\"; done; printf end; exit 6";

}  // namespace

TEST_F(RunTest, records_the_epochs_of_a_program) {
    const Ran ran =
        run_script({"--task", "demo", "--model", "cnn", "--samples", "640"}, three_epochs);
    EXPECT_EQ(ran.code, 6);
    EXPECT_THAT(ran.out, HasSubstr("Epoch 2/3\n4/4 [====] - 0s 25ms/step - loss: 0.2\n"));
    EXPECT_TRUE(ran.out.ends_with("\nend")) << ran.out;
    EXPECT_THAT(ran.err, HasSubstr("3 epochs of task 'demo', mean 1"));

    ASSERT_EQ(logs().size(), 1);
    const auto log = read_log(logs()[0]);
    ASSERT_TRUE(log) << log.error().message;
    EXPECT_EQ(log.value().header.task.name, "demo");
    EXPECT_EQ(log.value().header.attributes.model, "cnn");
    EXPECT_TRUE(log.value().ended());
    ASSERT_EQ(log.value().rows.size(), 3);
    const EpochRecord& row = log.value().rows[1];
    EXPECT_EQ(row.epoch, 1);
    EXPECT_NEAR(row.loss, 0.2, 1e-9);
    EXPECT_EQ(row.steps, 4);
    EXPECT_EQ(row.samples, 640);
    EXPECT_GE(row.wall_s, 0.09);
    EXPECT_LT(row.wall_s, 5);
    EXPECT_GE(row.cpu_s, 0);
    EXPECT_NE(row.peak_memory_bytes, absent_count);
    const auto findings = check_log(logs()[0]);
    ASSERT_TRUE(findings);
    EXPECT_THAT(findings.value(), IsEmpty());
}

TEST_F(RunTest, takes_undeclared_values_from_the_job) {
    ::setenv("EPOCHCAST_JOB_TASK", "of-the-job", 1);
    ::setenv("EPOCHCAST_JOB_EPOCHS", "3", 1);
    EXPECT_THAT(run_script({}, three_epochs).err, HasSubstr("3 epochs of task 'of-the-job'"));
    ASSERT_EQ(logs().size(), 1);
    EXPECT_EQ(read_log(logs()[0]).value().header.declared_epochs, 3);
}

TEST_F(RunTest, says_that_nothing_was_recognised_and_what_to_do) {
    const Ran silent = run_script({}, "echo working; exit 0");
    EXPECT_EQ(silent.code, 0);
    EXPECT_THAT(silent.err, HasSubstr("no epochs were recognised"));
    EXPECT_THAT(run_script({}, "echo 'iter 1: loss 2.0'; echo 'iter 2: loss 2.0'").err,
                HasSubstr("--steps-per-epoch"));
    EXPECT_THAT(run_script({}, "echo Epoch 1/3; exit 1").err, HasSubstr("none ended"));
    EXPECT_THAT(logs(), IsEmpty());
}

TEST_F(RunTest, steps_can_be_declared_an_epoch) {
    const Ran ran = run_script({"--task", "lm", "--steps-per-epoch", "20"},
                               "for s in 10 20 30 40; do echo step $s loss: 2.5; sleep 0.05; done");
    EXPECT_THAT(ran.err, HasSubstr("2 epochs of task 'lm'"));
}

TEST_F(RunTest, a_log_that_cannot_be_written_is_one_warning) {
    write("logs", "a file where the folder should be");
    const Ran ran = run_script({"--task", "demo"}, three_epochs);
    EXPECT_EQ(ran.code, 6);
    EXPECT_TRUE(ran.out.ends_with("\nend"));
    EXPECT_THAT(ran.err, HasSubstr("training goes on"));
    EXPECT_THAT(ran.err, HasSubstr("not recorded"));
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 2) << ran.err;
}

TEST_F(RunTest, wrong_use_is_125_and_starts_nothing) {
    const std::string touch = "touch " + (dir_ / "ran").string();
    EXPECT_EQ(run_script({"--task", "a b"}, touch).code, 125);
    EXPECT_EQ(run_script({"--no-such"}, touch).code, 125);
    EXPECT_EQ(run_script({"--steps-per-epoch", "0"}, touch).code, 125);
    EXPECT_EQ(run_script({"--steps-per-epoch", "1", "--tokens-per-epoch", "1"}, touch).code, 125);
    EXPECT_EQ(run({"run"}).code, 125);
    EXPECT_THAT(run({"run", "python", "x.py"}).err, HasSubstr("write epochcast run [options] --"));
    EXPECT_FALSE(std::filesystem::exists(dir_ / "ran"));
}

}  // namespace epochcast
