// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/shim.hpp"

#include <algorithm>

#include "common/job_env.hpp"

namespace epochcast::slurm {

namespace {

void log_line(const char* line) { info("epochcast: %s", line); }

// Only these two modes choose nodes. TEST_ONLY asks whether the job could ever run: it must see
// every node, and its choice is thrown away.
bool chooses_nodes(const JobTest& test) {
    const int mode = test.mode & 0xff;
    return mode == SELECT_MODE_RUN_NOW || mode == SELECT_MODE_WILL_RUN;
}

bool will_run(const JobTest& test) { return (test.mode & 0xff) == SELECT_MODE_WILL_RUN; }

// Copy of a bitmap, freed at the end of its scope.
class BitmapCopy {
  public:
    explicit BitmapCopy(bitstr_t* source) : bits_(bit_copy(source)) {}
    ~BitmapCopy() { FREE_NULL_BITMAP(bits_); }
    BitmapCopy(const BitmapCopy&) = delete;
    BitmapCopy& operator=(const BitmapCopy&) = delete;
    void copy_to(bitstr_t* target) const { bit_copybits(target, bits_); }

  private:
    bitstr_t* bits_;
};

}  // namespace

Shim::Shim(JobTestFunction stock_job_test, const char* dir)
    : stock_(stock_job_test), watch_(epochcast_watch_start(dir, log_line)), recorder_(log_line) {}

Shim::~Shim() { epochcast_watch_stop(watch_); }

// Once per reading of slurm.conf, because slurmctld does not call fini() when it ends.
void Shim::log_own_time() const {
    verbose("epochcast: %" PRIu64 " job tests ranked, own time p50 %" PRIu64 " ns, p99 %" PRIu64
            " ns, max %" PRIu64 " ns",
            own_time_.count(),
            own_time_.percentile_ns(0.5),
            own_time_.percentile_ns(0.99),
            own_time_.max_ns());
}

int Shim::job_test(const JobTest& test) noexcept {
    epochcast_options_t options;
    bool asks = false;
    try {
        asks = chooses_nodes(test) && test.job && test.job->details && test.nodes &&
               read_job_env(options, test.job->spank_job_env, test.job->spank_job_env_size);
    } catch (...) {
        give_up("an error while reading a job's options");
    }
    if (!asks || breaker_.open(slurm_conf.last_update) || busy_.test_and_set())
        return call(stock_, test);
    if (configured_ != slurm_conf.last_update) {
        if (configured_ != 0) log_own_time();
        configured_ = slurm_conf.last_update;
    }
    const int rc = steer_or_forward(test, options);
    busy_.clear();
    return rc;
}

int Shim::steer_or_forward(const JobTest& test, const epochcast_options_t& options) noexcept {
    const uint64_t start = monotonic_ns();
    stock_ns_ = 0;
    Plan plan;
    try {
        plan = make_plan(test, options);
    } catch (...) {
        give_up("an error while ranking");
        plan = {};
    }
    const int rc = plan.steer ? carry_out(test) : stock(test);
    weights_.restore();
    try {
        if (plan.verdict) recorder_.record(test, plan, rc == SLURM_SUCCESS, class_map_);
    } catch (...) {
        give_up("an error while recording a decision");
    }
    const uint64_t own_ns = monotonic_ns() - start - stock_ns_;
    own_time_.add(own_ns);
    if (breaker_.count(own_ns))
        info("epochcast: too slow (last call %" PRIu64
             " us): stock scheduling until the next scontrol reconfigure",
             own_ns / 1000);
    return rc;
}

Plan Shim::make_plan(const JobTest& test, const epochcast_options_t& options) {
    Plan plan;
    plan.options = &options;
    plan.table = watch_ ? epochcast_watch_table(watch_) : nullptr;
    if (!plan.table) {
        class_map_.forget();
        return plan;
    }
    const char* partition = test.job->part_ptr ? test.job->part_ptr->name : nullptr;
    plan.mode = epochcast_table_mode(plan.table, partition);
    plan.policy = *options.policy ? options.policy : epochcast_table_default_policy(plan.table);
    if (plan.mode == EPOCHCAST_MODE_OFF || !*plan.policy || !std::strcmp(plan.policy, "off"))
        return plan;
    if (!epochcast_table_allows(plan.table, partition, plan.policy)) {
        plan.verdict = "the partition does not allow this policy";
        return plan;
    }

    if (test.job->details->features && std::strchr(test.job->details->features, '*')) {
        plan.verdict = "counted features, which Slurm takes one by one";
        return plan;
    }

    const auto table_nodes = static_cast<std::size_t>(bit_size(test.nodes));
    const uint32_t classes = epochcast_table_classes(plan.table);
    weights_.reserve(table_nodes);
    choices_.resize(classes);
    class_map_.use(plan.table, table_nodes);
    candidates_.scan(test, class_map_, classes);
    const epochcast_job_t job = {options.task,
                                 plan.policy,
                                 test.job->user_id,
                                 options.epochs,
                                 std::max<uint32_t>(1, test.min_nodes)};
    plan.choices = choices_.data();
    plan.rankable =
        epochcast_rank(plan.table, &job, candidates_.flags(), choices_.data(), &plan.choice_count);
    if (plan.rankable == 0) {
        plan.verdict = "no forecast for any class that can be had";
        return plan;
    }
    candidates_.order_by(choices_.data(), plan.rankable);
    plan.steer = plan.mode == EPOCHCAST_MODE_ON;
    plan.verdict = plan.steer ? "steered" : "shadow";
    return plan;
}

int Shim::carry_out(const JobTest& test) {
    const BitmapCopy all(test.nodes);
    const uint64_t min_memory = test.job->details->pn_min_memory;
    set_weights(test);
    if (!candidates_.one_class_only() && Candidates::may_span_nodes(test)) {
        const int32_t node_class = candidates_.whole_job_class(test, class_map_);
        if (node_class >= 0) {
            if (try_one_class(test, node_class) == SLURM_SUCCESS) return SLURM_SUCCESS;
            candidates_.demote(node_class, test);
            weights_.restore();
            set_weights(test);
        }
    }
    const int rc = stock(test);
    if (rc == SLURM_SUCCESS || !weights_.changed()) return rc;
    // cons_tres takes nodes as they come and never back: for some sets of nodes, as contiguous ones,
    // another order fails where its own does not.
    weights_.restore();
    test.job->details->pn_min_memory = min_memory;
    all.copy_to(test.nodes);
    return stock(test);
}

// One stock pass that may use only this class, now, and preempts nobody. If it fails, all is as
// before.
int Shim::try_one_class(const JobTest& test, int32_t node_class) {
    const BitmapCopy all(test.nodes);
    for (const Candidates::Node& node : candidates_.nodes())
        if (node.node_class != node_class) bit_clear(test.nodes, node.index);
    const uint64_t min_memory = test.job->details->pn_min_memory;
    const bool tests_now_only = test.job->bit_flags & TEST_NOW_ONLY;
    JobTest narrowed = test;
    narrowed.tail.preemptee_candidates = nullptr;
    narrowed.tail.preemptee_jobs = nullptr;
    if (will_run(test)) test.job->bit_flags |= TEST_NOW_ONLY;
    const int rc = stock(narrowed);
    if (!tests_now_only) test.job->bit_flags &= ~uint64_t{TEST_NOW_ONLY};
    if (rc != SLURM_SUCCESS) {
        test.job->details->pn_min_memory = min_memory;
        all.copy_to(test.nodes);
    }
    return rc;
}

void Shim::set_weights(const JobTest& test) {
    if (candidates_.one_class_only() && !will_run(test)) return;
    for (const Candidates::Node& node : candidates_.nodes())
        weights_.set(node_record_table_ptr[node.index],
                     candidates_.rank_of(node.node_class),
                     will_run(test));
}

int Shim::stock(const JobTest& test) {
    const uint64_t start = monotonic_ns();
    const int rc = call(stock_, test);
    stock_ns_ += monotonic_ns() - start;
    return rc;
}

void Shim::give_up(const char* why) {
    if (breaker_.trip())
        info("epochcast: %s: stock scheduling until the next scontrol reconfigure", why);
}

}  // namespace epochcast::slurm
