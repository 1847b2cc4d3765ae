// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The built-in models. They take images as floats in [-1, 1], shaped samples x channels x height x
// width, and give one output per class.

#include <torch/torch.h>

#include "job/model_spec.hpp"

namespace epochcast::runtime {

// The model with parameters drawn from the seed. The same seed gives the same bits. BatchNorm
// layers are built with momentum 1, so that after one forward pass in training mode their running
// statistics are that micro-batch's own; the agent averages them over micro-batches in order.
// The name must be one of model_names().
torch::nn::Sequential build_model(const ModelSpec& spec, std::uint64_t seed);

}  // namespace epochcast::runtime
