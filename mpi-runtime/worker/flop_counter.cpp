// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "worker/flop_counter.hpp"

#include <string_view>
#include <utility>

namespace epochcast::runtime {

namespace {

thread_local double counted = 0;

using Inputs = c10::ArrayRef<const c10::IValue>;

// Multiply-adds that one output element of a convolution with this weight takes.
double products_per_output(const at::Tensor& weight) {
    return static_cast<double>(weight.numel() / weight.size(0));
}

// aten::convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding,
// groups). A transposed convolution does the work of the convolution that it mirrors.
double convolution_flop(Inputs in) {
    const at::Tensor input = in[0].toTensor();
    const at::Tensor weight = in[1].toTensor();
    if (in[6].toBool()) {
        return 2.0 * static_cast<double>(input.numel()) * products_per_output(weight);
    }
    const auto stride = in[3].toIntVector();
    const auto padding = in[4].toIntVector();
    const auto dilation = in[5].toIntVector();
    double outputs = static_cast<double>(input.size(0) * weight.size(0));
    for (std::size_t d = 0; d < stride.size(); ++d) {
        const auto axis = static_cast<std::int64_t>(d) + 2;
        const auto reach = dilation[d] * (weight.size(axis) - 1) + 1;
        outputs *= static_cast<double>((input.size(axis) + 2 * padding[d] - reach) / stride[d] + 1);
    }
    return 2.0 * outputs * products_per_output(weight);
}

// aten::convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation,
// transposed, output_padding, groups, output_mask). The first layer needs no input gradient, which
// the mask says; bias gradients are sums and not counted.
double convolution_backward_flop(Inputs in) {
    const at::Tensor weight = in[2].toTensor();
    const at::Tensor output_side = in[7].toBool() ? in[1].toTensor() : in[0].toTensor();
    const auto mask = in[10].toBoolList();
    const double one = 2.0 * static_cast<double>(output_side.numel()) * products_per_output(weight);
    return one * (static_cast<int>(mask[0]) + static_cast<int>(mask[1]));
}

// (n x k) times (k x m), or b of them: every element of the first meets m others.
double product_flop(const at::Tensor& a, const at::Tensor& b) {
    return 2.0 * static_cast<double>(a.numel()) * static_cast<double>(b.size(-1));
}

double operator_flop(std::string_view name, Inputs in) {
    if (name == "aten::convolution") {
        return convolution_flop(in);
    }
    if (name == "aten::convolution_backward") {
        return convolution_backward_flop(in);
    }
    if (name == "aten::mm" || name == "aten::bmm") {
        return product_flop(in[0].toTensor(), in[1].toTensor());
    }
    if (name == "aten::addmm" || name == "aten::baddbmm") {
        return product_flop(in[1].toTensor(), in[2].toTensor());
    }
    return 0;
}

std::unique_ptr<at::ObserverContext> observe(const at::RecordFunction& function) {
    counted += operator_flop(function.name(), function.inputs());
    return nullptr;
}

}  // namespace

FlopCounter::FlopCounter() {
    counted = 0;
    handle_ = at::addThreadLocalCallback(
        at::RecordFunctionCallback(observe).needsInputs(true).scopes({at::RecordScope::FUNCTION}));
}

FlopCounter::~FlopCounter() { at::removeCallback(handle_); }

double FlopCounter::take() { return std::exchange(counted, 0); }

}  // namespace epochcast::runtime
