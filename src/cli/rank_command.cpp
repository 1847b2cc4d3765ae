// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/rank_text.hpp"
#include "cli/site.hpp"
#include "cli/users.hpp"
#include "core/options.hpp"
#include "core/placement/enumeration.hpp"
#include "core/placement/resize.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr std::uint32_t most_nodes = 100'000;
constexpr std::uint32_t most_devices = 1000;

struct RankOptions {
    std::string task;
    std::optional<std::string> epochs;
    std::optional<std::string> policy;
    std::optional<std::string> deadline;
    std::optional<std::string> budget;
    std::string nodes = "1";
    std::optional<std::string> devices;
    std::optional<std::string> user;
};

// "4" or "1-8".
Result<std::vector<std::uint32_t>> parse_counts(const char* name,
                                                const std::string& text,
                                                std::uint32_t most) {
    const std::size_t dash = text.find('-');
    const std::string what = std::string(name) + " " + epochcast::quoted(text);
    const auto count = [&](const std::string& part, std::uint64_t least) {
        const bool is_range = dash != std::string::npos;
        return parse_count(is_range ? what + ":" : std::string(name), part, least, most);
    };
    const auto from = count(text.substr(0, dash), 1);
    if (!from) return from.error();
    auto to = from;
    if (dash != std::string::npos) to = count(text.substr(dash + 1), from.value());
    if (!to) return to.error();
    return counts_within(static_cast<std::uint32_t>(from.value()),
                         static_cast<std::uint32_t>(to.value()));
}

Result<Limits> parse_limits(const RankOptions& options, std::int64_t now_unix_s) {
    Limits limits;
    if (options.deadline) {
        const auto deadline = parse_deadline(*options.deadline);
        if (!deadline) return deadline.error();
        limits.deadline_s = seconds_left(deadline.value(), now_unix_s, now_unix_s);
    }
    if (options.budget) {
        const auto budget = parse_budget(*options.budget);
        if (!budget) return budget.error();
        limits.budget = budget.value();
    }
    return limits;
}

Result<void> parse_counts_of(const RankOptions& options, KnowledgeRequest& request) {
    auto nodes = parse_counts("--nodes", options.nodes, most_nodes);
    if (!nodes) return nodes.error();
    request.nodes = std::move(nodes).value();
    if (!options.devices) return {};
    auto devices = parse_counts("--devices", *options.devices, most_devices);
    if (!devices) return devices.error();
    request.devices = std::move(devices).value();
    return {};
}

Result<RankQuestion> parse_question(const RankOptions& options, const Environment& environment) {
    RankQuestion question;
    auto task = parse_task_name(options.task);
    if (!task) return task.error();
    question.request.task = std::move(task).value();
    question.request.uid = environment.uid;
    if (const auto parsed = parse_counts_of(options, question.request); !parsed) {
        return parsed.error();
    }
    if (options.epochs) {
        const auto epochs = parse_count("--epochs", *options.epochs, 1, max_epochs);
        if (!epochs) return epochs.error();
        question.epochs = epochs.value();
        question.has_epochs = true;
    }
    if (options.policy) {
        const auto policy = parse_policy(*options.policy);
        if (!policy) return policy.error();
        question.policy = policy.value();
        question.has_policy = true;
    }
    const auto limits = parse_limits(options, environment.unix_s);
    if (!limits) return limits.error();
    question.limits = limits.value();
    if (!options.user) return question;
    const auto uid = parse_user(*options.user);
    if (!uid) return uid.error();
    question.request.uid = uid.value();
    return question;
}

// The next smaller one of its class: fewer devices on as many nodes, else as many on fewer nodes.
const Candidate* smaller_than(const Candidate& placement,
                              const std::vector<Candidate>& candidates) {
    const Candidate* fewer_devices = nullptr;
    const Candidate* fewer_nodes = nullptr;
    for (const Candidate& other : candidates) {  // ascending
        if (other.class_index != placement.class_index) continue;
        if (other.nodes == placement.nodes && other.devices_per_node < placement.devices_per_node) {
            fewer_devices = &other;
        }
        if (other.nodes < placement.nodes && other.devices_per_node == placement.devices_per_node) {
            fewer_nodes = &other;
        }
    }
    return fewer_nodes != nullptr ? fewer_nodes : fewer_devices;
}

std::vector<RankAnswer> answers_to(const RankQuestion& question, const TaskKnowledge& knowledge) {
    const auto candidates = candidates_of(knowledge);
    std::vector<RankAnswer> answers;
    for (const RankedPlacement& ranked :
         rank_placements(question.policy, question.epochs, candidates, question.limits)) {
        const auto found = std::ranges::find_if(candidates, [&](const Candidate& candidate) {
            return candidate.class_index == ranked.class_index && candidate.nodes == ranked.nodes &&
                   candidate.devices_per_node == ranked.devices_per_node;
        });
        RankAnswer& answer = answers.emplace_back();
        answer.node_class = &knowledge.classes[ranked.class_index];
        answer.forecast = found->forecast;
        answer.ranked = ranked;
        const Candidate* smaller = smaller_than(*found, candidates);
        if (smaller == nullptr) continue;
        answer.smaller_nodes = smaller->nodes;
        answer.smaller_devices = smaller->devices_per_node;
        answer.gain = marginal_utility(question.policy, question.epochs, *smaller, *found);
    }
    return answers;
}

// Whether the devices that were asked for are there at all.
bool has_devices(const KnowledgeRequest& request, const TaskKnowledge& knowledge) {
    return request.devices.empty() ||
           std::ranges::any_of(knowledge.placements, [](const KnownPlacement& placement) {
               return placement.devices_per_node > 0;
           });
}

int rank(Context& context, const RankOptions& options) {
    auto question = parse_question(options, context.environment);
    if (!question) return fail(context, question.error());
    const auto site = load_site(context);
    if (!site) return fail(context, site.error());
    RankQuestion& asked = question.value();
    if (!asked.has_policy && !site.value().config.default_policy.empty()) {
        const auto policy = parse_policy(site.value().config.default_policy);
        if (policy) asked.policy = policy.value();
    }
    const auto knowledge = gather_knowledge(context, site.value(), asked.request);
    if (!knowledge) return fail(context, knowledge.error());
    const auto answers = answers_to(asked, knowledge.value());
    if (context.as_json) print_json(context, rank_json(asked, knowledge.value(), answers));
    if (!knowledge.value().has_forecast()) {
        complain(context,
                 has_devices(asked.request, knowledge.value())
                     ? no_forecast_text(knowledge.value(), asked.request.nodes.front())
                     : "the history has seen no class with as many devices per node as --devices " +
                           epochcast::quoted(*options.devices) + " asks for: leave it out");
        return exit_negative;
    }
    if (!context.as_json) context.out << rank_text(asked, knowledge.value(), answers);
    if (answers.front().ranked.unrankable != Unrankable::none) {
        complain(context,
                 "no placement has a utility under policy " + to_text(asked.policy) +
                     ": the reasons are in the table");
        return exit_negative;
    }
    if (!(answers.front().ranked.overrun > 0)) return exit_ok;
    complain(context, "no placement keeps the limits; the first one exceeds them least");
    return exit_negative;
}

}  // namespace

void add_rank(CLI::App& app, Context& context) {
    auto options = std::make_shared<RankOptions>();
    CLI::App* verb =
        app.add_subcommand("rank", "Rank the placements that a job could take, with reasons");
    verb->add_option("TASK", options->task, "Name of the task")->required();
    verb->add_option("--epochs", options->epochs, "Epochs of the job (default: 1)")->type_name("N");
    verb->add_option(
            "--policy", options->policy, "As in predict (default: default_policy, else time)")
        ->type_name("POLICY");
    verb->add_option("--deadline",
                     options->deadline,
                     "When it must have ended: +8h from now, or 2026-08-07T18:00:00Z")
        ->type_name("T");
    verb->add_option("--budget", options->budget, "What the whole job may cost, such as 12.50")
        ->type_name("MONEY");
    verb->add_option("--nodes", options->nodes, "Node counts, such as 4 or 1-8 (default: 1)")
        ->type_name("N|A-B");
    verb->add_option("--devices",
                     options->devices,
                     "Devices per node, such as 2 or 1-4 (default: as its records have)")
        ->type_name("N|A-B");
    verb->add_option("--user", options->user, "Whose task (default: yours)")->type_name("NAME|UID");
    verb->add_flag("--json", context.as_json, "Print JSON");
    verb->footer(
        "Best first. What keeps deadline and budget comes before what does not; classes with too\n"
        "little memory come last. Utility is a logarithm: 0.1 more is about 10 % better. Times\n"
        "are without waiting in the queue. Ranges of over 8 counts are tried in powers of two.\n"
        "Exit code 1: there is no forecast, or no placement keeps the limits.\n"
        "Example: epochcast rank resnet50 --epochs 90 --nodes 1-4 --deadline +8h --budget 20");
    verb->callback([&context, options] { context.exit_code = rank(context, *options); });
}

}  // namespace epochcast
