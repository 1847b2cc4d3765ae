// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Which model, for which images.

#include <cstdint>
#include <string>

namespace epochcast::runtime {

struct ModelSpec {
    std::string name;  // "mlp", "cnn", "resnet18"
    std::uint32_t channels = 1;
    std::uint32_t height = 28;
    std::uint32_t width = 28;
    std::uint32_t classes = 10;

    // One byte per value in the data, one float in the model.
    std::uint32_t image_bytes() const { return channels * height * width; }
};

// How large a model is once built. Parameters and BatchNorm statistics are laid out one tensor
// after another as floats, each tensor padded to a cache line.
struct ModelSize {
    std::uint64_t parameters = 0;        // trainable values, padding not counted
    std::uint64_t parameter_floats = 0;  // with padding
    std::uint64_t statistic_floats = 0;  // with padding
};

}  // namespace epochcast::runtime
