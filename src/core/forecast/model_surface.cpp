// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// Best linear prediction (kriging): ln time is the sum of
//   - a level of the model;
//   - the slowness of the class, as other models have it, times how much of it this model feels:
//     all of it by expectation, less where a step waits for the host;
//   - a slope over ln batch: steeper on a slow class, which even small batches keep busy;
//   - a smooth curve over ln batch that the classes share, and a smaller one of each class;
//   - an offset of batches that do not fill the matrix units;
//   - an offset of the model on each class; noise.
// Each has an expected size (constants below) and the measured points decide. A point tells most
// about what shares its class or is near its batch, and nothing is chosen by case.

#include "core/forecast/model_surface.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

namespace epochcast {

namespace {

// Chosen on one half of the models of Gavel's table (A3C, LM, ResNet-18, Transformer), on the other
// and on both in turn; these are about the middle. Mean error of hidden cells, physical column, of
// the first half and of the second: chosen on the first 13.4 and 6.3 %, on the second 14.6 and 6.4
// %, on both 13.5 and 6.1 %, these 13.9 and 6.4 %; by the other rules alone 15.8 and 8.5 %.
constexpr double usual_elasticity = 0.75;
constexpr double elasticity_per_slowness = 0.1;
constexpr double level = 3;    // as good as unknown
constexpr double feeling = 2;  // as good as unknown where two other classes tell it
constexpr double slope = 0.1;
constexpr double shared_curve = 0.24;
constexpr double shared_length = 2.8;  // in ln batch
constexpr double class_curve = 0.12;
constexpr double class_length = 1.0;
constexpr double class_offset = 0.1;
constexpr double noise = 0.025;

// Kernels for matrix units work in multiples of this many samples; another batch is padded or takes
// a slower kernel. Up to a factor of 1.7 on the profiles of yolov3.
constexpr double alignment = 4;
constexpr double shared_padding = 0.05;
constexpr double class_padding = 0.1;

// The model's times may be smoother or rougher than that. How rough tells how far the surface can
// be trusted: its spread is the mean over these, weighed by how likely each makes the measured
// times.
constexpr std::array<double, 3> noises{0.01, noise, 0.08};

// The sizes above count as so many points that fit as expected: a model whose points fit worse is
// expected to err more, one whose points fit better less.
constexpr double prior_points = 60;

// Beyond this variance the shift to the least relative error is not carried on.
constexpr double largest_shift = 0.3;

// Correlation of a smooth curve (Matern 3/2) at a distance.
double correlation(double distance, double length) {
    const double x = std::sqrt(3.0) * std::abs(distance) / length;
    return (1 + x) * std::exp(-x);
}

// A point with what the covariance needs of its batch.
struct Place {
    const SurfacePoint* point;
    double log_batch;  // from the middle
    bool is_unaligned;
};

Place place_of(const SurfacePoint& point, double middle) {
    return {&point, std::log(point.batch) - middle, std::fmod(point.batch, alignment) != 0};
}

double covariance(const Place& a, const Place& b) {
    const double distance = a.log_batch - b.log_batch;
    const bool is_same = a.point->placement == b.point->placement;
    double sum = level * level + feeling * feeling * a.point->log_slowness * b.point->log_slowness +
                 slope * slope * a.log_batch * b.log_batch +
                 shared_curve * shared_curve * correlation(distance, shared_length);
    if (is_same) {
        sum += class_offset * class_offset + a.point->slowness_variance +
               class_curve * class_curve * correlation(distance, class_length);
    }
    if (a.is_unaligned && b.is_unaligned) {
        sum += shared_padding * shared_padding + (is_same ? class_padding * class_padding : 0);
    }
    return sum;
}

double expected(const Place& place) {
    const double elasticity =
        usual_elasticity + elasticity_per_slowness * place.point->log_slowness;
    return place.point->log_slowness + elasticity * place.log_batch;
}

// A symmetric positive definite matrix, lower triangle by rows, replaced by its Cholesky factor.
void factorise(std::vector<double>& matrix, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = matrix[i * size + j];
            for (std::size_t k = 0; k < j; ++k) sum -= matrix[i * size + k] * matrix[j * size + k];
            matrix[i * size + j] = i == j ? std::sqrt(sum) : sum / matrix[j * size + j];
        }
    }
}

// Solves factor x = right in place.
void solve_lower(const std::vector<double>& factor, std::vector<double>& right) {
    const std::size_t size = right.size();
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t k = 0; k < i; ++k) right[i] -= factor[i * size + k] * right[k];
        right[i] /= factor[i * size + i];
    }
}

// Of ln batch, from the least to the greatest.
double middle_of(std::span<const SurfacePoint> points, double batch) {
    double low = batch;
    double high = batch;
    for (const SurfacePoint& point : points) {
        low = std::min(low, point.batch);
        high = std::max(high, point.batch);
    }
    return (std::log(low) + std::log(high)) / 2;
}

// The covariances and what is left of ln time beside the expected one, before noise.
struct System {
    std::vector<double> matrix;  // lower triangle by rows
    std::vector<double> with_asked;
    std::vector<double> residual;
    double asked_variance = 0;
    double expected_time = 0;  // ln
};

System system_of(std::span<const SurfacePoint> points, const SurfacePoint& asked_point) {
    const double middle = middle_of(points, asked_point.batch);
    const Place asked = place_of(asked_point, middle);
    const std::size_t size = points.size();
    std::vector<Place> places;
    places.reserve(size);
    for (const SurfacePoint& point : points) places.push_back(place_of(point, middle));
    System system{std::vector<double>(size * size),
                  std::vector<double>(size),
                  std::vector<double>(size),
                  covariance(asked, asked),
                  0};
    double mean = 0;
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            system.matrix[i * size + j] = covariance(places[i], places[j]);
        }
        system.with_asked[i] = covariance(places[i], asked);
        system.residual[i] = points[i].log_time - expected(places[i]);
        mean += system.residual[i] / static_cast<double>(size);
    }
    for (double& value : system.residual) value -= mean;
    system.expected_time = expected(asked) + mean;
    return system;
}

struct Solution {
    double log_time = 0;
    double variance = 0;
    double log_likelihood = 0;
};

// By value: it is worked on in place.
Solution solved(System system, double point_noise) {
    const std::size_t size = system.residual.size();
    for (std::size_t i = 0; i < size; ++i) {
        system.matrix[i * size + i] += point_noise * point_noise;
    }
    factorise(system.matrix, size);
    solve_lower(system.matrix, system.with_asked);
    solve_lower(system.matrix, system.residual);
    double shift = 0;
    double squares = 0;
    double log_determinant = 0;  // of the factor
    double variance = system.asked_variance + point_noise * point_noise;
    for (std::size_t i = 0; i < size; ++i) {
        shift += system.with_asked[i] * system.residual[i];
        variance -= system.with_asked[i] * system.with_asked[i];
        squares += system.residual[i] * system.residual[i];
        log_determinant += std::log(system.matrix[i * size + i]);
    }
    const double count = prior_points + static_cast<double>(size);
    Solution solution;
    solution.log_time = system.expected_time + shift;
    solution.variance =
        std::max(variance, point_noise * point_noise) * (prior_points + squares) / count;
    solution.log_likelihood = -count / 2 * std::log1p(squares / prior_points) - log_determinant;
    return solution;
}

}  // namespace

SurfaceValue surface_value(std::span<const SurfacePoint> points,
                           double batch,
                           std::uint32_t placement) {
    assert(!points.empty());
    const System system = system_of(points, {batch, 0, 0, placement, 0});
    const Solution usual = solved(system, noise);
    double weights = 0;
    double variance = 0;
    for (const double point_noise : noises) {
        const Solution other = point_noise == noise ? usual : solved(system, point_noise);
        // Bounded, so that no weight overflows.
        const double weight =
            std::exp(std::min(other.log_likelihood - usual.log_likelihood, 300.0));
        const double distance = other.log_time - usual.log_time;
        weights += weight;
        variance += weight * (other.variance + distance * distance);
    }
    variance /= weights;
    return {usual.log_time - std::min(variance, largest_shift), std::sqrt(variance)};
}

}  // namespace epochcast
