// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cli/simulate_cluster.hpp"
#include "unit/cli/fixture.hpp"

namespace epochcast {

using testing::HasSubstr;
using testing::Not;

const char* const throughputs =
    "gpu_type,consolidated,model,batch_size,scale_factor,steps_per_s_simulation,"
    "steps_per_s_physical\n"
    "v100,1,A,,1,2,2\nk80,1,A,,1,1,1\n";
const char* const trace =
    "job_id,arrival_s,model,batch_size,scale_factor,total_steps\n0,0,A,,1,200\n1,10,A,,1,100\n";

class SimulateTest : public CliTest {
  protected:
    void SetUp() override {
        CliTest::SetUp();
        write("throughputs_isolated.csv", throughputs);
        write("trace.csv", trace);
    }
    Json json(std::vector<std::string> more) {
        more.insert(more.begin(), {"simulate", dir_ / "trace.csv", "--json"});
        const Ran ran = run(more);
        EXPECT_EQ(ran.code, 0) << ran.err;
        return ran.code == 0 ? Json::parse(ran.out) : Json();
    }
};

TEST_F(SimulateTest, runs_a_trace_with_the_table_beside_it) {
    const Json report =
        json({"--policy", "fifo", "--class", "v100=1@36", "--class", "k80=0", "--class", "p100=0"});
    EXPECT_EQ(report["schema"], "epochcast.simulate.v1");
    const Json& fifo = report["policies"][0];
    // 100 s alone; then 50 s after waiting 90 s.
    EXPECT_DOUBLE_EQ(fifo["jct_mean_s"].get<double>(), (100 + 140) / 2.0);
    EXPECT_DOUBLE_EQ(fifo["makespan_s"].get<double>(), 150);
    EXPECT_NEAR(fifo["cost"].get<double>(), 1.5, 1e-9);
    EXPECT_EQ(fifo["runs"], 1);
}

TEST_F(SimulateTest, the_sites_classes_are_one_device_a_node) {
    configure(
        "[[class]]\nname = \"v100\"\nnodes = \"n[1-3]\"\nprice_per_node_hour = 2\n"
        "[[class]]\nname = \"cpu\"\nnodes = \"c1\"\n");
    const Json report = json({"--site"});
    ASSERT_EQ(report["classes"].size(), 2u);
    EXPECT_EQ(report["classes"][0]["devices"], 3);
    EXPECT_EQ(report["classes"][0]["price_per_device_hour"], 2.0);
    EXPECT_EQ(report["policies"].size(), 3u);  // own, stock, fifo
}

TEST_F(SimulateTest, seeds_are_averaged_where_they_matter) {
    const Json report =
        json({"--policy", "own", "--policy", "fifo", "--repeat", "3", "--sigma", "0.5"});
    EXPECT_EQ(report["policies"][0]["jct_mean_s_by_run"].size(), 3u);
    EXPECT_EQ(report["policies"][1]["jct_mean_s_by_run"].size(), 1u);
}

TEST_F(SimulateTest, writes_a_row_per_job_with_hostile_names_quoted) {
    write("jobs.txt",
          "JobID|JobName|User|Partition|AllocCPUS|State|Submit|Start|End\n"
          "1|a,\"b\"\x1b[2J|u|p|1|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:00:10|"
          "2026-01-01T00:01:10\n");
    const Ran ran =
        run({"simulate", dir_ / "jobs.txt", "--policy", "fifo", "--per-job", dir_ / "rows.csv"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    std::ifstream in(dir_ / "rows.csv");
    const std::string rows{std::istreambuf_iterator<char>(in), {}};
    EXPECT_THAT(rows,
                HasSubstr("as recorded\",0,1,\"u/a,\"\"b\"\"\\x1b[2J\",1,0,10,70,70,p,0,0\n"));
    EXPECT_THAT(rows, HasSubstr("fifo,1,1,"));
    EXPECT_THAT(ran.out, Not(HasSubstr("\x1b")));
}

TEST_F(SimulateTest, unreadable_rows_are_named_and_counted) {
    write("jobs.txt",
          "JobID|State|Submit|Start|End\n"
          "1|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:01:00\n"
          "2|COMPLETED|now|2026-01-01T00:00:00|2026-01-01T00:01:00\n"
          "3|COMPLETED\n");
    const Ran ran = run({"simulate", dir_ / "jobs.txt"});
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.err, HasSubstr("jobs.txt: line 3: "));
    EXPECT_THAT(ran.err, HasSubstr("jobs.txt: line 4: "));
    EXPECT_THAT(ran.out, HasSubstr("3 rows: 1 job simulated, 2 that could not be read."));
}

TEST(ClassChanges, are_name_count_and_price) {
    const auto changes = parse_class_changes({"a100=16@2.5", "a=b=3"});
    EXPECT_FALSE(changes);
    const auto parsed = parse_class_changes({"a100=16@2.5", "k80=0"}).value();
    EXPECT_EQ(parsed[0].devices, 16u);
    EXPECT_EQ(parsed[0].price, 2.5);
    EXPECT_FALSE(parsed[1].price);
    std::vector<simulate::DeviceClass> classes{{"k80", 4, 0.5}};
    ASSERT_TRUE(change_classes(classes, parsed));
    ASSERT_EQ(classes.size(), 1u);
    EXPECT_EQ(classes_text(classes), "16 a100 at 2.5/h");
    for (const char* wrong :
         {"", "=1", "a", "a=", "a=1.5", "a=-1", "a=1@", "a=1@-1", "a=1@nan", "a=100001"}) {
        EXPECT_FALSE(parse_class_changes({wrong})) << wrong;
    }
}

TEST(Speeds, are_factors_above_zero) {
    EXPECT_EQ(parse_speeds({"a=2"}).value().at("a"), 2);
    for (const char* wrong : {"", "a", "=2", "a=0", "a=-1", "a=nan", "a=1e9", "a=x"}) {
        EXPECT_FALSE(parse_speeds({wrong})) << wrong;
    }
    EXPECT_FALSE(parse_speeds({"a=1", "a=2"}));
}

}  // namespace epochcast
