// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "core/utility/policy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace epochcast {
namespace {

TEST(Policy, reads_a_mix_and_normalises_its_weights) {
    const Policy policy = parse_policy("cost=7,time=3").value();
    EXPECT_DOUBLE_EQ(policy.cost, 0.7);
    EXPECT_DOUBLE_EQ(policy.time, 0.3);
    EXPECT_EQ(policy.throughput, 0);
}

TEST(Policy, single_words_are_unit_vectors) {
    EXPECT_EQ(parse_policy("cost").value(), (Policy{1, 0, 0}));
    EXPECT_EQ(parse_policy("time").value(), (Policy{0, 1, 0}));
    EXPECT_EQ(parse_policy("throughput").value(), (Policy{0, 0, 1}));
}

TEST(Policy, errors_point_at_the_wrong_part) {
    const auto message = [](const char* text) { return parse_policy(text).error().message; };
    EXPECT_EQ(message("fast"),
              "policy 'fast' is not known: give cost, time, throughput, or a mix of them such as "
              "cost=0.7,time=0.3");
    EXPECT_EQ(message("cost=0.7,speed=0.3")
                  .rfind("policy 'cost=0.7,speed=0.3', character 10: 'speed' is not known", 0),
              0u);
    EXPECT_NE(message("cost=1,cost=2").find("character 8: 'cost' is named twice"),
              std::string::npos);
    EXPECT_NE(message("cost=1,time").find("'time' lacks a weight"), std::string::npos);
    EXPECT_NE(message("cost=1,time=x").find("character 13: 'x' is no weight"), std::string::npos);
    EXPECT_NE(message("cost=1,\u00e9=1,x=2").find("character 8: "), std::string::npos);
    const auto problem = policy_problem("cost=1,time=x");
    ASSERT_TRUE(problem);
    EXPECT_EQ(problem->at, 12u);
    EXPECT_EQ(problem->length, 1u);
    EXPECT_FALSE(policy_problem("cost=1,time=2"));
    for (const char* wrong : {"",
                              "cost=",
                              "cost=-1",
                              "cost=0",
                              "cost=nan",
                              "cost=1,",
                              "COST",
                              "cost time",
                              "=1",
                              "cost=1;time=1",
                              "cost=1e300"}) {
        EXPECT_FALSE(parse_policy(wrong)) << wrong;
    }
}

TEST(Policy, text_form_reads_back_the_same) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> weight(0.01, 1);
    for (int i = 0; i < 100; ++i) {
        Policy policy{weight(random), i % 3 == 0 ? 0 : weight(random), weight(random)};
        const double sum = policy.cost + policy.time + policy.throughput;
        policy = {policy.cost / sum, policy.time / sum, policy.throughput / sum};
        const Policy again = parse_policy(to_text(policy)).value();
        EXPECT_NEAR(again.cost, policy.cost, 1e-15);
        EXPECT_NEAR(again.time, policy.time, 1e-15);
        EXPECT_NEAR(again.throughput, policy.throughput, 1e-15);
    }
    EXPECT_EQ(to_text(parse_policy("time").value()), "time");
}

TEST(Utility, as_good_in_every_criterion_is_at_least_as_high) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> value(0.1, 100);
    for (int i = 0; i < 1000; ++i) {
        const Policy policy = parse_policy("cost=0.5,time=0.3,throughput=0.2").value();
        const Criteria worse{value(random), value(random), value(random)};
        const Criteria better{worse.cost * 0.9, worse.time_s, worse.throughput * 1.1};
        EXPECT_GE(*utility(policy, better), *utility(policy, worse));
    }
}

TEST(Utility, units_do_not_change_the_order) {
    const Policy policy = parse_policy("cost=0.6,time=0.4").value();
    const Criteria a{3, 100, 1};
    const Criteria b{1, 400, 1};
    const Criteria a_cents_hours{300, 100. / 3600, 1};
    const Criteria b_cents_hours{100, 400. / 3600, 1};
    EXPECT_NEAR(*utility(policy, a) - *utility(policy, b),
                *utility(policy, a_cents_hours) - *utility(policy, b_cents_hours),
                1e-12);
}

TEST(Utility, is_absent_where_the_policy_needs_what_is_absent) {
    const Criteria no_price{std::nan(""), 10, 5};
    EXPECT_FALSE(utility(Policy{1, 0, 0}, no_price));
    EXPECT_FALSE(utility(Policy{0.5, 0.5, 0}, no_price));
    EXPECT_TRUE(utility(Policy{0, 1, 0}, no_price));
    EXPECT_FALSE(utility(Policy{0, 1, 0}, Criteria{1, 0, 1}));
    EXPECT_FALSE(utility(Policy{0, 1, 0}, Criteria{1, -3, 1}));
}

// Whether a mix prefers the cheap one or the fast one may change once, not back.
TEST(Utility, a_mix_moves_monotonically_between_its_ends) {
    std::mt19937_64 random(12);
    std::uniform_real_distribution<double> value(0.1, 100);
    for (int i = 0; i < 200; ++i) {
        const Criteria a{value(random), value(random), value(random)};
        const Criteria b{value(random), value(random), value(random)};
        const Criteria& cheap = a.cost < b.cost ? a : b;
        const Criteria& dear = a.cost < b.cost ? b : a;
        bool preferred_cheap = false;
        for (int percent = 0; percent <= 100; ++percent) {
            const Policy mix{percent / 100., 1 - percent / 100., 0};
            const bool prefers_cheap = *utility(mix, cheap) > *utility(mix, dear);
            EXPECT_TRUE(prefers_cheap || !preferred_cheap) << percent;
            preferred_cheap = prefers_cheap;
        }
        EXPECT_TRUE(preferred_cheap);
    }
}

TEST(Utility, a_mix_lies_between_its_ends) {
    const Criteria criteria{3, 50, 7};
    const double cost = *utility(Policy{1, 0, 0}, criteria);
    const double time = *utility(Policy{0, 1, 0}, criteria);
    for (double weight : {0.1, 0.25, 0.5, 0.9}) {
        EXPECT_NEAR(*utility(Policy{weight, 1 - weight, 0}, criteria),
                    weight * cost + (1 - weight) * time,
                    1e-12);
    }
}

}  // namespace
}  // namespace epochcast
