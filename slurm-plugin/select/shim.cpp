// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "select/shim.hpp"

#include <algorithm>

#include "select/device_request.hpp"

namespace epochcast::slurm {

namespace {

void log_line(const char* line) { info("epochcast: %s", line); }

// Only these two modes choose nodes. TEST_ONLY asks whether the job could ever run: it must see
// every node, and its choice is thrown away.
bool chooses_nodes(const JobTest& test) {
    const int mode = test.mode & 0xff;
    return mode == SELECT_MODE_RUN_NOW || mode == SELECT_MODE_WILL_RUN;
}

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
    : stock_(stock_job_test), judge_(dir, log_line), recorder_(log_line) {}

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
    const uint64_t start_ns = monotonic_ns();
    epochcast_options_t options;
    bool asks = false;
    try {
        asks = chooses_nodes(test) && test.job && test.job->details && test.nodes &&
               epochcast_options_read_job_env(
                   &options, test.job->spank_job_env, test.job->spank_job_env_size) == 1;
    } catch (...) {
        give_up("an error while reading a job's options");
    }
    if (!asks || breaker_.open(slurm_conf.last_update) || busy_.test_and_set())
        return call(stock_, test);
    if (configured_ != slurm_conf.last_update) {
        if (configured_ != 0) log_own_time();
        configured_ = slurm_conf.last_update;
    }
    const int rc = steer_or_forward(test, options, start_ns);
    busy_.clear();
    return rc;
}

int Shim::steer_or_forward(const JobTest& test,
                           const epochcast_options_t& options,
                           uint64_t start_ns) noexcept {
    stock_ns_ = 0;
    now_ = std::time(nullptr);
    Plan plan;
    try {
        plan = judge_.judge(test, options, now_);
        if (plan.steer) weights_.reserve(judge_.candidates().nodes().size());
    } catch (...) {
        give_up("an error while ranking");
        plan = {};
    }
    const int rc = plan.steer ? carry_out(test, plan) : stock(test);
    weights_.restore();
    try {
        if (plan.verdict)
            recorder_.record(
                test, plan, rc == SLURM_SUCCESS, judge_.class_map(), judge_.candidates());
    } catch (...) {
        give_up("an error while recording a decision");
    }
    const uint64_t own_ns = monotonic_ns() - start_ns - stock_ns_;
    own_time_.add(own_ns);
    if (breaker_.count(own_ns))
        info("epochcast: too slow (last call %" PRIu64
             " us): stock scheduling until the next scontrol reconfigure",
             own_ns / 1000);
    return rc;
}

// Whether the order of weights alone decides for the best class. Several nodes could be of several
// classes; a number of nodes or devices has to be tried; and stock looks at weights late or not at
// all where it wants neighbours or the least loaded node.
bool Shim::needs_one_class(const JobTest& test, const Plan& plan) const {
    if (plan.freedom.of_nodes() || plan.freedom.of_devices()) return true;
    if (judge_.candidates().one_class_only()) return false;
    const bool is_spread = (test.job->bit_flags & SPREAD_JOB) ||
                           (slurm_conf.select_type_param & CR_LLN) ||
                           (test.job->part_ptr->flags & PART_FLAG_LLN);
    return Candidates::may_span_nodes(test) || test.job->details->contiguous || is_spread;
}

int Shim::carry_out(const JobTest& test, const Plan& plan) {
    set_weights(test);
    const int32_t node_class = judge_.candidates().whole_job_class(test, judge_.class_map(), plan);
    bool has_tried = false;
    if (waits_allowed(plan)) {
        const std::optional<int> rc = wait_or_start(test, plan, node_class);
        if (rc) return *rc;
        has_tried = true;
    } else if (node_class >= 0 && needs_one_class(test, plan)) {
        if (try_one_class(test, plan, node_class, true) == SLURM_SUCCESS) return SLURM_SUCCESS;
        has_tried = true;
        judge_.candidates().demote(node_class, test);
        weights_.restore();
        set_weights(test);
    }
    return order_may_fail(test) ? stock_after(test, has_tried) : stock(test);
}

// cons_tres takes nodes as they come and gives none back: for some sets of nodes, as contiguous
// ones or so many GPUs in all, another order fails where its own does not.
bool Shim::order_may_fail(const JobTest& test) {
    return Candidates::may_span_nodes(test) || test.job->details->contiguous ||
           has_gpus_per_job(*test.job);
}

// By our order and, if that fails, by Slurm's own. Where the call has had its one extra pass
// already, a job that was refused by our order gets the other one the next time; a job without
// number, which is only asked about, at once.
int Shim::stock_after(const JobTest& test, bool has_tried) {
    const uint32_t job = test.job->job_id;
    uint32_t& refused = refused_[job % refused_.size()];
    const bool is_asked_about = job == 0 || job == NO_VAL;
    if (has_tried && (is_asked_about || refused == job || test.job->details->contiguous))
        weights_.restore();
    const BitmapCopy all(test.nodes);
    const uint64_t min_memory = test.job->details->pn_min_memory;
    int rc = stock(test);
    if (rc != SLURM_SUCCESS && !has_tried) {
        weights_.restore();
        test.job->details->pn_min_memory = min_memory;
        all.copy_to(test.nodes);
        rc = stock(test);
    }
    refused = rc == SLURM_SUCCESS ? 0 : job;
    return rc;
}

bool Shim::waits_allowed(const Plan& plan) const {
    return epochcast_table_wait_most_s(plan.table) > 0 && slurm_conf.schedtype &&
           !std::strcmp(slurm_conf.schedtype, "sched/backfill");
}

// For a site that lets jobs wait for a better class: what WILL_RUN found holds for RUN_NOW, which
// starts the job there or not at all. The other answer, nothing: it need not wait, stock shall
// choose.
std::optional<int> Shim::wait_or_start(const JobTest& test, const Plan& plan, int32_t node_class) {
    return test.is_will_run() ? plan_to_wait(test, plan, node_class)
                              : start_or_hold(test, plan, node_class);
}

// Asks when the best class could be had. If waiting for that pays, the plan is to start then.
std::optional<int> Shim::plan_to_wait(const JobTest& test, const Plan& plan, int32_t node_class) {
    const uint32_t job = test.job->job_id;
    const BitmapCopy all(test.nodes);
    const bool is_possible =
        node_class >= 0 && try_one_class(test, plan, node_class, false) == SLURM_SUCCESS;
    const double wait_s = is_possible ? std::difftime(test.job->start_time, now_) : 0;
    const uint32_t most_s = epochcast_table_wait_most_s(plan.table);
    if (wait_s > 1 && wait_s <= most_s && judge_.is_worth_waiting(plan, node_class, wait_s) &&
        waiting_.begin(job, test.job->part_ptr, node_class, now_, most_s))
        return SLURM_SUCCESS;
    waiting_.end(job);
    if (is_possible && wait_s <= 1) return SLURM_SUCCESS;
    all.copy_to(test.nodes);
    return std::nullopt;
}

// Until WILL_RUN has spoken, a job that would get less than the best class is held back.
std::optional<int> Shim::start_or_hold(const JobTest& test, const Plan& plan, int32_t node_class) {
    const uint32_t job = test.job->job_id;
    const void* partition = test.job->part_ptr;
    const int32_t awaited = waiting_.class_of(job, partition, now_);
    if (awaited < 0 && judge_.has_better_class(plan) && waiting_.ask(job, partition, now_))
        return SLURM_ERROR;
    const bool may_start = node_class >= 0 && (awaited < 0 || awaited == node_class);
    if (may_start && try_one_class(test, plan, node_class, true) == SLURM_SUCCESS) {
        waiting_.end(job);
        return SLURM_SUCCESS;
    }
    if (awaited >= 0 || waiting_.ask(job, partition, now_)) return SLURM_ERROR;
    return std::nullopt;
}

// One stock pass that may use only this class, with the number of nodes and devices that suits it,
// and preempts nobody; `now_only`: that could start at once. If it fails, all is as before.
int Shim::try_one_class(const JobTest& test, const Plan& plan, int32_t node_class, bool now_only) {
    const BitmapCopy all(test.nodes);
    for (const Candidates::Node& node : judge_.candidates().nodes())
        if (node.node_class != node_class || node.is_failed) bit_clear(test.nodes, node.index);
    const uint64_t min_memory = test.job->details->pn_min_memory;
    const bool tests_now_only = test.job->bit_flags & TEST_NOW_ONLY;
    JobTest narrowed = test;
    narrowed.tail.preemptee_candidates = nullptr;
    narrowed.tail.preemptee_jobs = nullptr;
    const epochcast_choice_t& choice = plan.choice_of(node_class);
    if (plan.freedom.of_nodes())
        narrowed.min_nodes = narrowed.max_nodes = narrowed.req_nodes = choice.nodes;
    if (plan.freedom.of_devices()) set_gpus_per_node(*test.job, choice.devices_per_node);
    if (test.is_will_run() && now_only) test.job->bit_flags |= TEST_NOW_ONLY;
    const int rc = stock(narrowed);
    if (!tests_now_only) test.job->bit_flags &= ~uint64_t{TEST_NOW_ONLY};
    const bool keeps_devices = rc == SLURM_SUCCESS && !test.is_will_run();
    if (plan.freedom.of_devices() && !keeps_devices)
        set_gpus_per_node(*test.job, plan.freedom.least_devices);
    if (rc != SLURM_SUCCESS) {
        test.job->details->pn_min_memory = min_memory;
        all.copy_to(test.nodes);
    }
    return rc;
}

void Shim::set_weights(const JobTest& test) {
    if (judge_.candidates().one_class_only() && !judge_.candidates().has_failed() &&
        !test.is_will_run())
        return;
    weights_.set(judge_.candidates(), test.is_will_run());
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
