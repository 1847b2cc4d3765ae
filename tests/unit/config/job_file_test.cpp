// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "config/job_file.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/temporary_dir.hpp"

namespace epochcast {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

class JobFile : public testing::Test {
  protected:
    Result<TrainJob> read(std::string_view text, const std::vector<std::string>& overrides = {}) {
        write_in_place(path(), text);
        return read_job_file(path(), overrides);
    }
    std::filesystem::path path() const { return folder_.path() / "job.toml"; }

    // The error's message, which must be of this kind.
    std::string refusal(std::string_view text,
                        ErrorKind kind,
                        const std::vector<std::string>& overrides = {}) {
        const auto job = read(text, overrides);
        if (job.ok()) {
            return "accepted";
        }
        EXPECT_EQ(job.error().kind, kind) << job.error().message;
        return job.error().message;
    }
    // In a file, as the third line.
    std::string refusal_of(const std::string& line) {
        return refusal("[[job]]\ntask = \"t\"\n" + line + "\n", ErrorKind::bad_input);
    }

    TemporaryDir folder_;
};

TEST_F(JobFile, a_task_is_all_it_needs) {
    const auto job = read("[[job]]\ntask = \"fashion-cnn\"\n");
    ASSERT_TRUE(job.ok()) << job.error().message;
    EXPECT_EQ(job.value().task, "fashion-cnn");
    EXPECT_EQ(job.value().model, "cnn");
    EXPECT_EQ(job.value().batch, 64U);
    EXPECT_EQ(job.value().micro_batch, 16U);
    EXPECT_EQ(job.value().epochs, 1U);
    EXPECT_FALSE(job.value().samples.has_value());
}

TEST_F(JobFile, every_key_of_the_table_can_be_set) {
    const auto job = read(R"([[job]]
task = "vision/resnet@2"
model = "resnet18"
data = "/data/set"
loss = "cross_entropy"
optimiser = "sgd"
learning_rate = 1
momentum = 0
batch = 128
micro_batch = 32
epochs = 90
seed = 0
samples = 4000
test_samples = 0
workers = 3
oversubscribe = true
checkpoint = "state"
log_dir = "logs"
)");
    ASSERT_TRUE(job.ok()) << job.error().message;
    EXPECT_EQ(job.value().task, "vision/resnet@2");
    EXPECT_EQ(job.value().model, "resnet18");
    EXPECT_EQ(job.value().data, "/data/set");
    EXPECT_EQ(job.value().learning_rate, 1.0);
    EXPECT_EQ(job.value().momentum, 0.0);
    EXPECT_EQ(job.value().batch, 128U);
    EXPECT_EQ(job.value().micro_batch, 32U);
    EXPECT_EQ(job.value().epochs, 90U);
    EXPECT_EQ(job.value().seed, 0U);
    EXPECT_EQ(job.value().samples, 4000U);
    EXPECT_EQ(job.value().test_samples, 0U);
    EXPECT_EQ(job.value().workers, 3U);
    EXPECT_TRUE(job.value().oversubscribe);
    EXPECT_EQ(job.value().checkpoint, "state");
    EXPECT_EQ(job.value().log_dir, "logs");
    EXPECT_EQ(job_key_table().size(), 17U) << "a new key belongs into this test";
}

TEST_F(JobFile, overrides_win_and_the_last_one_most) {
    const auto job = read("[[job]]\ntask = \"a\"\nlearning_rate = 0.5\n",
                          {"learning_rate=0.1", "task=b", "learning_rate=1e-3"});
    ASSERT_TRUE(job.ok()) << job.error().message;
    EXPECT_EQ(job.value().task, "b");
    EXPECT_EQ(job.value().learning_rate, 1e-3);
}

TEST_F(JobFile, an_override_may_give_the_task_that_the_file_leaves_out) {
    EXPECT_TRUE(read("[[job]]\nepochs = 2\n", {"task=late"}).ok());
    EXPECT_THAT(refusal("[[job]]\nepochs = 2\n", ErrorKind::bad_input),
                HasSubstr("task is missing"));
}

TEST_F(JobFile, micro_batch_left_out_shrinks_with_the_batch) {
    EXPECT_EQ(read("[[job]]\ntask=\"t\"\nbatch=8\n").value().micro_batch, 8U);
    EXPECT_THAT(refusal_of("batch = 8\nmicro_batch = 16"),
                AllOf(HasSubstr("job.toml:4: "), HasSubstr("16"), HasSubstr("8")));
    EXPECT_THAT(refusal("[[job]]\ntask=\"t\"\nbatch=8\n", ErrorKind::usage, {"micro_batch=9"}),
                HasSubstr("--set: micro_batch 9"));
}

TEST_F(JobFile, errors_name_file_line_key_value_and_what_is_allowed) {
    EXPECT_THAT(refusal_of("epochs = 0"),
                AllOf(HasSubstr("job.toml:3: "),
                      HasSubstr("epochs"),
                      HasSubstr("'0'"),
                      HasSubstr("from 1 to 1000000000")));
    EXPECT_THAT(refusal_of("epochs = 1_000_000_000_000"), HasSubstr("'1000000000000'"));
    // toml11 4 refuses the number itself.
    EXPECT_THAT(
        refusal_of("epochs = 99999999999999999999999"),
        AnyOf(HasSubstr("epochs"), HasSubstr("job.toml:3: is not TOML: too large integer")));
    EXPECT_THAT(refusal_of("epochs = -1"), HasSubstr("'-1'"));
    EXPECT_THAT(refusal_of("epochs = 2.5"), HasSubstr("a whole number"));
    EXPECT_THAT(refusal_of("epochs = \"4\""), HasSubstr("a whole number"));
    EXPECT_THAT(refusal_of("epochs = [4]"), HasSubstr("a whole number"));
    EXPECT_THAT(refusal_of("learning_rate = nan"), HasSubstr("learning_rate 'nan'"));
    EXPECT_THAT(refusal_of("learning_rate = inf"), HasSubstr("'inf'"));
    EXPECT_THAT(refusal_of("learning_rate = -0.1"), HasSubstr("'-0.1'"));
    EXPECT_THAT(refusal_of("learning_rate = 0"), HasSubstr("'0'"));
    EXPECT_THAT(refusal_of("learning_rate = true"), HasSubstr("a number"));
    EXPECT_THAT(refusal_of("momentum = 1"), HasSubstr("momentum '1'"));
    EXPECT_THAT(refusal_of("batch = 0"), HasSubstr("from 1 to 65536"));
    EXPECT_THAT(refusal_of("workers = 4096"), HasSubstr("from 0 to 1024"));
    EXPECT_THAT(refusal_of("model = \"gpt\""), HasSubstr("mlp, cnn or resnet18"));
    EXPECT_THAT(refusal_of("model = 1"), HasSubstr("text in quotes"));
    EXPECT_THAT(refusal_of("oversubscribe = 1"), HasSubstr("true or false"));
    EXPECT_THAT(refusal_of("samples = 0"), HasSubstr("from 1 to"));
    EXPECT_THAT(refusal_of("data = \"a\\u0007b\""), HasSubstr("control characters"));
    EXPECT_THAT(refusal_of("started = 2026-01-01"), HasSubstr("unknown key 'started'"));
}

TEST_F(JobFile, task_names_are_checked_in_the_file_and_on_the_command_line) {
    const std::string good = "[[job]]\ntask = \"t\"\n";
    for (const std::string& name : {std::string("two words"),
                                    std::string("quo'te"),
                                    std::string("n\xc3\xa4me"),
                                    std::string(5000, 'x'),
                                    std::string("a\nb"),
                                    std::string()}) {
        EXPECT_THAT(refusal(good, ErrorKind::usage, {"task=" + name}),
                    AllOf(HasSubstr("task name"), HasSubstr("1 to 128")));
    }
    EXPECT_THAT(refusal("[[job]]\ntask = \"two words\"\n", ErrorKind::bad_input),
                AllOf(HasSubstr("job.toml:2: "), HasSubstr("'two words'")));
    const auto long_name =
        refusal("[[job]]\ntask = \"" + std::string(5000, 'x') + "\"\n", ErrorKind::bad_input);
    EXPECT_THAT(long_name, HasSubstr("5000 bytes"));
    EXPECT_LT(long_name.size(), 500U);
}

TEST_F(JobFile, unknown_keys_are_errors_wherever_they_stand) {
    EXPECT_THAT(
        refusal_of("learningrate = 0.1"),
        AllOf(HasSubstr("job.toml:3: "), HasSubstr("'learningrate'"), HasSubstr("learning_rate")));
    EXPECT_THAT(refusal("task = \"t\"\n[[job]]\n", ErrorKind::bad_input),
                AllOf(HasSubstr("job.toml:1: "), HasSubstr("'task'"), HasSubstr("below [[job]]")));
    EXPECT_THAT(refusal("[[job]]\ntask=\"t\"\n", ErrorKind::usage, {"tusk=1"}),
                HasSubstr("'tusk=1'"));
    EXPECT_THAT(refusal("[[job]]\ntask=\"t\"\n", ErrorKind::usage, {"task"}),
                HasSubstr("key=value"));
    EXPECT_THAT(refusal("[[job]]\ntask=\"t\"\n", ErrorKind::usage, {"=1"}), HasSubstr("key=value"));
}

TEST_F(JobFile, exactly_one_job) {
    EXPECT_THAT(refusal("", ErrorKind::bad_input), HasSubstr("no [[job]]"));
    EXPECT_THAT(refusal("[[job]]\ntask=\"a\"\n[[job]]\ntask=\"b\"\n", ErrorKind::bad_input),
                AllOf(HasSubstr("number 2"), HasSubstr("only one")));
    EXPECT_THAT(refusal("[job]\ntask=\"a\"\n", ErrorKind::bad_input), HasSubstr("[[job]]"));
    EXPECT_THAT(refusal("job = [1]\n", ErrorKind::bad_input), HasSubstr("job.toml:1: "));
    EXPECT_THAT(refusal("job = []\n", ErrorKind::bad_input), HasSubstr("no [[job]]"));
}

TEST_F(JobFile, hostile_files_are_refused_without_harm) {
    EXPECT_THAT(refusal("[[job]\ntask", ErrorKind::bad_input), HasSubstr("job.toml:1"));
    EXPECT_NE(refusal(std::string_view("\0\xff\xfe binary", 10), ErrorKind::bad_input), "accepted");
    EXPECT_THAT(refusal("a = " + std::string(100'000, '['), ErrorKind::bad_input),
                HasSubstr("nested"));
    EXPECT_NE(refusal(std::string(3 << 20, '#'), ErrorKind::bad_input), "accepted");
    EXPECT_EQ(read_job_file(folder_.path() / "none.toml", {}).error().kind, ErrorKind::environment);
    EXPECT_EQ(read_job_file(folder_.path(), {}).error().kind, ErrorKind::environment);
    const auto pipe = folder_.path() / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(read_job_file(pipe, {}).error().kind, ErrorKind::environment);
}

}  // namespace
}  // namespace epochcast
