// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/words.hpp"
#include "core/utility/policy.hpp"

namespace epochcast {

namespace {

// The text, and below it marks under what is wrong; only for text that shows as it is.
std::string marked(const std::string& text, const PolicyProblem& problem) {
    if (plain(text, 90) != text) return {};
    const std::string marks(std::max<std::size_t>(problem.length, 1), '^');
    return "  " + text + "\n  " + std::string(problem.at, ' ') + marks + "\n";
}

int refuse(Context& context, const std::string& text, const PolicyProblem& problem) {
    complain(context, problem.message);
    if (context.as_json) {
        print_json(context,
                   {{"schema", "epochcast.policy_check.v1"},
                    {"policy", nullptr},
                    {"error", problem.message},
                    {"error_at_byte", problem.at},
                    {"error_bytes", problem.length}});
    } else if (problem.length < text.size()) {
        context.err << marked(text, problem);
    }
    return exit_code(ErrorKind::usage);
}

int check(Context& context, const std::string& text) {
    if (const auto problem = policy_problem(text)) return refuse(context, text, *problem);
    const Policy weights = parse_policy(text).value();
    if (context.as_json) {
        print_json(context,
                   {{"schema", "epochcast.policy_check.v1"},
                    {"policy", to_text(weights)},
                    {"cost_weight", weights.cost},
                    {"time_weight", weights.time},
                    {"throughput_weight", weights.throughput}});
    } else {
        context.out << "policy " << to_text(weights) << ": weight of cost " << weights.cost
                    << ", time " << weights.time << ", throughput " << weights.throughput << "\n";
    }
    return exit_ok;
}

}  // namespace

void add_policy(CLI::App& app, Context& context) {
    auto text = std::make_shared<std::string>();
    CLI::App* policy = app.add_subcommand("policy", "Check the text of a policy");
    policy->require_subcommand(1);
    CLI::App* check_verb =
        policy->add_subcommand("check", "Say what a policy text means, or what is wrong with it");
    check_verb->add_option("POLICY", *text, "cost, time, throughput, or a mix: cost=0.7,time=0.3")
        ->required();
    check_verb->add_flag("--json", context.as_json, "Print JSON");
    check_verb->footer("Exit code 2: it is not a policy.");
    check_verb->callback([&context, text] { context.exit_code = check(context, *text); });
}

}  // namespace epochcast
