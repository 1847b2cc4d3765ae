// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/readers/sacct.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace epochcast::simulate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string header =
    "JobID|JobName|User|Partition|AllocCPUS|State|Submit|Start|End|Timelimit|Elapsed|AllocTRES\n";

std::string row(const std::string& id, const std::string& state, const std::string& tres = "") {
    return id + "|train|ann|gpu|8|" + state +
           "|2024-04-04T19:00:00|2024-04-04T20:00:00|2024-04-04T22:00:00|1-00:00:00|02:00:00|" +
           tres + "\n";
}

SacctRead read(const std::string& text) { return read_sacct(text, SacctFormat{}).value(); }

TEST(Sacct, reads_a_job_of_output_with_a_header) {
    const auto jobs =
        read(header + row("7965768", "COMPLETED", "cpu=8,gres/gpu:v100=2,gres/gpu=2,mem=10G")).jobs;
    ASSERT_EQ(jobs.size(), 1u);
    EXPECT_EQ(jobs[0].id, "7965768");
    EXPECT_EQ(jobs[0].name, "train");
    EXPECT_EQ(jobs[0].user, "ann");
    EXPECT_EQ(jobs[0].partition, "gpu");
    EXPECT_EQ(jobs[0].state, "COMPLETED");
    EXPECT_EQ(jobs[0].start_s - jobs[0].submit_s, 3600);
    EXPECT_EQ(jobs[0].elapsed_s, 7200);
    EXPECT_EQ(jobs[0].limit_s, 86400);
    EXPECT_EQ(jobs[0].cpus, 8u);
    EXPECT_EQ(jobs[0].gpus, 2u);  // not 4: the two entries are the same devices
    EXPECT_EQ(jobs[0].gpu_type, "v100");
}

TEST(Sacct, reads_output_without_a_header_and_with_a_delimiter_of_several_bytes) {
    const auto format =
        sacct_format("\u2603", "JobID=0,State=2,Submit=3,Start=4,End=5,Timelimit=6").value();
    const std::string text =
        "5908801_3\u2603x\u2603TIMEOUT\u26032023-11-02T13:47:11\u26032023-11-02T21:16:50\u2603"
        "2023-11-04T21:16:50\u26032-00:00:00\u2603\n";
    const auto jobs = read_sacct(text, format).value().jobs;
    ASSERT_EQ(jobs.size(), 1u);
    EXPECT_EQ(jobs[0].id, "5908801_3");
    EXPECT_EQ(jobs[0].elapsed_s, 2 * 86400);
    EXPECT_EQ(jobs[0].limit_s, 2 * 86400);
    EXPECT_EQ(jobs[0].cpus, 1u);
}

TEST(Sacct, leaves_out_steps_and_jobs_that_did_not_run_or_end) {
    const SacctRead rows =
        read(header + row("1", "COMPLETED") + row("1.batch", "COMPLETED") +
             row("1.extern", "COMPLETED") + row("2_7.0", "FAILED") + row("3", "RUNNING") +
             row("4_[1-5%2]", "PENDING") +
             "5|x|ann|gpu|0|CANCELLED by 10290820|2024-04-04T19:00:00|None|2024-04-04T22:00:00|"
             "00:30:00|00:00:00|\n");
    EXPECT_EQ(rows.rows, 7u);
    EXPECT_EQ(rows.jobs.size(), 1u);
    EXPECT_EQ(rows.steps, 3u);
    EXPECT_EQ(rows.not_ended, 2u);
    EXPECT_EQ(rows.never_ran, 1u);
    EXPECT_EQ(rows.malformed, 0u);
}

TEST(Sacct, keeps_what_ran_before_it_was_cancelled_or_failed) {
    const SacctRead rows = read(header + row("1", "CANCELLED by 1000") + row("2", "NODE_FAIL") +
                                row("3", "OUT_OF_MEMORY") + row("4", "PREEMPTED"));
    ASSERT_EQ(rows.jobs.size(), 4u);
    EXPECT_EQ(rows.jobs[0].state, "CANCELLED");
}

TEST(Sacct, names_each_malformed_row_and_goes_on) {
    const SacctRead rows = read(header + row("1", "COMPLETED") + "\n" + row("2|2", "COMPLETED") +
                                row("x", "COMPLETED") + row("3", "HAPPY") +
                                row("4", "COMPLETED", "gres/gpu=many") + row("5", "COMPLETED"));
    EXPECT_EQ(rows.jobs.size(), 2u);
    EXPECT_EQ(rows.malformed, 4u);
    EXPECT_THAT(rows.complaints,
                ElementsAre(HasSubstr("line 4: 13 columns where most rows have 12"),
                            HasSubstr("line 5: JobID 'x'"),
                            HasSubstr("line 6: state 'HAPPY' is not known"),
                            HasSubstr("line 7: AllocTRES 'many'")));
}

TEST(Sacct, refuses_times_that_contradict_each_other) {
    const auto times = [](const char* submit, const char* start, const char* end) {
        return read_sacct(
                   header + "1|x|u|p|8|COMPLETED|" + submit + "|" + start + "|" + end + "|||\n",
                   SacctFormat{})
            .value()
            .malformed;
    };
    const char* noon = "2024-04-04T12:00:00";
    const char* later = "2024-04-04T13:00:00";
    EXPECT_EQ(times(noon, noon, later), 0u);
    EXPECT_EQ(times(later, noon, later), 1u);     // starts before its submission
    EXPECT_EQ(times(noon, later, noon), 1u);      // ends before its start
    EXPECT_EQ(times("None", noon, later), 1u);    // no submission
    EXPECT_EQ(times(noon, noon, "Unknown"), 1u);  // completed without an end
}

TEST(Sacct, says_which_field_is_missing_or_wrong) {
    EXPECT_THAT(read_sacct("JobID|State\n1|COMPLETED\n", SacctFormat{}).error().message,
                HasSubstr("Submit"));
    EXPECT_FALSE(read_sacct("", SacctFormat{}).ok());
    EXPECT_FALSE(read_sacct("\n \r\n", SacctFormat{}).ok());
    EXPECT_THAT(sacct_format("|", "JobID=0,State=x").error().message, HasSubstr("'State=x'"));
    EXPECT_THAT(sacct_format("|", "JobID=0,JobID=1").error().message, HasSubstr("twice"));
    EXPECT_THAT(sacct_format("|", "JobID=0").error().message, HasSubstr("State"));
    EXPECT_THAT(sacct_format("|", "=0").error().message, HasSubstr("'=0' has no name"));
    EXPECT_THAT(sacct_format("|", "JobID=-1").error().message, HasSubstr("-1"));
    EXPECT_THAT(sacct_format("", "").error().message, HasSubstr("empty"));
}

TEST(Sacct, survives_columns_beyond_the_row_and_bytes_of_any_kind) {
    const auto format = sacct_format("|", "JobID=0,State=900,Submit=2,Start=3,End=4").value();
    EXPECT_EQ(read_sacct("1|2|3\n", format).value().malformed, 1u);
    std::string bytes = header;
    for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(i * 37 + i / 256);
    const SacctRead rows = read(bytes);
    EXPECT_EQ(rows.jobs.size(), 0u);
    EXPECT_LE(rows.complaints.size(), 20u);
    for (const std::string& complaint : rows.complaints) EXPECT_LT(complaint.size(), 300u);
}

TEST(SacctTrace, has_a_class_per_type_of_device_as_large_as_it_was_busy) {
    const auto trace = sacct_trace(
        read(header + row("1", "COMPLETED", "gres/gpu:a100=4,gres/gpu=4") +
             row("2", "COMPLETED", "gres/gpu:a100=2,gres/gpu=2") + row("3", "COMPLETED")));
    ASSERT_EQ(trace.classes.size(), 2u);
    EXPECT_EQ(trace.classes[0].name, "a100");
    EXPECT_EQ(trace.classes[0].devices, 6u);
    EXPECT_EQ(trace.classes[1].name, "gpu");  // the partition: CPUs
    EXPECT_EQ(trace.classes[1].devices, 8u);
    ASSERT_EQ(trace.jobs.size(), 3u);
    EXPECT_EQ(trace.jobs[0].task, "ann/train");
    EXPECT_EQ(trace.jobs[0].devices, 4u);
    EXPECT_EQ(trace.jobs[0].steps, 7200);
    EXPECT_EQ(trace.jobs[0].limit_s, 86400);
    EXPECT_THAT(trace.jobs[0].steps_per_s, ElementsAre(1, 0));
}

TEST(SacctTrace, jobs_fit_where_their_task_completed_at_the_ratio_of_the_times) {
    std::string slow = row("2", "COMPLETED", "gres/gpu:k80=1");
    slow.replace(slow.find("T22:00:00"), 9, "T23:59:00");
    slow.replace(slow.find("|02:00:00|"), 10, "|04:00:00|");
    const auto trace = sacct_trace(read(header + row("1", "COMPLETED", "gres/gpu:a100=1") + slow));
    EXPECT_THAT(trace.jobs[0].steps_per_s, ElementsAre(1, 0.5));
    EXPECT_THAT(trace.jobs[1].steps_per_s, ElementsAre(2, 1));
}

TEST(SacctTrace, elsewhere_jobs_run_at_the_ratio_of_the_speeds_on_classes_of_their_kind) {
    const SacctRead rows = read(header + row("1", "COMPLETED", "gres/gpu:a100=1") +
                                row("2", "FAILED", "gres/gpu:k80=1") + row("3", "COMPLETED"));
    const Elsewhere elsewhere{true, {{"a100", 4}, {"h100", 8}}};
    std::vector<DeviceClass> classes = sacct_classes(rows);
    classes.push_back({"h100", 2});
    const auto trace = sacct_trace(rows, classes, elsewhere);
    ASSERT_EQ(trace.classes[1].name, "gpu");                             // the partition's CPUs
    EXPECT_THAT(trace.jobs[0].steps_per_s, ElementsAre(1, 0, 0.25, 2));  // a100, CPUs, k80, h100
    EXPECT_THAT(trace.jobs[1].steps_per_s, ElementsAre(4, 0, 1, 8));
    EXPECT_THAT(trace.jobs[2].steps_per_s, ElementsAre(0, 1, 0, 0));
}

TEST(SacctTrace, leaves_out_jobs_that_no_class_has_devices_for) {
    const SacctRead rows = read(header + row("1", "COMPLETED", "gres/gpu:a100=4") +
                                row("2", "COMPLETED", "gres/gpu:a100=1"));
    const auto trace = sacct_trace(rows, {{"a100", 2}}, {});
    ASSERT_EQ(trace.jobs.size(), 1u);
    EXPECT_EQ(trace.jobs[0].id, "2");
    const RunResult recorded = sacct_recorded(rows, trace);
    ASSERT_EQ(recorded.jobs.size(), 1u);
    EXPECT_EQ(recorded.jobs[0].finish_s - recorded.jobs[0].start_s, 7200);
    EXPECT_EQ(recorded.jobs[0].busy_device_s, 7200);
    EXPECT_EQ(recorded.jobs[0].last_class, 0u);
}

TEST(SacctFormat, takes_the_list_that_sacct_was_given) {
    const auto format = sacct_format("|", "jobid,JobName%30,STATE,Submit, Start,End").value();
    EXPECT_EQ(format.fields.at("JobID"), 0u);
    EXPECT_EQ(format.fields.at("JobName"), 1u);
    EXPECT_EQ(format.fields.at("State"), 2u);
    EXPECT_EQ(format.fields.at("Start"), 4u);
    EXPECT_FALSE(sacct_format("|", "JobID,,State,Submit,Start,End"));
    EXPECT_FALSE(sacct_format("|", "JobID,State,Submit,Start,End,jobid"));
}

}  // namespace
}  // namespace epochcast::simulate
