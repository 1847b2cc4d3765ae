// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Counts floating-point operations by watching the operators that libtorch runs. Counted are
// convolutions and matrix products, forward and backward, a multiply-add as two; element-wise work,
// normalisation and the optimiser are not (below 2 % for the built-in models).

#include <torch/torch.h>

namespace epochcast::runtime {

// Counts what runs on this thread from construction to destruction. One at a time per thread.
class FlopCounter {
  public:
    FlopCounter();
    ~FlopCounter();
    FlopCounter(const FlopCounter&) = delete;
    FlopCounter& operator=(const FlopCounter&) = delete;

    // Operations since construction or the last call.
    double take();

  private:
    at::CallbackHandle handle_;
};

}  // namespace epochcast::runtime
