// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
//
// Real training with epochcast-train: what it prints and logs, and that its bits depend on nothing
// but the job file.

#include <unistd.h>

#include <cmath>
#include <set>

#include <gmock/gmock.h>

#include "epoch_log/reader.hpp"
#include "mpi/training.hpp"

namespace epochcast {
namespace {

using testing::HasSubstr;

TEST_F(Training, learns_and_writes_an_epoch_log) {
    const auto run = trained(alone({"epochs=3", "samples=1000"}));
    ASSERT_EQ(run["schema"], "epochcast.train.v1");
    ASSERT_EQ(run["epochs"].size(), 3U);
    EXPECT_LT(run["epochs"][2]["loss"], run["epochs"][0]["loss"]);
    EXPECT_GT(run["accuracy"], 0.4) << "of ten classes, after three short epochs";
    EXPECT_EQ(run["job"]["parameters"], 207'018);

    const auto log = read_log(folder() / run["log"].get<std::string>());
    ASSERT_TRUE(log.ok()) << log.error().message;
    const LogHeader& header = log.value().header;
    EXPECT_EQ(header.task.name, "test-task");
    EXPECT_EQ(header.task.scope, "user:" + std::to_string(getuid()));
    EXPECT_EQ(header.cluster, "local");
    EXPECT_EQ(header.attributes.framework, "epochcast-train");
    EXPECT_EQ(header.attributes.model, "cnn");
    EXPECT_EQ(header.attributes.dataset, "fashion-mnist");
    EXPECT_EQ(header.attributes.precision, "fp32");
    EXPECT_EQ(header.attributes.samples_per_epoch, 1000U);
    EXPECT_EQ(header.attributes.total_batch, 64U);
    EXPECT_EQ(header.declared_epochs, 3U);
    ASSERT_EQ(header.nodes.size(), 1U);
    EXPECT_EQ(header.nodes[0].workers, 1U);
    EXPECT_THAT(header.note, HasSubstr("learning_rate=0.02 seed=1"));
    EXPECT_EQ(log.value().rows.size(), 6U) << "a row of the node and one of the model job, 3 times";
    EXPECT_EQ(log.value().totals.total_epochs, 3U);
    EXPECT_TRUE(log.value().ended());
}

TEST_F(Training, rows_hold_what_was_measured) {
    const auto run = trained(alone({"samples=1000"}));
    const auto log = read_log(folder() / run["log"].get<std::string>());
    ASSERT_TRUE(log.ok()) << log.error().message;
    // 2 x multiply-adds of both convolutions and both linear layers, three times (forward, weights,
    // inputs), but for the input gradient of the first layer.
    constexpr double first = 2.0 * 9 * 16 * 784;
    constexpr double per_sample =
        3 * (first + 2.0 * 9 * 16 * 32 * 196 + 2.0 * 1568 * 128 + 2.0 * 128 * 10) - first;
    for (const EpochRecord& row : log.value().rows) {
        EXPECT_EQ(row.samples, 1000U);
        EXPECT_EQ(row.steps, 16U);
        EXPECT_DOUBLE_EQ(row.flop, 1000 * per_sample);
        EXPECT_DOUBLE_EQ(row.flop_rate, row.flop / row.wall_s);
        EXPECT_GT(row.wall_s, 0);
        EXPECT_GT(row.cpu_s, 0);
        EXPECT_LT(row.cpu_s, row.wall_s * 4 + 0.1) << "an agent and a worker";
        EXPECT_GT(row.peak_memory_bytes, 50U << 20);
        EXPECT_LT(row.peak_memory_bytes, 4ULL << 30);
        EXPECT_TRUE(std::isfinite(row.loss));
        EXPECT_EQ((row.flags & epoch_warm_up) != 0, row.epoch == 0);
        EXPECT_EQ(row.flags & (epoch_partial | epoch_resumed | epoch_generated), 0U);
    }
}

TEST_F(Training, bits_do_not_depend_on_workers_and_nodes) {
    for (const std::string model : {"cnn", "mlp"}) {
        const std::string key = "model=" + model;
        // 257 samples: the last batch and its micro-batch are of one sample.
        const auto one = bits_of(trained(alone({key, "samples=257"})));
        EXPECT_EQ(bits_of(trained(alone({key, "samples=257", "workers=2"}))), one);
        EXPECT_EQ(bits_of(trained(alone({key, "samples=257", "workers=7"}))), one);
        EXPECT_EQ(bits_of(trained(under_mpirun(2, {key, "samples=257"}))), one);
        EXPECT_EQ(bits_of(trained(under_mpirun(3, {key, "samples=257", "workers=2"}))), one);
    }
}

TEST_F(Training, more_nodes_than_micro_batches_are_idle_but_harmless) {
    const auto one = bits_of(trained(alone({"batch=16"})));
    const auto three = trained(under_mpirun(3, {"batch=16"}));
    EXPECT_EQ(bits_of(three), one);
    EXPECT_EQ(three["nodes"].size(), 3U);
}

TEST_F(Training, bits_are_those_of_a_plain_loop) {
    const auto run = trained(alone({"samples=200", "workers=2"}));
    Start start;
    start.folder = folder();
    start.command = {bin_folder + "/plain_loop", "cnn", "200", "2"};
    const auto plain = trained(start);
    EXPECT_EQ(plain["parameters_digest"], run["parameters_digest"]);
}

TEST_F(Training, another_seed_or_micro_batch_gives_other_bits) {
    std::set<std::string> bits;
    for (const char* key :
         {"seed=1", "seed=2", "micro_batch=8", "batch=32", "learning_rate=0.01"}) {
        bits.insert(trained(alone({key, "epochs=1"}))["parameters_digest"]);
    }
    EXPECT_EQ(bits.size(), 5U);
}

TEST_F(Training, nodes_have_rows_of_their_own) {
    const auto run = trained(under_mpirun(2, {"epochs=1"}));
    const auto log = read_log(folder() / run["log"].get<std::string>());
    ASSERT_TRUE(log.ok()) << log.error().message;
    ASSERT_EQ(log.value().rows.size(), 3U);
    const auto& rows = log.value().rows;
    EXPECT_EQ(rows[0].unit, 0);
    EXPECT_EQ(rows[1].unit, 1);
    EXPECT_EQ(rows[2].unit, unit_model_job);
    EXPECT_EQ(rows[0].samples, 128U);
    EXPECT_EQ(rows[2].samples, 256U);
    EXPECT_DOUBLE_EQ(rows[2].cpu_s, rows[0].cpu_s + rows[1].cpu_s);
    EXPECT_DOUBLE_EQ(rows[2].wall_s, std::max(rows[0].wall_s, rows[1].wall_s));
    EXPECT_EQ(log.value().header.nodes.size(), 2U);
}

TEST_F(Training, resnet18_trains_to_the_same_bits_too) {
    const std::vector<std::string> keys{
        "model=resnet18", "samples=34", "batch=32", "test_samples=0", "epochs=1"};
    const auto run = trained(alone(keys));
    EXPECT_GT(run["job"]["parameters"], 11'000'000);
    EXPECT_TRUE(run["accuracy"].is_null());
    EXPECT_TRUE(std::isfinite(run["epochs"][0]["loss"].get<double>()));
    EXPECT_EQ(bits_of(trained(under_mpirun(2, keys))), bits_of(run));
}

TEST_F(Training, says_what_it_does_in_lines_for_people) {
    const Ended ended = run_program(alone({}, false));
    EXPECT_EQ(ended.exit_code, 0);
    EXPECT_THAT(ended.out, HasSubstr("epoch 1/2: loss "));
    EXPECT_THAT(ended.out, HasSubstr("samples/s"));
    EXPECT_THAT(ended.out, HasSubstr("epoch 2/2: loss "));
    EXPECT_THAT(ended.out, HasSubstr("accuracy on the test samples: "));
    EXPECT_EQ(ended.err, "");
}

TEST_F(Training, a_dry_run_shows_the_plan_and_leaves_nothing) {
    Start start = alone({"checkpoint=state"});
    start.command.emplace_back("--dry-run");
    const auto plan = trained(start);
    EXPECT_EQ(plan["schema"], "epochcast.train_plan.v1");
    EXPECT_EQ(plan["micro_batches_per_step"], 4);
    EXPECT_EQ(plan["job"]["parameters"], 207'018);
    const auto left = std::filesystem::directory_iterator(folder());
    EXPECT_EQ(std::distance(begin(left), end(left)), 1) << "only the job file";
}

TEST_F(Training, the_log_folder_comes_from_key_environment_or_default) {
    const auto log_of = [&](std::vector<std::string> keys, std::vector<std::string> variables) {
        keys.insert(keys.end(), {"model=mlp", "epochs=1"});
        Start start = alone(keys);
        start.environment = std::move(variables);
        return trained(start)["log"].get<std::string>();
    };
    EXPECT_THAT(log_of({"log_dir=here"}, {"EPOCHCAST_LOG_DIR=there"}),
                testing::StartsWith("here/" + std::to_string(getuid()) + "/local-"));
    EXPECT_THAT(log_of({}, {"EPOCHCAST_LOG_DIR=there"}), testing::StartsWith("there/"));
    EXPECT_THAT(log_of({}, {}), HasSubstr("epochcast-logs/"));
}

TEST_F(Training, the_shipped_job_file_is_right_and_names_every_key) {
    Start start = alone({});
    start.command = {bin_folder + "/epochcast-train", EPOCHCAST_TEST_JOB_FILE, "--dry-run"};
    EXPECT_EQ(run_program(start).exit_code, 0);
    Start help = alone({});
    help.command = {bin_folder + "/epochcast-train", "--help"};
    const std::string text = run_program(help).out;
    const std::string job = text_of(EPOCHCAST_TEST_JOB_FILE);
    std::size_t keys = 0;
    for (std::size_t at = text.find(" = "); at != text.npos; at = text.find(" = ", at + 1)) {
        const std::size_t start_of_key = text.rfind(' ', at - 1) + 1;
        EXPECT_THAT(job, HasSubstr(text.substr(start_of_key, at + 3 - start_of_key)));
        ++keys;
    }
    EXPECT_GE(keys, 17U);
}

}  // namespace
}  // namespace epochcast
