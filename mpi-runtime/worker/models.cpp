// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "worker/models.hpp"

#include <cassert>

namespace epochcast::runtime {

namespace {

namespace nn = torch::nn;

nn::Conv2d convolution(std::int64_t in,
                       std::int64_t out,
                       std::int64_t kernel,
                       std::int64_t stride) {
    return nn::Conv2d(
        nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false));
}

nn::BatchNorm2d normalisation(std::int64_t channels) {
    return nn::BatchNorm2d(nn::BatchNorm2dOptions(channels).momentum(1.0));
}

// Two 3x3 convolutions with a way around them (He et al. 2016, "basic block").
struct BasicBlockImpl : nn::Module {
    BasicBlockImpl(std::int64_t in, std::int64_t out, std::int64_t stride)
        : main(register_module("main",
                               nn::Sequential(convolution(in, out, 3, stride),
                                              normalisation(out),
                                              nn::ReLU(),
                                              convolution(out, out, 3, 1),
                                              normalisation(out)))) {
        if (stride != 1 || in != out) {
            around = register_module(
                "around", nn::Sequential(convolution(in, out, 1, stride), normalisation(out)));
        }
    }

    torch::Tensor forward(const torch::Tensor& x) {
        const torch::Tensor shortcut = around ? around->forward(x) : x;
        return torch::relu(main->forward(x) + shortcut);
    }

    nn::Sequential main;
    nn::Sequential around{nullptr};
};
TORCH_MODULE(BasicBlock);

nn::Sequential mlp(const ModelSpec& spec) {
    return nn::Sequential(nn::Flatten(),
                          nn::Linear(spec.image_bytes(), 256),
                          nn::ReLU(),
                          nn::Linear(256, spec.classes));
}

// 207 018 parameters for 1 x 28 x 28 images and 10 classes.
nn::Sequential cnn(const ModelSpec& spec) {
    const std::int64_t features = 32L * (spec.height / 4) * (spec.width / 4);
    return nn::Sequential(nn::Conv2d(nn::Conv2dOptions(spec.channels, 16, 3).padding(1)),
                          normalisation(16),
                          nn::ReLU(),
                          nn::MaxPool2d(2),
                          nn::Conv2d(nn::Conv2dOptions(16, 32, 3).padding(1)),
                          normalisation(32),
                          nn::ReLU(),
                          nn::MaxPool2d(2),
                          nn::Flatten(),
                          nn::Linear(features, 128),
                          nn::ReLU(),
                          nn::Dropout(0.25),
                          nn::Linear(128, spec.classes));
}

// ResNet-18 as published, with the number of input channels of the data. Its stem shrinks images by
// four, so small images are cheap.
nn::Sequential resnet18(const ModelSpec& spec) {
    return nn::Sequential(convolution(spec.channels, 64, 7, 2),
                          normalisation(64),
                          nn::ReLU(),
                          nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1)),
                          BasicBlock(64, 64, 1),
                          BasicBlock(64, 64, 1),
                          BasicBlock(64, 128, 2),
                          BasicBlock(128, 128, 1),
                          BasicBlock(128, 256, 2),
                          BasicBlock(256, 256, 1),
                          BasicBlock(256, 512, 2),
                          BasicBlock(512, 512, 1),
                          nn::AdaptiveAvgPool2d(1),
                          nn::Flatten(),
                          nn::Linear(512, spec.classes));
}

}  // namespace

torch::nn::Sequential build_model(const ModelSpec& spec, std::uint64_t seed) {
    torch::manual_seed(seed);
    if (spec.name == "mlp") {
        return mlp(spec);
    }
    if (spec.name == "cnn") {
        return cnn(spec);
    }
    assert(spec.name == "resnet18");
    return resnet18(spec);
}

}  // namespace epochcast::runtime
