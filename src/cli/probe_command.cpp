// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <memory>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/child.hpp"
#include "cli/commands.hpp"
#include "cli/site.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "config/probe_file.hpp"
#include "core/text.hpp"
#include "meter/flop_probe.hpp"

namespace epochcast {

namespace {

constexpr const char* local_schema = "epochcast.probe_local.v1";

struct ProbeOptions {
    bool is_local = false;
    std::string seconds = "3";
    std::string wait_s = "300";
    std::vector<std::string> classes;  // empty: all
    std::string partition;             // empty: Slurm's default
};

struct Durations {
    double seconds = 3;
    std::uint64_t wait_s = 300;
};

Result<Durations> parse_durations(const ProbeOptions& options) {
    const auto seconds = parse_number("--seconds", options.seconds, 0.1, 600);
    if (!seconds) return seconds.error();
    const auto wait_s = parse_count("--wait", options.wait_s, 1, 86400);
    if (!wait_s) return wait_s.error();
    return Durations{seconds.value(), wait_s.value()};
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

int probe_here(Context& context, double seconds) {
    const FlopProbe probe = probe_flop_rate(seconds);
    if (!(probe.flop_rate > 0)) {
        return fail(context, {ErrorKind::environment, "the FLOP rate could not be measured here"});
    }
    if (context.as_json) {
        print_json(context,
                   {{"schema", local_schema},
                    {"host", host_name()},
                    {"flop_rate_flop_per_s", probe.flop_rate},
                    {"relative_spread", json_number(probe.spread)},
                    {"threads", probe.threads},
                    {"measured_s", seconds}});
    } else {
        context.out << fmt::format("{}: {} on {}, spread {:.1f} %\n",
                                   plain(host_name()),
                                   flop_cell(probe.flop_rate, "FLOP/s"),
                                   plural(probe.threads, "thread"),
                                   100 * probe.spread);
    }
    return exit_ok;
}

std::string now_text() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    std::array<char, 32> text{};
    gmtime_r(&now, &parts);
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

std::vector<std::string> srun_arguments(const Context& context,
                                        const ProbeOptions& options,
                                        const Durations& durations,
                                        const std::string& node) {
    std::vector<std::string> arguments = {
        "srun",
        "--quiet",  // errors only: the progress is ours
        "--nodes=1",
        "--ntasks=1",
        "--nodelist=" + node,
        "--exclusive",  // the whole node, so that the rate is that of an idle one
        "--job-name=epochcast-probe",
        fmt::format("--time={}", 2 + static_cast<int>(durations.seconds / 60)),
        fmt::format("--immediate={}", durations.wait_s)};
    if (!options.partition.empty()) arguments.push_back("--partition=" + options.partition);
    const std::vector<std::string> probe = {
        context.environment.executable, "probe", "--local", "--json", "--seconds", options.seconds};
    arguments.insert(arguments.end(), probe.begin(), probe.end());
    return arguments;
}

// What `epochcast probe --local --json` printed on the node.
Result<ProbedRate> parse_local(const std::string& text) {
    const Json document = Json::parse(text, nullptr, false);
    const bool is_probe = document.is_object() && document.value("schema", Json()) == local_schema;
    const Json rate = is_probe ? document.value("flop_rate_flop_per_s", Json()) : Json();
    if (!rate.is_number() || !(rate.get<double>() > 0) || !std::isfinite(rate.get<double>())) {
        return Error{ErrorKind::bad_input, "it printed " + epochcast::quoted(text, 100)};
    }
    ProbedRate probed;
    probed.flop_rate = rate.get<double>();
    const Json threads = document.value("threads", Json());
    if (threads.is_number_unsigned()) probed.threads = threads.get<std::uint32_t>();
    return probed;
}

Result<ProbedRate> probe_node(const Context& context,
                              const ProbeOptions& options,
                              const Durations& durations,
                              const std::string& node) {
    const auto failed = [&](const std::string& why) {
        return Error{ErrorKind::environment, "probing node " + node + " failed: " + why};
    };
    const auto output =
        run_child(srun_arguments(context, options, durations, node), environment_outside_jobs());
    if (!output) return failed(output.error().message + "; is Slurm's client installed?");
    if (output.value().exit_code != 0) {
        return failed(
            fmt::format("srun ended with exit code {} (its message is above; a busy node "
                        "is waited for {} s, see --wait)",
                        output.value().exit_code,
                        durations.wait_s));
    }
    auto probed = parse_local(output.value().text);
    if (!probed) return failed(probed.error().message);
    probed.value().node = node;
    probed.value().measured_at = now_text();
    return probed;
}

// The rate of the first node of the class that can be probed; a down node must not stop it.
Result<ProbedRate> probe_class(Context& context,
                               const ProbeOptions& options,
                               const Durations& durations,
                               const NodeClass& node_class) {
    constexpr std::size_t most_nodes = 3;
    std::string reasons;
    for (std::size_t i = 0; i < std::min(most_nodes, node_class.nodes.size()); ++i) {
        const std::string& node = node_class.nodes[i];
        complain(context, "probing class " + node_class.name + " on " + node + " ...");
        auto probed = probe_node(context, options, durations, node);
        if (probed) {
            probed.value().node_class = node_class.name;
            return probed;
        }
        reasons += (reasons.empty() ? "" : "; ") + probed.error().message;
    }
    return Error{ErrorKind::environment, "class " + node_class.name + ": " + reasons};
}

Result<std::vector<NodeClass>> chosen_classes(const Site& site, const ProbeOptions& options) {
    if (options.classes.empty()) return site.classes;
    std::vector<NodeClass> chosen;
    for (const std::string& name : options.classes) {
        const auto found = std::ranges::find(site.classes, name, &NodeClass::name);
        if (found != site.classes.end()) {
            chosen.push_back(*found);
            continue;
        }
        std::string known;
        for (const NodeClass& node_class : site.classes) known += " " + node_class.name;
        return Error{
            ErrorKind::usage,
            "class " + epochcast::quoted(name) + " is not configured; configured are:" + known};
    }
    return chosen;
}

// Keeps the rates of classes that were not probed this time.
Result<void> store(const Config& config, const std::vector<ProbedRate>& probed) {
    auto rates = read_probe_file(config.probe_file);
    if (!rates) return rates.error();
    for (const ProbedRate& rate : probed) {
        std::erase_if(rates.value(),
                      [&](const ProbedRate& old) { return old.node_class == rate.node_class; });
        rates.value().push_back(rate);
    }
    return write_probe_file(config.probe_file, rates.value());
}

void print_probed(Context& context, const Config& config, const std::vector<ProbedRate>& probed) {
    if (context.as_json) {
        Json document = {{"schema", "epochcast.probe.v1"},
                         {"probe_file", config.probe_file.string()},
                         {"classes", Json::array()}};
        for (const ProbedRate& rate : probed) {
            document["classes"].push_back({{"class", rate.node_class},
                                           {"flop_rate_flop_per_s", rate.flop_rate},
                                           {"node", rate.node},
                                           {"threads", rate.threads},
                                           {"measured_at", rate.measured_at}});
        }
        print_json(context, document);
        return;
    }
    Table table;
    table.column("class", Table::Align::left);
    table.column("FLOP rate");
    table.column("relative");
    table.column("threads");
    table.column("node", Table::Align::left);
    double fastest = 0;
    for (const ProbedRate& rate : probed) fastest = std::max(fastest, rate.flop_rate);
    for (const ProbedRate& rate : probed) {
        table.row({rate.node_class,
                   flop_cell(rate.flop_rate, "FLOP/s"),
                   fmt::format("{:.0f} %", 100 * rate.flop_rate / fastest),
                   std::to_string(rate.threads),
                   rate.node});
    }
    context.out << table.text() << "\nstored in " << config.probe_file.string() << "\n";
}

int probe_site(Context& context, const ProbeOptions& options, const Durations& durations) {
    const auto site = load_site_with_classes(context);
    if (!site) return fail(context, site.error());
    const auto classes = chosen_classes(site.value(), options);
    if (!classes) return fail(context, classes.error());
    std::vector<ProbedRate> probed;
    int code = exit_ok;
    for (const NodeClass& node_class : classes.value()) {
        auto rate = probe_class(context, options, durations, node_class);
        if (!rate) {
            code = fail(context, rate.error());
            continue;
        }
        probed.push_back(std::move(rate).value());
        // After each class, so that an interrupt loses nothing that was measured.
        const auto stored = store(site.value().config, probed);
        if (!stored) return fail(context, stored.error());
    }
    if (!probed.empty()) print_probed(context, site.value().config, probed);
    return code;
}

int probe(Context& context, const ProbeOptions& options) {
    const auto durations = parse_durations(options);
    if (!durations) return fail(context, durations.error());
    if (options.is_local) return probe_here(context, durations.value().seconds);
    return probe_site(context, options, durations.value());
}

}  // namespace

void add_probe(CLI::App& app, Context& context) {
    auto options = std::make_shared<ProbeOptions>();
    CLI::App* probe_verb =
        app.add_subcommand("probe", "Measure the FLOP rate of one idle node of each class");
    probe_verb->add_flag("--local", options->is_local, "Measure this machine only; store nothing");
    probe_verb
        ->add_option(
            "--seconds", options->seconds, "Length of one measurement, 0.1 to 600 (default: 3)")
        ->type_name("S");
    probe_verb
        ->add_option("--wait",
                     options->wait_s,
                     "How long to wait for a busy node, 1 to 86400 s (default: 300)")
        ->type_name("S");
    probe_verb
        ->add_option(
            "--class", options->classes, "Probe this class only (may be repeated; default: all)")
        ->type_name("NAME");
    probe_verb->add_option("--partition", options->partition, "Slurm partition (default: Slurm's)")
        ->type_name("NAME");
    probe_verb->add_flag("--json", context.as_json, "Print JSON");
    probe_verb->footer(
        "Runs `srun --exclusive` on the first node of each class, one class after another, and\n"
        "stores the rates in probe_file. A flop_rate in the configuration has precedence.\n"
        "Exit code 4: a class could not be probed; the others are stored.");
    probe_verb->callback([&context, options] { context.exit_code = probe(context, *options); });
}

}  // namespace epochcast
