// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// Jobs that wait for a better class than one that is idle. Slurm has no word for that: RUN_NOW can
// wait only by failing, and then the main scheduler passes the partition's other jobs by as well,
// until backfill comes to them. So a job waits only while backfill, which plans it by WILL_RUN,
// said within the last minute that waiting pays; one job per partition; and never longer in all
// than the configuration allows. Fixed size, no allocation.

#include <array>
#include <cstdint>
#include <ctime>

namespace epochcast::slurm {

class Waiting {
  public:
    static constexpr std::time_t word_lasts_s = 60;

    // WILL_RUN: waiting for this class pays the job. False if it may not wait: its time is up, or
    // another job of the partition waits.
    bool begin(
        uint32_t job, const void* partition, int32_t node_class, std::time_t now, uint32_t most_s) {
        Place* place = place_of(partition, job, now);
        if (!place) return false;
        if (place->job != job) *place = {partition, job, node_class, now, now};
        if (now - place->since > static_cast<std::time_t>(most_s)) {
            place->heard = 0;  // the job has waited long enough; the place is free
            return false;
        }
        place->node_class = node_class;
        place->heard = now;
        return true;
    }

    // RUN_NOW: a better class exists, and WILL_RUN has not yet said whether waiting for it pays.
    // True: the job may be held back for its word, for a minute at most.
    bool ask(uint32_t job, const void* partition, std::time_t now) {
        Place* place = place_of(partition, job, now);
        if (!place) return false;
        if (place->job != job) *place = {partition, job, -1, now, now};
        return place->heard != 0 && now - place->since <= word_lasts_s;
    }

    // RUN_NOW: the class that the job waits for; -1: it does not.
    int32_t class_of(uint32_t job, const void* partition, std::time_t now) const {
        for (const Place& place : places_)
            if (place.partition == partition && place.job == job && is_fresh(place, now))
                return place.node_class;
        return -1;
    }

    // It started, or need not wait any more.
    void end(uint32_t job) {
        for (Place& place : places_)
            if (place.job == job) place.heard = 0;
    }

  private:
    struct Place {
        const void* partition = nullptr;
        uint32_t job = 0;
        int32_t node_class = -1;
        std::time_t since = 0;
        std::time_t heard = 0;  // when WILL_RUN said so last
    };
    static bool is_fresh(const Place& place, std::time_t now) {
        return place.heard != 0 && now - place.heard <= word_lasts_s;
    }

    // The partition's place, else a free one; null: another job has it, or there is none left.
    Place* place_of(const void* partition, uint32_t job, std::time_t now) {
        Place* free = nullptr;
        for (Place& place : places_) {
            const bool is_taken = is_fresh(place, now);
            if (place.partition == partition)
                return is_taken && place.job != job ? nullptr : &place;
            if (!is_taken && !free) free = &place;
        }
        return free;
    }

    std::array<Place, 64> places_{};  // more partitions than this do without
};

}  // namespace epochcast::slurm
