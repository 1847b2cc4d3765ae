// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A decision as one line of JSON, which `epochcast explain` reads. Format "epochcast.decision.v1":
//
//   schema         "epochcast.decision.v1"
//   time_unix_s    when, whole seconds since 1970 UTC
//   job_id         Slurm's job
//   array_job_id   null if the job is not of an array
//   array_task_id  null likewise
//   uid            the job's user
//   mode           "off", "shadow" (recorded, nothing changed) or "on"
//   verdict        "steered", "shadow", or why there was no steering
//   task, policy, partition   as the job has them; "" where it has none
//   epochs         null: not stated
//   nodes          how many the job asks for
//   chosen_class   "" if none
//   chosen_nodes   host names or a hostlist, cut after 255 bytes
//   stock_class    the class that Slurm alone would have taken; "" if not known
//   stock_is_estimate  true: told from node weights (mode "on"); false: Slurm was asked ("shadow")
//   is_start       false: a plan for a pending job
//   is_planned     true: the first class is the queue plan's, the others follow by utility
//   planned_start_unix_s  by the queue plan; null: it has no place in one
//   classes        the node classes weighed, best first; each an object of
//       class, nodes and devices_per_node (null: as the job asks) of its best placement, utility,
//       time_s (whole job), cost (in the site's money), epoch_s, epoch_low_s,
//       epoch_high_s (90 % interval), price_per_node_hour, basis (what the forecast rests on),
//       reason (why it has no utility; "" if it has)
//
// Numbers that are unknown are null. Text that is not UTF-8 has U+FFFD where it is not. A reader
// ignores keys that it does not know and lines that are no JSON (a disk was full).

#include <string>

#include "decide/epochcast_decide.h"

namespace epochcast {

// The line with its newline at the end.
std::string decision_line(const epochcast_decision_t& decision);

}  // namespace epochcast
