// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Small dense matrices, a few rows each, and Gauss's elimination with partial pivoting.

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace epochcast::simulate {

class Dense {
  public:
    Dense(std::size_t rows, std::size_t columns)
        : rows_(rows), columns_(columns), values_(rows * columns) {}

    double& at(std::size_t row, std::size_t column) { return values_[row * columns_ + column]; }
    double at(std::size_t row, std::size_t column) const {
        return values_[row * columns_ + column];
    }
    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }

  private:
    std::size_t rows_;
    std::size_t columns_;
    std::vector<double> values_;
};

// Replaces `right` by the solution of matrix * x = right, column by column; `matrix` is used up.
// A singular matrix gives values that are not finite.
inline void solve(Dense& matrix, Dense& right) {
    const std::size_t n = matrix.rows();
    for (std::size_t pivot = 0; pivot < n; ++pivot) {
        std::size_t largest = pivot;
        for (std::size_t r = pivot + 1; r < n; ++r) {
            if (std::abs(matrix.at(r, pivot)) > std::abs(matrix.at(largest, pivot))) largest = r;
        }
        for (std::size_t c = 0; c < n; ++c) std::swap(matrix.at(pivot, c), matrix.at(largest, c));
        for (std::size_t c = 0; c < right.columns(); ++c) {
            std::swap(right.at(pivot, c), right.at(largest, c));
        }
        for (std::size_t r = 0; r < n; ++r) {
            if (r == pivot) continue;
            const double factor = matrix.at(r, pivot) / matrix.at(pivot, pivot);
            for (std::size_t c = pivot; c < n; ++c) {
                matrix.at(r, c) -= factor * matrix.at(pivot, c);
            }
            for (std::size_t c = 0; c < right.columns(); ++c) {
                right.at(r, c) -= factor * right.at(pivot, c);
            }
        }
    }
    for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t c = 0; c < right.columns(); ++c) right.at(r, c) /= matrix.at(r, r);
    }
}

inline void solve(Dense& matrix, std::vector<double>& right) {
    Dense column(right.size(), 1);
    for (std::size_t r = 0; r < right.size(); ++r) column.at(r, 0) = right[r];
    solve(matrix, column);
    for (std::size_t r = 0; r < right.size(); ++r) right[r] = column.at(r, 0);
}

}  // namespace epochcast::simulate
