// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/commands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "unit/cli/fixture.hpp"

namespace epochcast {

using testing::HasSubstr;
using testing::StartsWith;

TEST_F(CliTest, switches_off_and_on_by_a_file) {
    EXPECT_EQ(run({"off"}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(dir_ / "forecast.d/off"));
    const Ran status = run({"status"});
    EXPECT_EQ(status.code, 1);
    EXPECT_THAT(status.out, HasSubstr("off ("));
    EXPECT_EQ(run({"on"}).code, 0);
    EXPECT_FALSE(std::filesystem::exists(dir_ / "forecast.d/off"));
}

TEST_F(CliTest, wrong_usage_is_2_and_says_where_help_is) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{},
                                               {"frob"},
                                               {"predict"},
                                               {"predict", "a", "b"},
                                               {"predict", "a", "--epochs"},
                                               {"log", "show", "--frob", "x"},
                                               {"explain"},
                                               {"off", "now"}}) {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 2);
        EXPECT_THAT(ran.err, StartsWith("epochcast: "));
        EXPECT_THAT(ran.err, HasSubstr("--help` for what is allowed"));
        EXPECT_EQ(ran.out, "");
    }
}

TEST_F(CliTest, every_command_has_help) {
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"log", "show"},
                                               {"log", "check"},
                                               {"history", "add"},
                                               {"history", "show"},
                                               {"forecast", "write"},
                                               {"forecast", "show"},
                                               {"predict"},
                                               {"rank"},
                                               {"simulate"},
                                               {"policy", "check"},
                                               {"explain"},
                                               {"probe"},
                                               {"off"},
                                               {"on"},
                                               {"status"}}) {
        auto arguments = command;
        arguments.emplace_back("--help");
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 0);
        EXPECT_THAT(ran.out, HasSubstr("Usage: epochcast " + command[0]));
        EXPECT_EQ(ran.err, "");
    }
}

TEST_F(CliTest, a_node_in_two_classes_is_refused_with_its_line) {
    configure(
        "[[class]]\nname = \"a\"\nnodes = \"n[1-2]\"\n"
        "[[class]]\nname = \"b\"\nnodes = \"n[2-3]\"\n");
    const Ran ran = run({"forecast", "write"});

    EXPECT_EQ(ran.code, 3);
    EXPECT_THAT(ran.err, HasSubstr("c.toml:10: node 'n2' is in the classes 'a' and 'b'"));
}

TEST_F(CliTest, the_forecast_file_that_is_written_can_be_shown) {
    configure("[[class]]\nname = \"a\"\nnodes = \"n[1-2]\"\n");
    const Ran written = run({"forecast", "write", "--json"});
    ASSERT_EQ(written.code, 0) << written.err;
    EXPECT_EQ(Json::parse(written.out)["classes"], 1);
    const Ran shown = run({"forecast", "show", "--json"});

    ASSERT_EQ(shown.code, 0) << shown.err;
    const Json document = Json::parse(shown.out);
    EXPECT_EQ(document["schema"], "epochcast.forecast_show.v1");
    EXPECT_EQ(document["age_s"], 0);
    EXPECT_EQ(document["classes"][0]["nodes"], (Json{"n1", "n2"}));
    EXPECT_TRUE(document["classes"][0]["price_per_node_hour"].is_null());
}

// One decision of uid 1000 about a job, as slurmctld writes it.
std::string decision(int job, const std::string& more, int uid = 1000) {
    return "{\"schema\":\"epochcast.decision.v1\",\"time_unix_s\":1767323045,\"job_id\":" +
           std::to_string(job) + ",\"uid\":" + std::to_string(uid) + "," + more + "}\n";
}

TEST_F(CliTest, explains_the_newest_decision_of_a_job) {
    write("decisions/1000/decisions.1.jsonl", decision(7, R"("verdict":"no forecast")"));
    write("decisions/1000/decisions.jsonl",
          decision(7, R"("verdict":"steered","chosen_class":"fast","chosen_nodes":"fast1")") +
              decision(77, R"("verdict":"busy")"));
    const Ran ran = run({"explain", "7"});

    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("steered to fast (fast1)"));
    EXPECT_EQ(run({"explain", "8"}).code, 1);
}

TEST_F(CliTest, explains_only_own_jobs_except_to_root) {
    write("decisions/1001/decisions.jsonl", decision(7, R"("verdict":"steered")", 1001));

    EXPECT_EQ(run({"explain", "7"}, 1000).code, 1);
    EXPECT_EQ(run({"explain", "7"}, 1001).code, 0);
    EXPECT_EQ(run({"explain", "7"}, 0).code, 0);
}

TEST_F(CliTest, ignores_decisions_that_speak_for_another_user) {
    write("decisions/1000/decisions.jsonl", decision(7, R"("verdict":"steered")", 1001));

    EXPECT_EQ(run({"explain", "7"}, 1000).code, 1);
    EXPECT_EQ(run({"explain", "7"}, 0).code, 1);
}

TEST_F(CliTest, survives_hostile_decisions) {
    const std::string deep(100'000, '[');
    write("decisions/1000/decisions.jsonl",
          "{\"job_id\":7\n7\n\xff 7\n[7]\n{\"job_id\":7" + deep + "\n" + std::string(10, '\0') +
              "7\n" + decision(7, R"("verdict":{"a":1},"classes":[1,{"class":7}],"mode":[])"));
    const Ran ran = run({"explain", "7"});

    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.out, HasSubstr("no reason was recorded"));
    const std::string nested = std::string(50'000, '[') + std::string(50'000, ']');
    write("decisions/1000/decisions.jsonl",
          decision(7, "\"verdict\":\"steered\",\"classes\":[{\"class\":\"a\"}],\"x\":" + nested));
    const Ran json = run({"explain", "7", "--json"});
    EXPECT_EQ(json.code, 0);
    EXPECT_EQ(Json::parse(json.out)["decision"]["classes"][0]["class"], "a");
    EXPECT_LT(json.out.size(), 10'000u);
    std::filesystem::remove(dir_ / "decisions/1000/decisions.jsonl");
    ASSERT_EQ(::mkfifo((dir_ / "decisions/1000/decisions.jsonl").c_str(), 0600), 0);
    EXPECT_THAT(run({"explain", "7"}).err, HasSubstr("not a regular file"));
}

TEST_F(CliTest, no_evidence_at_all_names_both_reasons) {
    const Ran ran = run({"predict", "cnn"});

    EXPECT_EQ(ran.code, 4);
    EXPECT_THAT(ran.err, HasSubstr("history"));
    EXPECT_THAT(ran.err, HasSubstr("forecast.d"));
}

TEST_F(CliTest, probe_names_the_classes_that_could_be_meant) {
    configure("[[class]]\nname = \"fast\"\nnodes = \"n1\"\n");
    const Ran ran = run({"probe", "--class", "fats"});

    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("'fats' is not configured; configured are: fast"));
}

TEST_F(CliTest, measures_this_machine) {
    const Ran ran = run({"probe", "--local", "--json", "--seconds", "0.2"});

    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_GT(Json::parse(ran.out)["flop_rate_flop_per_s"].get<double>(), 1e6);
    EXPECT_FALSE(std::filesystem::exists(dir_ / "rates.toml"));
}

}  // namespace epochcast
