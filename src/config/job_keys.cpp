// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "config/job_keys.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "core/options.hpp"
#include "core/task.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr std::uint32_t max_batch = 65'536;
constexpr std::uint32_t max_workers = 1'024;
constexpr std::uint64_t max_samples = 2'147'483'648;
constexpr std::uint64_t max_seed = 1'000'000'000'000'000'000;

constexpr std::array<JobKeyHelp, 17> table{{
    {"task",
     "NAME",
     "none, it must be given",
     "name that the history is kept under: 1 to 128 of the characters A-Z a-z 0-9 . _ + / @ -"},
    {"model", "NAME", "\"cnn\"", "\"mlp\", \"cnn\" (two convolutions) or \"resnet18\""},
    {"data",
     "FOLDER",
     "\"/usr/share/datasets/fashion-mnist\"",
     "folder with IDX files named as MNIST names them, plain or .gz"},
    {"loss", "NAME", "\"cross_entropy\"", "only \"cross_entropy\""},
    {"optimiser", "NAME", "\"sgd\"", "only \"sgd\" (with momentum)"},
    {"learning_rate", "X", "0.02", "step of the optimiser, from 1e-12 to 1000"},
    {"momentum", "X", "0.9", "of the optimiser, from 0 to 0.9999"},
    {"batch", "N", "64", "samples per optimiser step, from 1 to 65536"},
    {"micro_batch",
     "N",
     "16, or batch if that is smaller",
     "samples that one worker computes at a time, from 1 to batch; changes the result, the number "
     "of workers does not"},
    {"epochs", "N", "1", "epochs to train, from 1 to 1000000000"},
    {"seed",
     "N",
     "1",
     "of parameters, order of samples and dropout, from 0 to 1000000000000000000"},
    {"samples", "N", "all", "training samples per epoch, the first N of the data"},
    {"test_samples", "N", "all", "samples for the accuracy at the end; 0: none"},
    {"workers", "N", "0", "worker processes per node, up to 1024; 0: one per CPU of the task"},
    {"oversubscribe",
     "true|false",
     "false",
     "whether more workers than CPUs are meant (else they are refused)"},
    {"checkpoint",
     "FOLDER",
     "\"\", none",
     "folder for the state after each epoch, from which the same job resumes"},
    {"log_dir",
     "FOLDER",
     "the option log of the Slurm job, else $EPOCHCAST_LOG_DIR, else epochcast-logs where the job "
     "was submitted",
     "folder for the epoch log"},
}};

Error not_one_of(std::string_view key, std::string_view value, const char* allowed) {
    return {ErrorKind::usage,
            std::string(key) + " " + quoted(value) + " is not allowed: give " + allowed};
}

Result<void> set_choice(std::string& to,
                        std::string_view key,
                        std::string_view value,
                        std::span<const char* const> choices,
                        const char* allowed) {
    if (std::ranges::find(choices, value) == choices.end()) {
        return not_one_of(key, value, allowed);
    }
    to = value;
    return {};
}

template <class Number>
Result<void> set_count(Number& to,
                       std::string_view key,
                       std::string_view value,
                       std::uint64_t min,
                       std::uint64_t max) {
    const auto count = parse_count(key, value, min, max);
    if (!count.ok()) {
        return count.error();
    }
    to = static_cast<Number>(count.value());
    return {};
}

Result<void> set_optional_count(std::optional<std::uint64_t>& to,
                                std::string_view key,
                                std::string_view value,
                                std::uint64_t min) {
    std::uint64_t count = 0;
    auto set = set_count(count, key, value, min, max_samples);
    if (set.ok()) {
        to = count;
    }
    return set;
}

Result<void> set_number(
    double& to, std::string_view key, std::string_view value, double min, double max) {
    const auto number = parse_number(key, value, min, max);
    if (!number.ok()) {
        return number.error();
    }
    to = number.value();
    return {};
}

Result<void> set_path(std::filesystem::path& to, std::string_view key, std::string_view value) {
    const auto is_control = [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; };
    if (value.size() > 4096 || std::ranges::any_of(value, is_control)) {
        return not_one_of(key, value, "a path of at most 4096 bytes without control characters");
    }
    to = value;
    return {};
}

Result<void> set_task(std::string& to, std::string_view value) {
    auto task = parse_task_name(value);
    if (!task.ok()) {
        return task.error();
    }
    to = std::move(task).value();
    return {};
}

constexpr std::array<const char*, 3> models{"mlp", "cnn", "resnet18"};
constexpr std::array<const char*, 1> losses{"cross_entropy"};
constexpr std::array<const char*, 1> optimisers{"sgd"};

using Key = std::string_view;
using Form = JobKeyForm;

const std::map<Key, JobKeyRule>& rules() {
    static const std::map<Key, JobKeyRule> all{
        {"task", {Form::text, [](TrainJob& j, Key, Key v) { return set_task(j.task, v); }}},
        {"model",
         {Form::text,
          [](TrainJob& j, Key k, Key v) {
              return set_choice(j.model, k, v, models, "mlp, cnn or resnet18");
          }}},
        {"data", {Form::text, [](TrainJob& j, Key k, Key v) { return set_path(j.data, k, v); }}},
        {"loss",
         {Form::text,
          [](TrainJob& j, Key k, Key v) {
              return set_choice(j.loss, k, v, losses, "cross_entropy");
          }}},
        {"optimiser",
         {Form::text,
          [](TrainJob& j, Key k, Key v) {
              return set_choice(j.optimiser, k, v, optimisers, "sgd");
          }}},
        {"learning_rate",
         {Form::real,
          [](TrainJob& j, Key k, Key v) {
              return set_number(j.learning_rate, k, v, 1e-12, 1000);
          }}},
        {"momentum",
         {Form::real,
          [](TrainJob& j, Key k, Key v) { return set_number(j.momentum, k, v, 0, 0.9999); }}},
        {"batch",
         {Form::whole,
          [](TrainJob& j, Key k, Key v) { return set_count(j.batch, k, v, 1, max_batch); }}},
        {"micro_batch",
         {Form::whole,
          [](TrainJob& j, Key k, Key v) { return set_count(j.micro_batch, k, v, 1, max_batch); }}},
        {"epochs",
         {Form::whole,
          [](TrainJob& j, Key k, Key v) { return set_count(j.epochs, k, v, 1, max_epochs); }}},
        {"seed",
         {Form::whole,
          [](TrainJob& j, Key k, Key v) { return set_count(j.seed, k, v, 0, max_seed); }}},
        {"samples",
         {Form::whole,
          [](TrainJob& j, Key k, Key v) { return set_optional_count(j.samples, k, v, 1); }}},
        {"test_samples",
         {Form::whole,
          [](TrainJob& j, Key k, Key v) { return set_optional_count(j.test_samples, k, v, 0); }}},
        {"workers",
         {Form::whole,
          [](TrainJob& j, Key k, Key v) { return set_count(j.workers, k, v, 0, max_workers); }}},
        {"oversubscribe",
         {Form::flag,
          [](TrainJob& j, Key k, Key v) -> Result<void> {
              if (v != "true" && v != "false") {
                  return not_one_of(k, v, "true or false");
              }
              j.oversubscribe = v == "true";
              return {};
          }}},
        {"checkpoint",
         {Form::text, [](TrainJob& j, Key k, Key v) { return set_path(j.checkpoint, k, v); }}},
        {"log_dir",
         {Form::text, [](TrainJob& j, Key k, Key v) { return set_path(j.log_dir, k, v); }}},
    };
    return all;
}

}  // namespace

std::span<const JobKeyHelp> job_key_table() { return table; }

const JobKeyRule* job_key_rule(std::string_view key) {
    const auto rule = rules().find(key);
    return rule == rules().end() ? nullptr : &rule->second;
}

std::string known_job_keys() {
    std::string text;
    for (const JobKeyHelp& key : table) {
        text += (text.empty() ? "" : ", ") + std::string(key.name);
    }
    return text;
}

}  // namespace epochcast
