// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/reference/shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "simulate/reference/dense.hpp"

namespace epochcast::simulate {

namespace {

constexpr double relative_gap = 1e-8;
constexpr double shrink = 0.2;     // of the barrier's weight from one centre to the next
constexpr double centred = 1e-6;   // Newton decrement, squared, at which a point is central
constexpr int newton_limit = 200;  // damped steps for one centre; about ten are usual
constexpr double back_off = 0.99;  // of the way to the nearest wall
constexpr double start_inside = 0.5;

// A strictly feasible point that moves along the central path: it maximises
//     t + mu * (sum of the logarithms of all slacks), with t free or held.
class Path {
  public:
    explicit Path(const ShareProblem& problem)
        : p_(problem),
          n_(problem.devices.size()),
          k_(problem.classes),
          x_(n_ * k_),
          dx_(n_ * k_),
          row_slack_(n_),
          rate_slack_(n_),
          class_slack_(k_) {
        double devices = 0;
        for (const double d : p_.devices) devices += d;
        for (std::size_t at = 0; at < x_.size(); ++at) {
            x_[at] = start_inside *
                     std::min(1.0 / static_cast<double>(k_), p_.capacity[at % k_] / devices);
        }
        t_ = start_inside * least();
        update_slacks();
    }

    double t() const { return t_; }
    const std::vector<double>& shares() const { return x_; }
    std::size_t slacks() const { return n_ * k_ + 2 * n_ + k_; }

    double least() const {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < n_; ++i) least = std::min(least, rate_of(x_, i));
        return least;
    }

    // Holds t at `t`, which must be below least().
    void hold(double t) {
        is_held_ = true;
        t_ = t;
        update_slacks();
    }

    // Newton's method with steps cut short of the walls, for the barrier's weight mu.
    void centre(double mu) {
        for (int step = 0; step < newton_limit; ++step) {
            const double decrement = direction(mu);
            if (decrement <= centred) return;
            // A damped step of 1 / (1 + decrement) stays inside and always gains
            // (self-concordance).
            const double damped = 1 / (1 + std::sqrt(decrement));
            move(std::min(decrement < 0.25 ? 1.0 : damped, back_off * to_wall()));
        }
    }

  private:
    double rate_of(const std::vector<double>& x, std::size_t i) const {
        double rate = 0;
        for (std::size_t j = 0; j < k_; ++j) rate += p_.rate[i * k_ + j] * x[i * k_ + j];
        return rate;
    }

    void update_slacks() {
        class_slack_ = p_.capacity;
        for (std::size_t i = 0; i < n_; ++i) {
            row_slack_[i] = 1;
            for (std::size_t j = 0; j < k_; ++j) {
                row_slack_[i] -= x_[i * k_ + j];
                class_slack_[j] -= p_.devices[i] * x_[i * k_ + j];
            }
            rate_slack_[i] = rate_of(x_, i) - t_;
        }
    }

    // The block of the negated Hessian (divided by mu) that belongs to one job's shares.
    void fill_block(std::size_t i, Dense& block) const {
        const double* rate = &p_.rate[i * k_];
        const double row = 1 / (row_slack_[i] * row_slack_[i]);
        const double pull = 1 / (rate_slack_[i] * rate_slack_[i]);
        for (std::size_t a = 0; a < k_; ++a) {
            for (std::size_t b = 0; b < k_; ++b) block.at(a, b) = row + pull * rate[a] * rate[b];
            block.at(a, a) += 1 / (x_[i * k_ + a] * x_[i * k_ + a]);
        }
    }

    // Solves for dx_ and dt_; returns the squared Newton decrement. The classes' columns and t are
    // the only things that couple jobs, so each job is eliminated by itself.
    double direction(double mu) {
        Dense core(k_ + 1, k_ + 1);
        std::vector<double> right(k_ + 1);
        double rest = 0;
        for (std::size_t j = 0; j < k_; ++j) core.at(j, j) = 1;
        std::vector<Dense> solved;
        solved.reserve(n_);
        for (std::size_t i = 0; i < n_; ++i) {
            solved.push_back(eliminate(i));
            const Dense& s = solved.back();  // columns: gradient, one per class, t
            const double pull = 1 / (rate_slack_[i] * rate_slack_[i]);
            rest += pull;
            for (std::size_t a = 0; a < k_; ++a) {
                const double d = p_.devices[i];
                const double w = pull * p_.rate[i * k_ + a];
                right[a] += d * s.at(a, 0);
                right[k_] += w * s.at(a, 0);
                core.at(a, k_) -= d * s.at(a, k_ + 1);
                core.at(k_, k_) -= w * s.at(a, k_ + 1);
                for (std::size_t j = 0; j < k_; ++j) {
                    core.at(a, j) += d * s.at(a, 1 + j);
                    core.at(k_, j) += w * s.at(a, 1 + j);
                }
            }
        }
        core.at(k_, k_) += rest;
        double gradient_t = 1 / mu;
        for (std::size_t i = 0; i < n_; ++i) gradient_t -= 1 / rate_slack_[i];
        right[k_] += gradient_t;
        if (is_held_) hold_row(core, right);
        solve(core, right);
        dt_ = right[k_];
        return spread(solved, right, gradient_t);
    }

    void hold_row(Dense& core, std::vector<double>& right) const {
        for (std::size_t j = 0; j <= k_; ++j) core.at(k_, j) = j == k_ ? 1 : 0;
        right[k_] = 0;
    }

    double gradient(std::size_t i, std::size_t j) const {
        return 1 / x_[i * k_ + j] - 1 / row_slack_[i] - p_.devices[i] / class_slack_[j] +
               p_.rate[i * k_ + j] / rate_slack_[i];
    }

    Dense eliminate(std::size_t i) const {
        Dense block(k_, k_);
        fill_block(i, block);
        Dense right(k_, k_ + 2);
        for (std::size_t a = 0; a < k_; ++a) {
            right.at(a, 0) = gradient(i, a);
            right.at(a, 1 + a) = p_.devices[i] / (class_slack_[a] * class_slack_[a]);
            right.at(a, k_ + 1) = p_.rate[i * k_ + a] / (rate_slack_[i] * rate_slack_[i]);
        }
        solve(block, right);
        return right;
    }

    // From what classes and t do to each job's step; the gradient along it is the decrement.
    double spread(const std::vector<Dense>& solved, const std::vector<double>& y, double g_t) {
        double decrement = is_held_ ? 0 : g_t * dt_;
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t a = 0; a < k_; ++a) {
                double step = solved[i].at(a, 0) + solved[i].at(a, k_ + 1) * dt_;
                for (std::size_t j = 0; j < k_; ++j) step -= solved[i].at(a, 1 + j) * y[j];
                dx_[i * k_ + a] = step;
                decrement += gradient(i, a) * step;
            }
        }
        return std::max(0.0, decrement);
    }

    // The longest step along (dx_, dt_) before a slack is zero.
    double to_wall() const {
        double longest = 1 / back_off;
        const auto wall = [&](double slack, double change) {
            if (change < 0) longest = std::min(longest, -slack / change);
        };
        std::vector<double> class_change(k_);
        for (std::size_t i = 0; i < n_; ++i) {
            double row_change = 0;
            for (std::size_t j = 0; j < k_; ++j) {
                const double change = dx_[i * k_ + j];
                wall(x_[i * k_ + j], change);
                row_change -= change;
                class_change[j] -= p_.devices[i] * change;
            }
            wall(row_slack_[i], row_change);
            wall(rate_slack_[i], rate_of(dx_, i) - dt_);
        }
        for (std::size_t j = 0; j < k_; ++j) wall(class_slack_[j], class_change[j]);
        return longest;
    }

    void move(double length) {
        for (std::size_t at = 0; at < x_.size(); ++at) x_[at] += length * dx_[at];
        t_ += length * dt_;
        update_slacks();
    }

    const ShareProblem& p_;
    std::size_t n_;
    std::size_t k_;
    std::vector<double> x_;
    std::vector<double> dx_;
    std::vector<double> row_slack_;
    std::vector<double> rate_slack_;
    std::vector<double> class_slack_;
    double t_ = 0;
    double dt_ = 0;
    bool is_held_ = false;
};

Result<void> check(const ShareProblem& problem) {
    for (const double capacity : problem.capacity) {
        if (!(capacity > 0)) return Error{ErrorKind::bad_input, "a class has no devices"};
    }
    for (std::size_t i = 0; i < problem.devices.size(); ++i) {
        const auto first = problem.rate.begin() + static_cast<std::ptrdiff_t>(i * problem.classes);
        const auto last = first + static_cast<std::ptrdiff_t>(problem.classes);
        if (std::all_of(first, last, [](double rate) { return !(rate > 0); })) {
            return Error{ErrorKind::bad_input, "job " + std::to_string(i) + " fits on no class"};
        }
    }
    return {};
}

// The same problem with rates near 1, and by what they were divided.
double scale(ShareProblem& problem) {
    const double largest = *std::max_element(problem.rate.begin(), problem.rate.end());
    for (double& rate : problem.rate) rate /= largest;
    return largest;
}

}  // namespace

Result<Shares> max_min_shares(const ShareProblem& problem) {
    if (const auto checked = check(problem); !checked) return checked.error();
    if (problem.devices.empty()) return Shares{};
    ShareProblem scaled = problem;
    const double unit = scale(scaled);
    Path path(scaled);
    const auto slacks = static_cast<double>(path.slacks());
    // On the central path the optimum is at most slacks * mu away.
    for (double mu = path.least(); slacks * mu > relative_gap * path.t(); mu *= shrink) {
        path.centre(mu);
    }
    return Shares{path.shares(), path.least() * unit};
}

Result<Shares> central_shares(const ShareProblem& problem, double least) {
    if (const auto checked = check(problem); !checked) return checked.error();
    if (problem.devices.empty()) return Shares{};
    ShareProblem scaled = problem;
    const double unit = scale(scaled);
    const double wanted = least / unit;
    Path path(scaled);
    const auto slacks = static_cast<double>(path.slacks());
    double mu = path.least();
    while (path.least() <= wanted && slacks * mu > relative_gap * path.t()) {
        path.centre(mu);
        mu *= shrink;
    }
    if (path.least() <= wanted) {
        return Error{ErrorKind::bad_input, "no shares give each job the rate that is asked for"};
    }
    path.hold(wanted);
    path.centre(1);
    return Shares{path.shares(), path.least() * unit};
}

}  // namespace epochcast::simulate
