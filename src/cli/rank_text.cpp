// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/rank_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/table.hpp"
#include "cli/words.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

bool has_rank(const RankAnswer& answer) { return answer.ranked.unrankable == Unrankable::none; }

bool is_late(const RankQuestion& question, const RankAnswer& answer) {
    return has_rank(answer) && !std::isnan(question.limits.deadline_s) &&
           !(answer.ranked.criteria.time_s <= question.limits.deadline_s);
}

bool is_dear(const RankQuestion& question, const RankAnswer& answer) {
    return has_rank(answer) && !std::isnan(question.limits.budget) &&
           !(answer.ranked.criteria.cost <= question.limits.budget);
}

std::string late_text(const RankQuestion& question, const RankAnswer& answer) {
    if (question.limits.deadline_s <= 0) return "after the deadline, which has passed";
    return "after the deadline by " +
           human_duration(answer.ranked.criteria.time_s - question.limits.deadline_s);
}

std::string dear_text(const RankQuestion& question, const RankAnswer& answer) {
    if (std::isnan(answer.ranked.criteria.cost)) return "cost not known, so no budget is kept";
    return "over budget by " + number_cell(answer.ranked.criteria.cost - question.limits.budget);
}

// "2 nodes instead of 1: +0.21"
std::string gain_text(const RankAnswer& answer) {
    if (answer.smaller_nodes == 0 || !answer.gain) return {};
    const RankedPlacement& ranked = answer.ranked;
    const std::string more =
        answer.smaller_nodes == ranked.nodes
            ? fmt::format("{} instead of {}",
                          plural(ranked.devices_per_node, "device"),
                          answer.smaller_devices)
            : fmt::format("{} instead of {}", plural(ranked.nodes, "node"), answer.smaller_nodes);
    return fmt::format("{}: {:+.2f}", more, *answer.gain);
}

std::string memory_text(const RankAnswer& answer) {
    return fmt::format("too little memory: it needs {} a node, and these have {}",
                       bytes_cell(answer.forecast->epoch.peak_memory_bytes),
                       bytes_cell(answer.node_class->memory_bytes));
}

std::string reasons_text(const RankQuestion& question, const RankAnswer& answer) {
    if (answer.ranked.unrankable == Unrankable::no_memory) return memory_text(answer);
    if (answer.node_class->nodes.size() < answer.ranked.nodes) {
        return "it has " + plural(answer.node_class->nodes.size(), "node") + " only";
    }
    if (!has_rank(answer)) return to_text(answer.ranked.unrankable);
    std::string text;
    const auto append = [&](const std::string& part) {
        if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
    };
    if (is_late(question, answer)) append(late_text(question, answer));
    if (is_dear(question, answer)) append(dear_text(question, answer));
    append(gain_text(answer));
    append(plain(answer.forecast->basis, 200));
    return text;
}

std::string heading(const RankQuestion& question, const TaskKnowledge& knowledge) {
    std::string text = fmt::format("{} of {}, {}",
                                   knowledge.task.name,
                                   knowledge.task.scope,
                                   plural(question.epochs, "epoch"));
    if (!question.has_epochs) text += " (--epochs N: more)";
    text += ", policy " + to_text(question.policy);
    if (!question.has_policy) text += " (--policy P: another)";
    if (!std::isnan(question.limits.deadline_s)) {
        text += question.limits.deadline_s > 0
                    ? ", within " + human_duration(question.limits.deadline_s)
                    : ", deadline passed";
    }
    if (!std::isnan(question.limits.budget)) {
        text += ", for at most " + number_cell(question.limits.budget);
    }
    return text + "; from " + knowledge.source;
}

std::string place_text(const RankAnswer& answer) {
    std::string text =
        plural(answer.ranked.nodes, "node") + " of " + plain(answer.node_class->name);
    if (answer.ranked.devices_per_node > 0) {
        text += " with " + plural(answer.ranked.devices_per_node, "device");
        if (answer.ranked.nodes > 1) text += " each";
    }
    return text;
}

// The answer in a sentence; the first one has a utility.
std::string best_text(std::span<const RankAnswer> answers) {
    const RankAnswer& best = answers.front();
    std::string text =
        "Best: " + place_text(best) + ", " + duration_cell(best.ranked.criteria.time_s);
    if (std::isfinite(best.ranked.criteria.cost)) {
        text += " for " + number_cell(best.ranked.criteria.cost);
    }
    if (best.ranked.overrun > 0) text += ", although it exceeds a limit";
    if (answers.size() == 1 || !has_rank(answers[1])) return text + ".";
    const double behind = best.ranked.utility - answers[1].ranked.utility;
    if (answers[1].ranked.overrun > best.ranked.overrun) {
        return text + "; the next one exceeds the limits more.";
    }
    return text +
           fmt::format("; the next one, {}, is {:.2f} behind.", place_text(answers[1]), behind);
}

}  // namespace

std::string rank_text(const RankQuestion& question,
                      const TaskKnowledge& knowledge,
                      std::span<const RankAnswer> answers) {
    const bool has_devices = std::ranges::any_of(
        answers, [](const RankAnswer& answer) { return answer.ranked.devices_per_node > 0; });
    Table table;
    table.column("#");
    table.column("class", Table::Align::left);
    table.column("nodes");
    if (has_devices) table.column("devices");
    for (const char* name : {"per epoch", "whole job", "cost", "utility"}) table.column(name);
    table.column("why", Table::Align::left);
    std::size_t number = 0;
    for (const RankAnswer& answer : answers) {
        const RankedPlacement& ranked = answer.ranked;
        std::vector<std::string> cells{has_rank(answer) ? std::to_string(++number) : "-",
                                       plain(answer.node_class->name),
                                       std::to_string(ranked.nodes)};
        if (has_devices) {
            cells.push_back(ranked.devices_per_node > 0 ? std::to_string(ranked.devices_per_node)
                                                        : "-");
        }
        const double epoch_s = answer.forecast == nullptr ? absent : answer.forecast->epoch.time_s;
        cells.insert(cells.end(),
                     {duration_cell(epoch_s),
                      duration_cell(ranked.criteria.time_s),
                      number_cell(ranked.criteria.cost),
                      number_cell(ranked.utility),
                      reasons_text(question, answer)});
        table.row(std::move(cells));
    }
    std::string text;
    const auto append = [&](const std::string& paragraph) {
        for (const std::string& line : wrapped(paragraph, Table::width)) text += line + "\n";
    };
    append(heading(question, knowledge));
    text += "\n" + table.text();
    if (!has_rank(answers.front())) return text;
    text += "\n";
    append(best_text(answers));
    return text;
}

Json rank_json(const RankQuestion& question,
               const TaskKnowledge& knowledge,
               std::span<const RankAnswer> answers) {
    Json document = {{"schema", "epochcast.rank.v1"},
                     {"task", json_task(knowledge.task)},
                     {"epochs", question.has_epochs ? Json(question.epochs) : Json()},
                     {"policy", to_text(question.policy)},
                     {"deadline_s", json_number(question.limits.deadline_s)},
                     {"budget", json_number(question.limits.budget)},
                     {"source", knowledge.source},
                     {"placements", Json::array()}};
    for (const RankAnswer& answer : answers) {
        const RankedPlacement& ranked = answer.ranked;
        Json smaller;
        if (answer.smaller_nodes > 0 && answer.gain) {
            smaller = {{"nodes", answer.smaller_nodes},
                       {"devices_per_node", answer.smaller_devices},
                       {"utility_gain", json_number(*answer.gain)}};
        }
        document["placements"].push_back(
            {{"class", answer.node_class->name},
             {"nodes", ranked.nodes},
             {"devices_per_node", ranked.devices_per_node},
             {"job_time_s", json_number(ranked.criteria.time_s)},
             {"job_cost", json_number(ranked.criteria.cost)},
             {"throughput_samples_per_s", json_number(ranked.criteria.throughput)},
             {"utility", json_number(ranked.utility)},
             {"overrun", has_rank(answer) ? json_number(ranked.overrun) : Json()},
             {"is_after_deadline", is_late(question, answer)},
             {"is_over_budget", is_dear(question, answer)},
             {"instead_of", smaller},
             {"why", reasons_text(question, answer)},
             {"forecast", answer.forecast == nullptr ? Json() : json_forecast(*answer.forecast)}});
    }
    return document;
}

}  // namespace epochcast
