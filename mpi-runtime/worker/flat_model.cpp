// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "worker/flat_model.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "worker/models.hpp"

namespace epochcast::runtime {

namespace {

// Every tensor starts on a cache line, as libtorch's own allocations do, so that kernels take the
// same vector path and give the same bits.
constexpr std::int64_t floats_per_line = 16;

std::int64_t padded(const torch::Tensor& tensor) {
    return (tensor.numel() + floats_per_line - 1) / floats_per_line * floats_per_line;
}

std::uint64_t padded_total(const std::vector<torch::Tensor>& tensors) {
    std::int64_t total = 0;
    for (const auto& tensor : tensors) {
        total += padded(tensor);
    }
    return static_cast<std::uint64_t>(total);
}

// Calls visit(tensor, place) for each tensor with its place in the flat memory.
template <class Visit>
void for_each_place(const std::vector<torch::Tensor>& tensors, float* flat, Visit visit) {
    for (const auto& tensor : tensors) {
        visit(tensor, flat);
        flat += padded(tensor);
    }
}

void copy_out(const std::vector<torch::Tensor>& tensors, std::span<float> flat) {
    std::fill(flat.begin(), flat.end(), 0.0F);
    for_each_place(tensors, flat.data(), [](const torch::Tensor& tensor, float* place) {
        std::memcpy(place,
                    tensor.data_ptr<float>(),
                    static_cast<std::size_t>(tensor.numel()) * sizeof(float));
    });
}

void point_into(const std::vector<torch::Tensor>& tensors, float* flat) {
    for_each_place(tensors, flat, [](const torch::Tensor& tensor, float* place) {
        tensor.set_data(torch::from_blob(place, tensor.sizes(), torch::kFloat32));
    });
}

}  // namespace

FlatModel::FlatModel(const ModelSpec& spec, std::uint64_t seed) : module_(build_model(spec, seed)) {
    parameters_ = module_->parameters();
    for (const auto& buffer : module_->buffers()) {
        if (buffer.is_floating_point()) {
            statistics_.push_back(buffer);
        }
    }
    for (const auto& parameter : parameters_) {
        size_.parameters += static_cast<std::uint64_t>(parameter.numel());
    }
    size_.parameter_floats = padded_total(parameters_);
    size_.statistic_floats = padded_total(statistics_);
}

void FlatModel::initial_state(std::span<float> parameters, std::span<float> statistics) const {
    assert(bound_parameters_ == nullptr);
    copy_out(parameters_, parameters);
    copy_out(statistics_, statistics);
}

void FlatModel::bind(std::span<float> parameters, std::span<float> statistics) {
    assert(parameters.size() == size_.parameter_floats);
    assert(statistics.size() == size_.statistic_floats);
    if (parameters.data() != bound_parameters_) {
        point_into(parameters_, parameters.data());
        bound_parameters_ = parameters.data();
    }
    if (statistics.data() != bound_statistics_) {
        point_into(statistics_, statistics.data());
        bound_statistics_ = statistics.data();
    }
}

Outcome FlatModel::train(std::span<float> parameters,
                         const torch::Tensor& images,
                         const torch::Tensor& labels,
                         std::uint64_t seed,
                         float scale,
                         std::span<float> gradients,
                         std::span<float> batch_statistics) {
    // With momentum 1 a statistic becomes 1 x new + 0 x old: old must be finite, so it is zeroed.
    std::fill(batch_statistics.begin(), batch_statistics.end(), 0.0F);
    std::fill(gradients.begin(), gradients.end(), 0.0F);
    bind(parameters, batch_statistics);
    for_each_place(parameters_, gradients.data(), [](const torch::Tensor& tensor, float* place) {
        tensor.mutable_grad() = torch::from_blob(place, tensor.sizes(), torch::kFloat32);
    });

    FlopCounter counter;
    torch::manual_seed(seed);
    module_->train();
    const auto outputs = module_->forward(images);
    const auto loss = torch::nn::functional::cross_entropy(
        outputs, labels, torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum));
    (loss * scale).backward();

    Outcome outcome;
    outcome.loss_sum = loss.item<double>();
    outcome.flop = counter.take();
    outcome.correct = outputs.argmax(1).eq(labels).sum().item<std::int64_t>();
    return outcome;
}

Outcome FlatModel::evaluate(std::span<float> parameters,
                            std::span<float> statistics,
                            const torch::Tensor& images,
                            const torch::Tensor& labels) {
    const torch::NoGradGuard no_gradients;
    bind(parameters, statistics);
    FlopCounter counter;
    module_->eval();
    const auto outputs = module_->forward(images);
    const auto loss = torch::nn::functional::cross_entropy(
        outputs, labels, torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum));
    Outcome outcome;
    outcome.loss_sum = loss.item<double>();
    outcome.flop = counter.take();
    outcome.correct = outputs.argmax(1).eq(labels).sum().item<std::int64_t>();
    return outcome;
}

Samples gather_samples(const ModelSpec& spec,
                       std::span<const std::uint8_t> images,
                       std::span<const std::uint8_t> labels,
                       std::span<const std::uint32_t> indices) {
    const auto count = static_cast<std::int64_t>(indices.size());
    Samples samples{torch::empty({count, spec.channels, spec.height, spec.width}),
                    torch::empty({count}, torch::kInt64)};
    auto* image = samples.images.data_ptr<float>();
    auto* label = samples.labels.data_ptr<std::int64_t>();
    for (const std::uint32_t index : indices) {
        const auto* bytes = images.data() + std::size_t{index} * spec.image_bytes();
        for (std::uint32_t i = 0; i < spec.image_bytes(); ++i) {
            *image++ = static_cast<float>(bytes[i]) * (1.0F / 127.5F) - 1.0F;
        }
        *label++ = labels[index];
    }
    return samples;
}

}  // namespace epochcast::runtime
