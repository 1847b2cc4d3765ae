// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
//
// What happens to training when processes die, signals come, or disks refuse.

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include <gmock/gmock.h>

#include "core/epoch_record.hpp"
#include "epoch_log/reader.hpp"
#include "mpi/training.hpp"

namespace epochcast {
namespace {

using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

// Kills one worker, a random one, about every `period`.
auto kill_workers_every(std::chrono::milliseconds period, int& kills) {
    return [&kills, period, next = Clock::now(), turn = 0U](int pid, const std::string&) mutable {
        if (Clock::now() < next) {
            return;
        }
        next = Clock::now() + period;
        for (const char* name : {"ec-worker-0", "ec-worker-1"}) {
            const auto workers = descendants_named(pid, name);
            if (!workers.empty() && ++turn % 2 == 0) {
                kills += kill(workers.back(), SIGKILL) == 0 ? 1 : 0;
                return;
            }
        }
    };
}

std::vector<int> all_of(int pid) {
    auto pids = descendants_named(pid, "ec-worker-0");
    const auto zygotes = descendants_named(pid, "epochcast-train");  // comm is cut to 15 characters
    pids.insert(pids.end(), zygotes.begin(), zygotes.end());
    return pids;
}

void expect_all_gone(const std::vector<int>& pids) {
    EXPECT_FALSE(pids.empty());
    for (int wait = 0; wait < 200; ++wait) {
        if (std::ranges::none_of(pids, is_alive)) {
            return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "a process was left behind";
}

TEST_F(Training, killed_workers_cost_time_but_no_bit) {
    const std::vector<std::string> keys{"samples=1000", "workers=2"};
    const auto quiet = bits_of(trained(alone(keys)));
    int kills = 0;
    Start start = alone(keys);
    start.watch = kill_workers_every(std::chrono::milliseconds(40), kills);
    const auto run = trained(start);
    EXPECT_EQ(bits_of(run), quiet);
    EXPECT_GE(kills, 3);
    EXPECT_GE(run["worker_deaths"], 1);
    const auto log = read_log(folder() / run["log"].get<std::string>());
    ASSERT_TRUE(log.ok());
    EXPECT_TRUE(std::ranges::any_of(
        log.value().events, [](const auto& event) { return event.kind == EventKind::failure; }));
}

TEST_F(Training, killed_workers_of_two_nodes_cost_no_bit) {
    const std::vector<std::string> keys{"samples=1000", "workers=1"};
    const auto quiet = bits_of(trained(alone(keys)));
    int kills = 0;
    Start start = under_mpirun(2, keys);
    start.watch = kill_workers_every(std::chrono::milliseconds(100), kills);
    EXPECT_EQ(bits_of(trained(start)), quiet);
    EXPECT_GE(kills, 1);
}

TEST_F(Training, a_killed_zygote_ends_it_with_a_reason) {
    Start start = alone({"epochs=1000"}, false);
    std::vector<int> pids;
    start.watch = [&](int pid, const std::string& out) {
        if (pids.empty() && out.find("epoch 1/") != out.npos) {
            pids = all_of(pid);
            const auto zygotes = descendants_named(pid, "epochcast-train");
            ASSERT_FALSE(zygotes.empty());
            kill(zygotes.front(), SIGKILL);
        }
    };
    const Ended ended = run_program(start);
    EXPECT_EQ(ended.exit_code, 4);
    EXPECT_THAT(ended.err, HasSubstr("zygote was ended by signal 9"));
    expect_all_gone(pids);
}

TEST_F(Training, a_killed_agent_leaves_no_process_and_a_readable_log) {
    Start start = alone({"epochs=1000", "log_dir=logs"}, false);
    std::vector<int> pids;
    start.watch = [&](int pid, const std::string& out) {
        if (pids.empty() && out.find("epoch 2/") != out.npos) {
            pids = all_of(pid);
            kill(pid, SIGKILL);
        }
    };
    EXPECT_EQ(run_program(start).exit_code, 128 + SIGKILL);
    expect_all_gone(pids);
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder() / "logs")) {
        if (file.path().extension() == ".h5") {
            const auto log = read_log(file.path());
            ASSERT_TRUE(log.ok()) << log.error().message;
            EXPECT_GE(log.value().totals.total_epochs, 2U);
            EXPECT_FALSE(log.value().ended());
            return;
        }
    }
    ADD_FAILURE() << "no epoch log";
}

TEST_F(Training, resuming_at_an_epoch_gives_the_same_bits) {
    const std::vector<std::string> keys{"samples=300", "epochs=4"};
    const auto whole = trained(alone(keys));
    trained(alone({"samples=300", "epochs=2", "checkpoint=state"}));
    const auto rest = trained(alone({"samples=300", "epochs=4", "checkpoint=state", "workers=2"}));
    EXPECT_EQ(rest["parameters_digest"], whole["parameters_digest"]);
    ASSERT_EQ(rest["epochs"].size(), 2U);
    EXPECT_EQ(rest["epochs"][0]["epoch"], 2);
    EXPECT_NE(rest["epochs"][0]["flags"].get<unsigned>() & epoch_resumed, 0U);
    EXPECT_EQ(rest["epochs"][1]["flags"].get<unsigned>() & epoch_resumed, 0U);
    EXPECT_EQ(rest["epochs"][1]["loss"], whole["epochs"][3]["loss"]);

    const auto again = trained(alone({"samples=300", "epochs=4", "checkpoint=state"}));
    EXPECT_EQ(again["epochs"].size(), 0U) << "there is nothing left to train";
    EXPECT_EQ(again["parameters_digest"], whole["parameters_digest"]);
    EXPECT_EQ(again["log"], "");
}

// Stops in the middle of an epoch, by each signal, alone and on two nodes.
TEST_F(Training, a_stop_signal_ends_it_at_a_step_and_the_same_command_goes_on) {
    const std::vector<std::string> keys{"samples=2000", "epochs=3", "checkpoint=state"};
    const auto whole =
        trained(alone({"samples=2000", "epochs=3"}))["parameters_digest"].get<std::string>();
    for (const int number : {SIGTERM, SIGUSR2}) {
        Start start = alone(keys, false);
        start.watch = [&, is_sent = false](int pid, const std::string& out) mutable {
            if (!is_sent && out.find("epoch 1/") != out.npos) {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                is_sent = kill(pid, number) == 0;
            }
        };
        const Ended ended = run_program(start);
        EXPECT_EQ(ended.exit_code, 75) << ended.err;
        EXPECT_THAT(ended.out, HasSubstr("epoch 2/3: "));
        EXPECT_THAT(ended.out, HasSubstr("not finished"));
        EXPECT_THAT(ended.out, HasSubstr("stopped by signal " + std::to_string(number)));
        const auto rest = trained(number == SIGTERM ? alone(keys) : under_mpirun(2, keys));
        EXPECT_EQ(rest["parameters_digest"], whole);
        std::filesystem::remove_all(folder() / "state");
    }
}

TEST_F(Training, a_checkpoint_of_another_training_is_refused) {
    trained(alone({"checkpoint=state", "model=mlp"}));
    const Ended ended = run_program(alone({"checkpoint=state", "model=mlp", "seed=2"}));
    EXPECT_EQ(ended.exit_code, 3);
    EXPECT_THAT(ended.err, HasSubstr("'seed=2'"));
    const auto file = folder() / "state" / "local.test-task.checkpoint";
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
    const Ended cut = run_program(alone({"checkpoint=state", "model=mlp"}));
    EXPECT_EQ(cut.exit_code, 3);
    EXPECT_THAT(cut.err, HasSubstr("truncated"));
}

// Files may not grow any more, as on a full disk: said once each, and training goes on.
TEST_F(Training, a_disk_that_fills_up_does_not_end_training) {
    const auto quiet = bits_of(trained(alone({"epochs=4"})));
    Start start = alone({"epochs=4", "checkpoint=state"});
    start.command.erase(std::ranges::find(start.command, "--json"));
    start.watch = [is_full = false](int pid, const std::string& out) mutable {
        if (!is_full && out.find("epoch 1/") != out.npos) {
            const rlimit none{0, RLIM_INFINITY};
            is_full = prlimit(pid, RLIMIT_FSIZE, &none, nullptr) == 0;
        }
    };
    const Ended ended = run_program(start);
    EXPECT_EQ(ended.exit_code, 0) << ended.err << ended.out;
    EXPECT_THAT(ended.out, HasSubstr("epoch 4/4"));
    EXPECT_THAT(ended.out, HasSubstr("parameters " + quiet.substr(0, 16)));
    for (const char* once : {"training goes on without this checkpoint",
                             "training goes on, but this epoch is not logged"}) {
        const auto first = ended.out.find(once);
        EXPECT_NE(first, std::string::npos) << once << " is missing in:\n" << ended.out;
        EXPECT_EQ(ended.out.find(once, first + 1), std::string::npos) << once << " twice";
    }
}

}  // namespace
}  // namespace epochcast
