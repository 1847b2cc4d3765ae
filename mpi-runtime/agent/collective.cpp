// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "agent/collective.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace epochcast::runtime {

namespace {

class LocalCollective : public Collective {
  public:
    std::uint32_t rank() const override { return 0; }
    std::uint32_t size() const override { return 1; }
    void gather_all(std::span<const std::byte> mine,
                    std::span<std::byte> all,
                    std::span<const std::size_t>,
                    std::size_t) override {
        std::copy(mine.begin(), mine.end(), all.begin());
    }
    void broadcast(std::span<std::byte>) override {}
};

// A rank's outcome, small enough to send always.
struct Outcome {
    std::uint32_t failed = 0;
    ErrorKind kind = ErrorKind::environment;
    std::array<char, 1016> message{};
};

}  // namespace

std::unique_ptr<Collective> local_collective() { return std::make_unique<LocalCollective>(); }

Result<void> agree(Collective& collective, const Result<void>& mine, const std::string& host) {
    if (collective.size() == 1) {
        return mine;
    }
    Outcome outcome;
    if (!mine.ok()) {
        outcome.failed = 1;
        outcome.kind = mine.error().kind;
        std::strncpy(
            outcome.message.data(), mine.error().message.c_str(), outcome.message.size() - 1);
    }
    const auto all = collective.gather_values(outcome);
    const auto has_failed = [](const Outcome& one) { return one.failed != 0; };
    const auto failed = std::ranges::find_if(all, has_failed);
    if (failed == all.end()) {
        return {};
    }
    // Named only where it helps: a wrong job file is wrong everywhere.
    std::array<char, 64> name{};
    std::strncpy(name.data(), host.c_str(), name.size() - 1);
    const auto hosts = collective.gather_values(name);
    const std::string message = failed->message.data();
    if (std::ranges::all_of(all, has_failed)) {
        return Error{failed->kind, message};
    }
    const auto& where = hosts[static_cast<std::size_t>(failed - all.begin())];
    return Error{failed->kind, "node " + std::string(where.data()) + ": " + message};
}

}  // namespace epochcast::runtime
