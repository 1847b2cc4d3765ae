// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "random_jobs.hpp"

#include <algorithm>
#include <array>

namespace random_jobs {

namespace {

constexpr std::array features = {"ib", "big", "new", "old"};
constexpr std::array gpu_types = {"a100", "v100"};

template <class Range>
std::string pick(Random& random, const Range& values) {
    return values[random.below(static_cast<std::uint32_t>(values.size()))];
}

std::string number(std::uint32_t value) { return std::to_string(value); }

std::string range_of(const NodeClass& node_class) {
    return node_class.name + "[1-" + number(node_class.nodes) + "]";
}

}  // namespace

std::uint64_t Random::next() {
    std::uint64_t mixed = (state_ += 0x9e3779b97f4a7c15u);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

Cluster::Cluster(std::uint64_t seed) {
    Random random(seed);
    const std::uint32_t count = random.from_to(6, 8);
    for (std::uint32_t i = 0; i < count; ++i) {
        NodeClass node_class;
        node_class.name = std::string(1, static_cast<char>('a' + i));
        node_class.nodes = random.from_to(2, 9);
        node_class.cpus = 1u << random.from_to(1, 5);
        node_class.memory_mb = 1000 * random.from_to(1, 16);
        node_class.weight = random.from_to(1, 4);
        node_class.features = {node_class.name};
        for (const char* feature : features)
            if (random.percent(40)) node_class.features.emplace_back(feature);
        for (const char* type : gpu_types)
            if (random.percent(40))
                node_class.gres += (node_class.gres.empty() ? "gpu:" : ",gpu:") +
                                   std::string(type) + ":" + number(random.from_to(1, 4));
        classes.push_back(node_class);
    }
}

std::string Cluster::conf_lines() const {
    std::string lines;
    std::string half;
    for (const NodeClass& node_class : classes) {
        // Addresses at which nobody listens, so that slurmctld neither waits nor asks a name
        // server.
        lines += "NodeName=" + range_of(node_class) + " NodeAddr=127.9." +
                 number(static_cast<std::uint32_t>(node_class.name[0])) + ".[1-" +
                 number(node_class.nodes) + "] Port=1 CPUs=" + number(node_class.cpus) +
                 " RealMemory=" + number(node_class.memory_mb) +
                 " Weight=" + number(node_class.weight) + " State=CLOUD Feature=";
        for (const std::string& feature : node_class.features)
            lines += (feature == node_class.name ? "" : ",") + feature;
        if (!node_class.gres.empty()) lines += " Gres=" + node_class.gres;
        lines += "\n";
        if (half.size() < classes.size() * 3)
            half += (half.empty() ? "" : ",") + range_of(node_class);
    }
    return lines + "PartitionName=train Nodes=ALL Default=YES MaxTime=1440 State=UP\n" +
           "PartitionName=half Nodes=" + half + " MaxTime=1440 State=UP\n";
}

std::string Cluster::forecast_words() const {
    Random random(classes.size() * 1000 + classes[0].nodes);
    std::string words = "partition=train:MODE partition=half:MODE";
    for (const NodeClass& node_class : classes) {
        words += " class=" + node_class.name + ":" + number(random.from_to(1, 9)) + ":";
        for (std::uint32_t i = 1; i <= node_class.nodes; ++i)
            words += (i == 1 ? "" : "+") + node_class.name + number(i);
    }
    for (int task = 0; task < 10; ++task)
        for (const NodeClass& node_class : classes)
            for (std::uint32_t nodes = 1; nodes <= 4; ++nodes)
                if (random.percent(80))
                    words += " task=t" + std::to_string(task) + ":" + node_class.name + ":" +
                             number(nodes) + ":" + number(random.from_to(10, 1000));
    return words;
}

std::string Cluster::reserved_nodes() const {
    return classes[0].name + "[1-2]," + classes[1].name + "1," + classes.back().name + "1";
}

std::string Cluster::node(Random& random) const {
    const NodeClass& node_class = classes[random.below(static_cast<std::uint32_t>(classes.size()))];
    return node_class.name + number(random.from_to(1, node_class.nodes));
}

std::string Cluster::size(Random& random) const {
    std::string words;
    if (random.percent(75)) {
        const std::uint32_t from = random.percent(60) ? 1 : random.from_to(1, 6);
        words += " nodes=" + number(from);
        if (random.percent(25)) words += "-" + number(from + random.below(4));
    }
    if (random.percent(40)) words += " tasks=" + number(random.from_to(1, 20));
    if (random.percent(30)) words += " cpus_per_task=" + number(random.from_to(1, 4));
    if (random.percent(10)) words += " tasks_per_node=" + number(random.from_to(1, 4));
    if (random.percent(30))
        words += " mem=" + number(random.from_to(1, 18) * 500);
    else if (random.percent(15))
        words += " mem_per_cpu=" + number(random.from_to(1, 10) * 100);
    return words;
}

std::string Cluster::constraints(Random& random) const {
    std::string words;
    if (random.percent(30)) {
        const std::string one = pick(random, features);
        const std::string other = pick(random, features);
        const std::array forms = {one,
                                  one + "&" + other,
                                  one + "|" + other,
                                  "[" + one + "|" + other + "]",
                                  "[" + one + "*2&" + other + "*1]",
                                  classes[0].name + "|" + classes[1].name,
                                  std::string("nosuch")};
        words += " features=" + pick(random, forms);
    }
    if (random.percent(10))
        words += " nodelist=" + node(random) + (random.percent(30) ? "," + node(random) : "");
    if (random.percent(15))
        words += " exclude=" + node(random) + "," + range_of(classes[random.below(3)]);
    if (random.percent(10)) words += " exclusive=1";
    if (random.percent(10)) words += " contiguous=1";
    if (random.percent(8)) words += " reservation=rsv";
    if (random.percent(20))
        words += random.percent(50) ? " partition=half" : " partition=half,train";
    return words;
}

std::string Cluster::gres(Random& random) const {
    if (!random.percent(30)) return "";
    const std::string type = random.percent(50) ? ":" + pick(random, gpu_types) : "";
    const std::array words = {" gres=", " gpus=", " gpus_per_node="};
    return pick(random, words) + "gpu" + type + ":" + number(random.from_to(1, 4));
}

std::string Cluster::job(Random& random, bool asks) const {
    constexpr std::array policies = {"time", "cost", "cost=0.3,time=0.7", "throughput"};
    std::string words = size(random) + constraints(random) + gres(random) +
                        " limit=" + number(random.from_to(10, 600));
    if (asks)
        words += " comment=epochcast:task=t" + number(random.below(10)) +
                 ";epochs=" + number(random.from_to(1, 50)) + ";policy=" + pick(random, policies);
    return words.substr(1);
}

}  // namespace random_jobs
