// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A model whose parameters, gradients and BatchNorm statistics lie in memory given from outside, so
// that a worker reads parameters and leaves results on the board without a copy.

#include <cstdint>
#include <span>
#include <vector>

#include <torch/torch.h>

#include "job/model_spec.hpp"
#include "worker/flop_counter.hpp"

namespace epochcast::runtime {

// What one micro-batch gave, besides what was written to the caller's memory.
struct Outcome {
    double loss_sum = 0;
    double flop = 0;
    std::uint64_t correct = 0;
};

class FlatModel {
  public:
    FlatModel(const ModelSpec& spec, std::uint64_t seed);

    ModelSize size() const { return size_; }

    // Writes the initial parameters and statistics (mean 0, variance 1) in the flat layout. Padding
    // is set to 0.
    void initial_state(std::span<float> parameters, std::span<float> statistics) const;

    // Forward and backward pass of these samples with the given parameters. The loss is the cross
    // entropy summed over the samples times `scale`. Overwrites `gradients` and
    // `batch_statistics`; dropout is drawn from `seed`. Throws c10::Error.
    Outcome train(std::span<float> parameters,
                  const torch::Tensor& images,
                  const torch::Tensor& labels,
                  std::uint64_t seed,
                  float scale,
                  std::span<float> gradients,
                  std::span<float> batch_statistics);

    // Forward pass without dropout, normalised by the running statistics.
    Outcome evaluate(std::span<float> parameters,
                     std::span<float> statistics,
                     const torch::Tensor& images,
                     const torch::Tensor& labels);

  private:
    void bind(std::span<float> parameters, std::span<float> statistics);

    torch::nn::Sequential module_;
    std::vector<torch::Tensor> parameters_;
    std::vector<torch::Tensor> statistics_;  // floating-point buffers only
    float* bound_parameters_ = nullptr;
    float* bound_statistics_ = nullptr;
    ModelSize size_;
};

// Images of the samples in [-1, 1] and their labels, gathered from the data set.
struct Samples {
    torch::Tensor images;
    torch::Tensor labels;
};
Samples gather_samples(const ModelSpec& spec,
                       std::span<const std::uint8_t> images,
                       std::span<const std::uint8_t> labels,
                       std::span<const std::uint32_t> indices);

}  // namespace epochcast::runtime
