// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// How many devices of one class are idle from when to when, as reservations fill it: what
// conservative backfill works on.

#include <cstdint>
#include <map>

namespace epochcast::simulate {

class IdleProfile {
  public:
    // From now_s on, `devices` are idle for ever.
    IdleProfile(double now_s, std::uint32_t devices) : idle_{{now_s, devices}} {}

    // The first time from which so many are idle for duration_s without a break; infinity: never.
    double earliest(std::uint32_t devices, double duration_s) const;

    // Takes them in [start_s, start_s + duration_s), where they are idle.
    void take(double start_s, std::uint32_t devices, double duration_s);

  private:
    // The step that begins at time_s, made if there is none; time_s is not before the first one.
    std::map<double, std::uint32_t>::iterator step_at(double time_s);

    std::map<double, std::uint32_t> idle_;  // from this time until the next
};

}  // namespace epochcast::simulate
