// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// What a user will not have exceeded: a deadline and a budget. They are no part of the utility: a
// placement that keeps them comes before every one that does not, whatever their utilities.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/epoch_record.hpp"
#include "core/result.hpp"
#include "core/utility/policy.hpp"

namespace epochcast {

// A moment by which a job must have ended, as it was written: core has no clock.
struct Deadline {
    bool is_relative = false;  // to the submission
    std::int64_t seconds = 0;  // since submission, or since 1970-01-01 UTC
    bool operator==(const Deadline&) const = default;
};

// "+8h", "+1d12h", "+90m", "+3600s" (units d, h, m, s, each at most once and in this order, at most
// ten years in all), or RFC 3339: "2026-08-07T18:00:00Z", "2026-08-07 18:00:00.5+02:00", years 1970
// to 9999. A fraction of a second is cut off; a leap second is the second after it. Anything else
// is a usage error that names the value and what is allowed.
Result<Deadline> parse_deadline(std::string_view text);

// The text that parse_deadline() reads back: "+28800s", "2026-08-07T18:00:00Z". Of moments those of
// the years 1970 to 9999.
std::string to_text(const Deadline& deadline);

// Seconds from `now_unix_s` on; negative: it has passed. submitted_unix_s: what "+8h" counts from.
double seconds_left(const Deadline& deadline,
                    std::int64_t submitted_unix_s,
                    std::int64_t now_unix_s);

// Money of the site, 0.000001 to 10^12: "12.50".
Result<double> parse_budget(std::string_view text);

// NaN: no such limit.
struct Limits {
    double deadline_s = absent;  // from now on
    double budget = absent;      // for the whole job
};

// By how much the worse limit is exceeded, as a part of it: 0 if both hold, 0.5 for one and a half
// times the budget. Infinite where a criterion that is limited is unknown or the deadline has
// passed: nothing can be promised.
double overrun(const Limits& limits, const Criteria& criteria);

// Where a placement stands among others.
struct Standing {
    double overrun = 0;
    double utility = absent;  // NaN: it has none
    double cost = absent;
    double time_s = absent;
};

// The one order of placements, everywhere: a utility before none; the smaller overrun; the higher
// utility; then lower cost, then less time (known before unknown). False for equals, whom the
// caller orders by what identifies them. A strict weak order.
bool is_better(const Standing& a, const Standing& b);

}  // namespace epochcast
