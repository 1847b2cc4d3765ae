// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
//
// Bad input: a message that names the value and what is allowed, the exit code, and no training.

#include <chrono>

#include <gmock/gmock.h>

#include "mpi/training.hpp"

namespace epochcast {
namespace {

using testing::HasSubstr;

struct Refused {
    std::vector<std::string> keys;
    int exit_code;
    std::string says;
};

void PrintTo(const Refused& refused, std::ostream* out) {
    *out << testing::PrintToString(refused.keys).substr(0, 80);
}

class Refusals : public Training, public testing::WithParamInterface<Refused> {};

TEST_P(Refusals, end_before_training) {
    const Ended ended = run_program(alone(GetParam().keys));
    EXPECT_EQ(ended.exit_code, GetParam().exit_code) << ended.err;
    EXPECT_THAT(ended.err, testing::StartsWith("epochcast-train: "));
    EXPECT_THAT(ended.err, HasSubstr(GetParam().says));
    EXPECT_LT(ended.err.size(), 1000U);
    EXPECT_EQ(ended.out, "");
    EXPECT_FALSE(std::filesystem::exists(folder() / "epochcast-logs"));
}

INSTANTIATE_TEST_SUITE_P(
    All,
    Refusals,
    testing::Values(Refused{{"epochs=0"}, 2, "epochs '0'"},
                    Refused{{"epochs=1000000000000"}, 2, "from 1 to 1000000000"},
                    Refused{{"learning_rate=nan"}, 2, "learning_rate 'nan'"},
                    Refused{{"learning_rate=-1"}, 2, "learning_rate '-1'"},
                    Refused{{"task=two words"}, 2, "task name 'two words'"},
                    Refused{{"task=quo\"te'"}, 2, "task name"},
                    Refused{{"task=t\xc3\xa4sk"}, 2, "task name"},
                    Refused{{"task=" + std::string(5000, 'x')}, 2, "5000 bytes"},
                    Refused{{"no-such-key=1"}, 2, "no-such-key"},
                    Refused{{"data=/no/such/folder"}, 4, "dataset-fashion-mnist"},
                    Refused{{"data=/usr"}, 4, "train-labels-idx1-ubyte"},
                    Refused{{"samples=1000000"}, 3, "only 60000"},
                    Refused{{"workers=1000", "oversubscribe=false"}, 4, "workers = 1000"},
                    Refused{{"model=resnet18", "micro_batch=1"}, 3, "at least 2 samples"},
                    Refused{{"log_dir=/proc/no-folder-can-be-made-here"}, 4, "/proc/no-folder"},
                    Refused{{"log_dir=/dev/null"}, 4, "/dev/null"},
                    Refused{{"checkpoint=/dev/null/x"}, 4, "/dev/null/x"}));

TEST_F(Training, wrong_files_are_refused_with_file_and_line) {
    const auto refused = [&](const std::string& text, int exit_code, const std::string& says) {
        job_file(text);
        const Ended ended = run_program(alone({}));
        EXPECT_EQ(ended.exit_code, exit_code) << ended.err;
        EXPECT_THAT(ended.err, HasSubstr(says));
    };
    refused("[[job]]\ntask = \"a b\"\n", 3, "job.toml:2: task name 'a b'");
    refused("[[job]]\ntask = \"t\"\nepoch = 3\n", 3, "job.toml:3: unknown key 'epoch'");
    refused("[[job]]\ntask = \"t\"\n[[job]]\ntask = \"u\"\n", 3, "only one");
    refused("not toml at all", 3, "job.toml:1");
    std::filesystem::remove(folder() / "job.toml");
    const Ended none = run_program(alone({}));
    EXPECT_EQ(none.exit_code, 4);
    EXPECT_THAT(none.err, HasSubstr("job.toml"));
}

TEST_F(Training, wrong_command_lines_are_usage_errors) {
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {}, {"--sett", "epochs=1"}, {"job.toml", "other.toml"}, {"job.toml", "--set"}}) {
        Start start = alone({});
        start.command = {bin_folder + "/epochcast-train"};
        start.command.insert(start.command.end(), arguments.begin(), arguments.end());
        const Ended ended = run_program(start);
        EXPECT_EQ(ended.exit_code, 2);
        EXPECT_THAT(ended.err, HasSubstr("usage: epochcast-train"));
    }
}

TEST_F(Training, several_tasks_that_cannot_find_each_other_are_refused) {
    Start start = alone({});
    start.environment = {"SLURM_JOB_ID=7", "SLURM_NTASKS=2", "SLURM_PROCID=0"};
    const Ended first = run_program(start);
    EXPECT_EQ(first.exit_code, 4);
    EXPECT_THAT(first.err, HasSubstr("srun --mpi=pmix"));
    start.environment.back() = "SLURM_PROCID=1";
    const Ended second = run_program(start);
    EXPECT_EQ(second.exit_code, 4);
    EXPECT_EQ(second.err, "") << "one message is enough";
}

// All ranks end together, soon, with one message, also where only one of them sees the trouble.
TEST_F(Training, ranks_refuse_together) {
    const auto begin = std::chrono::steady_clock::now();
    Start start = under_mpirun(3, {"data=/no/such/folder"});
    start.limit_s = 60;
    const Ended everywhere = run_program(start);
    EXPECT_EQ(everywhere.exit_code, 4) << everywhere.err;
    const auto first = everywhere.err.find("epochcast-train: data");
    EXPECT_NE(first, std::string::npos) << everywhere.err;
    EXPECT_EQ(everywhere.err.find("epochcast-train: data", first + 1), std::string::npos);

    start.command = {
        "mpirun",
        "--oversubscribe",
        "-np",
        "2",
        "sh",
        "-c",
        "test $OMPI_COMM_WORLD_RANK = 0 || cd /; exec " + bin_folder + "/epochcast-train job.toml"};
    const Ended one = run_program(start);
    EXPECT_EQ(one.exit_code, 4) << one.err;
    EXPECT_THAT(one.err, HasSubstr("epochcast-train: node "));
    EXPECT_THAT(one.err, HasSubstr("job.toml"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

}  // namespace
}  // namespace epochcast
