// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/task_proposal.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr std::size_t longest_name = 128;

constexpr std::array script_ends = {".py", ".sh", ".jl", ".r", ".lua", ".ipynb"};

// Programs that start others, which are not what is trained.
constexpr std::array starters = {
    "python", "torchrun", "accelerate", "launch", "deepspeed", "bash",      "sh",         "srun",
    "mpirun", "mpiexec",  "horovodrun", "env",    "nice",      "time",      "uv",         "run",
    "conda",  "poetry",   "exec",       "julia",  "nohup",     "apptainer", "singularity"};

// Options whose value does not tell one kind of training from another.
constexpr std::array passing = {"lr",
                                "learning-rate",
                                "seed",
                                "epochs",
                                "epoch",
                                "max-epochs",
                                "num-epochs",
                                "num-train-epochs",
                                "steps",
                                "max-steps",
                                "device",
                                "gpu",
                                "gpus",
                                "port",
                                "workers",
                                "num-workers",
                                "local-rank",
                                "verbose",
                                "quiet"};
constexpr std::array passing_parts = {"seed",
                                      "learning-rate",
                                      "output",
                                      "save",
                                      "checkpoint",
                                      "ckpt",
                                      "resume",
                                      "name",
                                      "log",
                                      "path",
                                      "dir",
                                      "root",
                                      "folder",
                                      "file",
                                      "wandb",
                                      "master",
                                      "rank",
                                      "tag",
                                      "exp-id"};

bool starts_others(const std::string& argument) {
    const std::string name = std::filesystem::path(argument).filename().string();
    return std::ranges::any_of(starters, [&](std::string_view starter) {
        return name == starter || (starter == "python" && name.starts_with("python"));
    });
}

bool is_script(const std::string& argument) {
    std::string end = std::filesystem::path(argument).extension().string();
    std::ranges::transform(end, end.begin(), [](unsigned char c) { return std::tolower(c); });
    return std::ranges::find(script_ends, end) != script_ends.end();
}

// Where the program that trains stands: a script, a module behind -m, or the first argument that
// starts no other.
std::size_t program_at(const std::vector<std::string>& command) {
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (is_script(command[i])) return i;
        if (i > 0 && command[i - 1] == "-m" && command[i] != "torch.distributed.launch" &&
            command[i] != "torch.distributed.run") {
            return i;
        }
    }
    for (std::size_t i = 0; i < command.size(); ++i) {
        const bool is_setting =
            command[i].starts_with('-') || command[i].find('=') != command[i].npos;
        if (!is_setting && !starts_others(command[i])) return i;
    }
    return 0;
}

std::string option_name(const std::string& argument) {
    std::string name = argument.substr(0, argument.find('='));
    name.erase(0, name.find_first_not_of('-'));
    std::ranges::transform(name, name.begin(), [](unsigned char c) {
        return c == '_' ? '-' : static_cast<char>(std::tolower(c));
    });
    return name;
}

bool is_passing(const std::string& name) {
    return std::ranges::any_of(passing, [&](std::string_view word) { return name == word; }) ||
           std::ranges::any_of(passing_parts,
                               [&](std::string_view part) { return name.find(part) != name.npos; });
}

bool is_place(std::string_view value) {
    return value.find('/') != value.npos || value.starts_with('.') || value.starts_with('~');
}

// Characters that no name may hold become dashes.
void append_text(std::string& name, std::string_view text) {
    for (const char c : text) {
        const bool is_fine =
            std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
        name += is_fine ? c : '-';
    }
}

void append_part(std::string& name, std::string_view part) {
    name += '+';
    append_text(name, part);
}

std::string program_name(const std::string& program, const std::filesystem::path& working_dir) {
    std::filesystem::path path = program;
    // "train.py" and "main.py" are everywhere: the folder tells which.
    if (is_script(program) && path.is_relative()) path = (working_dir / path).lexically_normal();
    const std::string stem = is_script(program) ? path.stem().string() : path.filename().string();
    const std::string folder = is_script(program) ? path.parent_path().filename().string() : "";
    std::string name;
    if (!folder.empty() && folder != "." && folder != "..") append_part(name, folder);
    if (!name.empty()) name += '/';
    std::string tail;
    append_part(tail, stem.empty() ? "training" : stem);
    name += tail.substr(1);
    return name.starts_with('+') ? name.substr(1) : name;
}

// The same long text has the same end everywhere.
std::uint32_t fnv1a(std::string_view text) {
    std::uint32_t hash = 2166136261u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash;
}

// `sh -c "cd x && python train.py"`: the words of the code, of which the script is what counts.
std::vector<std::string> words_of(const std::string& code) {
    std::vector<std::string> words;
    for (const std::string_view word : split(code, ' ')) {
        if (!word.empty()) words.emplace_back(word);
    }
    return words;
}

}  // namespace

std::string proposed_task(const std::vector<std::string>& command,
                          const std::filesystem::path& working_dir) {
    const std::size_t at = program_at(command);
    if (command[at].find(' ') != std::string::npos && !is_script(command[at])) {
        const auto words = words_of(command[at]);
        if (words.size() > 1) return program_name(words[program_at(words)], working_dir);
    }
    std::string name = program_name(command[at], working_dir);
    for (std::size_t i = at + 1; i < command.size(); ++i) {
        const std::string& argument = command[i];
        const bool is_option = argument.starts_with('-');
        const auto equals = argument.find('=');
        const bool has_value = equals != argument.npos;
        const bool takes_next =
            is_option && !has_value && i + 1 < command.size() && !command[i + 1].starts_with('-');
        std::string value = has_value ? argument.substr(equals + 1) : "";
        if (takes_next) value = command[++i];
        const std::string option = is_option || has_value ? option_name(argument) : "";
        if (is_passing(option) || is_place(value)) continue;
        if (option.empty()) {
            if (!is_place(argument)) append_part(name, argument);
            continue;
        }
        append_part(name, option);
        if (value.empty()) continue;
        name += '-';
        append_text(name, value);
    }
    if (name.size() <= longest_name) return name;
    const std::string end = fmt::format("+{:08x}", fnv1a(name));
    return name.substr(0, longest_name - end.size()) + end;
}

}  // namespace epochcast
