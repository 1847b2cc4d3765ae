// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "slurm_view/hostlist.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text.hpp"

namespace epochcast {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Hostlist, names_the_hosts_as_slurm_does) {
    const auto hosts = expand_hostlist("fast[1-2],mid1");

    ASSERT_TRUE(hosts) << hosts.error().message;
    EXPECT_THAT(hosts.value(), ElementsAre("fast1", "fast2", "mid1"));
}

TEST(Hostlist, keeps_zero_padding_order_and_duplicates) {
    EXPECT_THAT(expand_hostlist("b04-[09-10]").value(), ElementsAre("b04-09", "b04-10"));
    EXPECT_THAT(expand_hostlist("n[2,1],n2").value(), ElementsAre("n2", "n1", "n2"));
    EXPECT_THAT(expand_hostlist(" a , b").value(), ElementsAre("a", "b"));
    EXPECT_THAT(expand_hostlist("r[0-1]n[00-01]").value(),
                ElementsAre("r0n00", "r0n01", "r1n00", "r1n01"));
}

TEST(Hostlist, refuses_what_is_not_a_list_and_says_which_part) {
    struct Case {
        const char* list;
        const char* part;
    };
    const Case cases[] = {
        {"n[1-3", "not closed"},
        {"ok1,n[1-3", "'n[1-3'"},
        {"n[3-1]", "'3-1' is not a range"},
        {"n[1-3]]", "no host name has"},
        {"n1-3]", "no host name has"},
        {"n[]", "is not a range"},
        {"n[1,,2]", "is not a range"},
        {"n[a-b]", "'a-b'"},
        {"n[-1]", "'-1'"},
        {"n[1--3]", "'1--3'"},
        {"n[[1-2]]", "'[1-2'"},
        {"n[1-2]x", "text after its last range"},
        {"n[1-3:2]", "'1-3:2'"},
        {"n[99999999999999999999]", "is not a range"},
        {"", "names no host"},
        {" , ,", "names no host"},
        {"a b", "no host name has"},
        {"../etc", "no host name has"},
        {"a;reboot", "no host name has"},
        {"n\xC3\xA9", "no host name has"},
        {"n\x1b[31m", "\\x1b"},
    };
    for (const Case& c : cases) {
        const auto hosts = expand_hostlist(c.list);
        ASSERT_FALSE(hosts) << c.list;
        EXPECT_EQ(hosts.error().kind, ErrorKind::bad_input) << c.list;
        EXPECT_THAT(hosts.error().message, HasSubstr(c.part));
        EXPECT_THAT(hosts.error().message, HasSubstr("host list '"));
    }
}

TEST(Hostlist, is_bounded_whatever_the_ranges_say) {
    for (const char* list : {"n[1-1000000000]",
                             "n[0-65536]",
                             "n[1-60000][1-60000][1-60000]",
                             "n[1-40000],m[1-40000]",
                             "n[1-40000,1-40000]",
                             "n[0-18446744073709551615]"}) {
        EXPECT_FALSE(expand_hostlist(list)) << list;
    }
    EXPECT_EQ(expand_hostlist("n[1-65536]").value().size(), 65536u);
    EXPECT_FALSE(expand_hostlist(std::string(2'000'000, 'a')));
    EXPECT_FALSE(expand_hostlist(std::string(300, 'a') + "[1-2]"));
}

TEST(Hostlist, compresses_names_to_ranges) {
    EXPECT_EQ(compress_hostlist({"n1", "n2", "n3", "m1"}), "n[1-3],m1");
    EXPECT_EQ(compress_hostlist({}), "");
}

// Lists that people wrote in batch scripts, with what `scontrol show hostnames` made of them.
TEST(Hostlist, agrees_with_scontrol_on_recorded_lists) {
    const char* data = std::getenv("EPOCHCAST_DATA");
    if (data == nullptr) GTEST_SKIP() << "EPOCHCAST_DATA is not set: recorded host lists missing";
    std::ifstream table(std::filesystem::path(data) / "cases/sbatch/hostlist-expand.tsv");
    ASSERT_TRUE(table) << "no cases/sbatch/hostlist-expand.tsv in " << data;
    int compared = 0;
    for (std::string line; std::getline(table, line);) {
        const auto cells = split(line, '\t');
        if (line.starts_with('#') || cells.size() < 3) continue;
        const auto hosts = expand_hostlist(cells[0]);
        ++compared;
        if (cells[2].starts_with("ERROR")) {
            EXPECT_FALSE(hosts) << cells[0];
            continue;
        }
        ASSERT_TRUE(hosts) << hosts.error().message;
        EXPECT_EQ(std::to_string(hosts.value().size()), cells[2]) << cells[0];
        EXPECT_EQ(hosts.value().front(), cells[3]) << cells[0];
        EXPECT_EQ(hosts.value().back(), cells[4]) << cells[0];
    }
    EXPECT_GT(compared, 300);
}

}  // namespace epochcast
