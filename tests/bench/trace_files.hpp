// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The public traces as the simulator has them. Everything throws where a file cannot be used.

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "core/result.hpp"
#include "simulate/readers/gavel.hpp"

namespace bench {

inline std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <class T>
T value_of(epochcast::Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(result).value();
}

// arrival_unit_s: see read_gavel_trace().
inline epochcast::simulate::Trace gavel_trace(const Options& options,
                                              const std::string& name,
                                              epochcast::simulate::GavelRates rates,
                                              std::vector<epochcast::simulate::DeviceClass> classes,
                                              double arrival_unit_s = 0) {
    using namespace epochcast::simulate;
    const std::string folder = options.data + "/data/gavel/";
    const std::string table = read_text(folder + "throughputs_isolated.csv");
    const auto throughputs = value_of(GavelThroughputs::read(table, rates));
    const std::string text = read_text(folder + "traces/" + name + ".csv");
    return value_of(read_gavel_trace(text, throughputs, std::move(classes), arrival_unit_s));
}

}  // namespace bench
