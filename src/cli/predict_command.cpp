// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/site.hpp"
#include "cli/table.hpp"
#include "cli/task_knowledge.hpp"
#include "cli/users.hpp"
#include "cli/words.hpp"
#include "core/options.hpp"
#include "core/placement/ranking.hpp"
#include "core/text.hpp"

namespace epochcast {

namespace {

// The options as given; numbers are parsed by us so that messages name what is allowed.
struct PredictOptions {
    std::string task;
    std::optional<std::string> epochs;
    std::string nodes = "1";
    std::optional<std::string> policy;
    std::optional<std::string> user;
};

struct Question {
    std::string task;
    std::uint64_t epochs = 1;
    bool has_epochs = false;
    std::uint32_t nodes = 1;
    std::optional<Policy> policy;
    std::uint32_t uid = 0;
};

// One row: a class, its forecast if there is one, and its rank.
struct Answer {
    const NodeClass* node_class = nullptr;
    const Forecast* forecast = nullptr;
    RankedPlacement ranked;
};

Result<Question> parse_question(const PredictOptions& options, std::uint32_t own_uid) {
    Question question;
    auto task = parse_task_name(options.task);
    if (!task) return task.error();
    question.task = std::move(task).value();
    const auto nodes = parse_count("--nodes", options.nodes, 1, 100'000);
    if (!nodes) return nodes.error();
    question.nodes = static_cast<std::uint32_t>(nodes.value());
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
    }
    question.uid = own_uid;
    if (options.user) {
        const auto uid = parse_user(*options.user);
        if (!uid) return uid.error();
        question.uid = uid.value();
    }
    return question;
}

// Best first under the policy; without one in the order of the configuration.
std::vector<Answer> answers_to(const Question& question, const TaskKnowledge& knowledge) {
    const auto candidates = candidates_of(knowledge);  // one per class, in order
    const Policy policy = question.policy.value_or(Policy{0, 1, 0});
    auto ranked = rank_placements(policy, question.epochs, candidates);
    if (!question.policy) {
        std::ranges::sort(ranked, {}, &RankedPlacement::class_index);
    }
    std::vector<Answer> answers;
    answers.reserve(ranked.size());
    for (const RankedPlacement& placement : ranked) {
        answers.push_back({&knowledge.classes[placement.class_index],
                           candidates[placement.class_index].forecast,
                           placement});
    }
    return answers;
}

std::string question_text(const Question& question, const TaskKnowledge& knowledge) {
    std::string text = fmt::format("{} of {}", knowledge.task.name, knowledge.task.scope);
    text += ", " + plural(question.epochs, "epoch");
    if (!question.has_epochs) text += " (--epochs N: more)";
    text += ", " + plural(question.nodes, "node");
    if (question.policy) text += ", policy " + to_text(*question.policy);
    return text + "; from " + knowledge.source;
}

std::string answers_text(const Question& question, std::span<const Answer> answers) {
    Table table;
    if (question.policy) table.column("#");
    table.column("class", Table::Align::left);
    table.column("per epoch");
    table.column("90 % interval");
    table.column("mean of all");
    table.column("whole job");
    table.column("cost");
    if (question.policy) table.column("utility");
    table.column("basis", Table::Align::left);
    std::size_t rank = 0;
    for (const Answer& answer : answers) {
        const bool has_rank = answer.ranked.unrankable == Unrankable::none;
        const Forecast nothing;
        const Forecast& forecast = answer.forecast == nullptr ? nothing : *answer.forecast;
        std::vector<std::string> cells;
        if (question.policy) cells.push_back(has_rank ? std::to_string(++rank) : "-");
        cells.insert(cells.end(),
                     {plain(answer.node_class->name),
                      duration_cell(forecast.epoch.time_s),
                      interval_cell(forecast.epoch_low_s, forecast.epoch_high_s),
                      duration_cell(forecast.mean_all.time_s),
                      duration_cell(answer.ranked.criteria.time_s),
                      number_cell(answer.ranked.criteria.cost)});
        if (question.policy) cells.push_back(number_cell(answer.ranked.utility));
        std::string basis = plain(forecast.basis, 200);
        if (!has_rank)
            basis += (basis.empty() ? "" : "; ") + std::string(to_text(answer.ranked.unrankable));
        cells.push_back(basis);
        table.row(std::move(cells));
    }
    return table.text();
}

Json answers_json(const Question& question,
                  const TaskKnowledge& knowledge,
                  std::span<const Answer> answers) {
    Json document = {{"schema", "epochcast.predict.v1"},
                     {"task", json_task(knowledge.task)},
                     {"epochs", question.has_epochs ? Json(question.epochs) : Json()},
                     {"nodes", question.nodes},
                     {"policy", question.policy ? Json(to_text(*question.policy)) : Json()},
                     {"source", knowledge.source},
                     {"classes", Json::array()}};
    for (const Answer& answer : answers) {
        const bool has_rank = answer.ranked.unrankable == Unrankable::none;
        Json row = {{"class", answer.node_class->name},
                    {"price_per_node_hour", json_number(price_of_node(*answer.node_class, 0))},
                    {"job_time_s", json_number(answer.ranked.criteria.time_s)},
                    {"job_cost", json_number(answer.ranked.criteria.cost)}};
        if (question.policy) {
            row["utility"] = json_number(answer.ranked.utility);
            row["reason"] = has_rank ? Json() : Json(to_text(answer.ranked.unrankable));
        }
        row["forecast"] = answer.forecast == nullptr ? Json() : json_forecast(*answer.forecast);
        document["classes"].push_back(std::move(row));
    }
    return document;
}

int predict(Context& context, const PredictOptions& options) {
    const auto question = parse_question(options, context.environment.uid);
    if (!question) return fail(context, question.error());
    const auto site = load_site(context);
    if (!site) return fail(context, site.error());
    const Question& asked = question.value();
    const auto knowledge =
        gather_knowledge(context, site.value(), {asked.task, asked.uid, {asked.nodes}, {}});
    if (!knowledge) return fail(context, knowledge.error());
    const auto answers = answers_to(asked, knowledge.value());
    if (context.as_json) print_json(context, answers_json(asked, knowledge.value(), answers));
    if (!knowledge.value().has_forecast()) {
        complain(context, no_forecast_text(knowledge.value(), asked.nodes));
        return exit_negative;
    }
    if (!context.as_json) {
        context.out << question_text(asked, knowledge.value()) << "\n\n"
                    << answers_text(asked, answers);
    }
    return exit_ok;
}

}  // namespace

void add_predict(CLI::App& app, Context& context) {
    auto options = std::make_shared<PredictOptions>();
    CLI::App* predict_verb =
        app.add_subcommand("predict", "Forecast time and cost of a task on each node class");
    predict_verb->add_option("TASK", options->task, "Name of the task")->required();
    predict_verb->add_option("--epochs", options->epochs, "Epochs of the job (default: 1)")
        ->type_name("N");
    predict_verb->add_option("--nodes", options->nodes, "Nodes of the job (default: 1)")
        ->type_name("N");
    predict_verb
        ->add_option("--policy",
                     options->policy,
                     "Rank by cost, time, throughput or a mix: cost=0.7,time=0.3")
        ->type_name("POLICY");
    predict_verb->add_option("--user", options->user, "Whose task (default: yours)")
        ->type_name("NAME|UID");
    predict_verb->add_flag("--json", context.as_json, "Print JSON");
    predict_verb->footer(
        "Cost is price_per_node_hour x nodes x hours, in the site's money. Utility is a "
        "logarithm:\n"
        "0.1 more is about 10 % better. The basis says what a forecast rests on.\n"
        "Forecasts leave out warm-up, resumed, partial and absurd epochs; 'mean of all' does not.\n"
        "Exit code 1: there is no forecast.\n"
        "Example: epochcast predict resnet50 --epochs 90 --policy cost");
    predict_verb->callback([&context, options] { context.exit_code = predict(context, *options); });
}

}  // namespace epochcast
