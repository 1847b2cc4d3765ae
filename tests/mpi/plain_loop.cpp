// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
//
// What the runtime's bits are compared with: one process, one loop, libtorch's own tensors and
// gradient accumulation, micro-batches in order. No board, no workers.
// usage: plain_loop MODEL SAMPLES EPOCHS; batch 64 = 4 x 16, seed 1, as the job files of the tests.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <torch/torch.h>
#include <nlohmann/json.hpp>

#include "job/data_set.hpp"
#include "job/micro_batch.hpp"
#include "job/optimiser.hpp"
#include "job/seed.hpp"
#include "worker/flat_model.hpp"
#include "worker/models.hpp"

namespace {

using namespace epochcast;
using namespace epochcast::runtime;

constexpr std::uint64_t seed = 1;
constexpr float learning_rate = 0.02F;
constexpr float momentum = 0.9F;

std::span<float> values(const torch::Tensor& tensor) {
    return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

struct Plain {
    explicit Plain(const ModelSpec& model)
        : spec(model), module(build_model(spec, parameter_seed(seed))) {
        module->train();
        for (const auto& parameter : module->parameters()) {
            velocity.push_back(torch::zeros_like(parameter));
        }
        for (const auto& buffer : module->buffers()) {
            if (buffer.is_floating_point()) {
                batch_statistics.push_back(buffer);
                running.push_back(buffer.clone());
            }
        }
    }

    void micro_batch(const Samples& samples, std::uint64_t dropout_seed, float scale) {
        torch::manual_seed(dropout_seed);
        const auto loss = torch::nn::functional::cross_entropy(
            module->forward(samples.images),
            samples.labels,
            torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum));
        (loss * scale).backward();
        for (std::size_t i = 0; i < running.size(); ++i) {
            average_in(values(running[i]), values(batch_statistics[i]));
        }
    }

    void end_step() {
        const auto parameters = module->parameters();
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            descend(values(parameters[i]),
                    values(velocity[i]),
                    values(parameters[i].grad()),
                    learning_rate,
                    momentum);
        }
        module->zero_grad();
    }

    // In the runtime's flat layout.
    std::vector<float> state() const {
        std::vector<float> flat;
        const auto append = [&](const torch::Tensor& tensor) {
            const auto all = values(tensor);
            flat.insert(flat.end(), all.begin(), all.end());
            flat.resize((flat.size() + 15) / 16 * 16);
        };
        for (const auto& parameter : module->parameters()) {
            append(parameter);
        }
        for (const auto& statistic : running) {
            append(statistic);
        }
        return flat;
    }

    ModelSpec spec;
    torch::nn::Sequential module;
    std::vector<torch::Tensor> velocity;
    std::vector<torch::Tensor> batch_statistics;
    std::vector<torch::Tensor> running;
};

void train_epoch(Plain& plain, const DataSet& data, const EpochCut& cut, std::uint64_t epoch) {
    const auto order = epoch_order(seed, epoch, static_cast<std::uint32_t>(cut.samples));
    for (std::uint64_t step = 0; step < cut.steps(); ++step) {
        const float scale = 1.0F / static_cast<float>(cut.step_samples(step));
        std::uint32_t position = 0;
        for (const MicroBatch& one : cut.micro_batches(step)) {
            const auto samples = gather_samples(plain.spec,
                                                data.train.images,
                                                data.train.labels,
                                                std::span(order).subspan(one.begin, one.samples));
            plain.micro_batch(samples, micro_batch_seed(seed, epoch, step, position++), scale);
        }
        plain.end_step();
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fputs("usage: plain_loop MODEL SAMPLES EPOCHS\n", stderr);
        return 2;
    }
    at::set_num_threads(1);
    auto data =
        read_data_set("/usr/share/datasets/fashion-mnist", std::strtoull(argv[2], nullptr, 10), 0);
    if (!data.ok()) {
        std::fprintf(stderr, "%s\n", data.error().message.c_str());
        return 4;
    }
    const EpochCut cut{data.value().train.labels.size(), 64, 16};
    Plain plain({argv[1],
                 data.value().channels,
                 data.value().height,
                 data.value().width,
                 data.value().classes});
    std::vector<double> epochs_s;
    for (std::uint64_t epoch = 0; epoch < std::strtoull(argv[3], nullptr, 10); ++epoch) {
        const auto start = std::chrono::steady_clock::now();
        train_epoch(plain, data.value(), cut, epoch);
        epochs_s.push_back(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    const nlohmann::ordered_json json{{"parameters_digest", bit_digest(plain.state())},
                                      {"epochs_s", epochs_s}};
    std::printf("%s\n", json.dump().c_str());
    return 0;
}
