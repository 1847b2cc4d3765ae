// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Images with labels, from a folder of IDX files named as MNIST and Fashion-MNIST name them:
// train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte,
// each plain or with ".gz".

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace epochcast::runtime {

// Part of a data set: `labels.size()` samples.
struct DataPart {
    std::vector<std::uint8_t> images;
    std::vector<std::uint8_t> labels;
};

struct DataSet {
    std::string name;  // the folder's name
    std::uint32_t channels = 1;
    std::uint32_t height = 0;
    std::uint32_t width = 0;
    std::uint32_t classes = 0;  // largest label of the whole training part + 1
    DataPart train;
    DataPart test;  // empty if the folder has none
};

// Reads the first `samples` training samples (absent: all) and the first `test_samples` test
// samples. Errors: environment (a file is missing, and which Debian package has it), bad_input (a
// file is unusable, images and labels do not fit, fewer samples than asked for).
Result<DataSet> read_data_set(const std::filesystem::path& folder,
                              std::optional<std::uint64_t> samples,
                              std::uint64_t test_samples);

}  // namespace epochcast::runtime
