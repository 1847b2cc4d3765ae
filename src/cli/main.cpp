// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>

#include <unistd.h>

#include "cli/commands.hpp"

namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

epochcast::Environment environment_now() {
    using std::chrono::system_clock;
    epochcast::Environment environment;
    environment.xdg_config_home = variable("XDG_CONFIG_HOME");
    environment.home = variable("HOME");
    environment.epochcast_config = variable("EPOCHCAST_CONFIG");
    std::error_code failure;
    environment.executable = std::filesystem::read_symlink("/proc/self/exe", failure).string();
    environment.uid = ::getuid();
    environment.unix_s = system_clock::to_time_t(system_clock::now());
    environment.is_terminal = ::isatty(STDERR_FILENO) == 1;
    return environment;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        epochcast::Context context{std::cout, std::cerr, environment_now(), {}, false, 0};
        return epochcast::run_epochcast(argc, argv, context);
    } catch (const std::exception& error) {
        std::cerr << "epochcast: internal error: " << error.what()
                  << "; please report it with the command that you gave\n";
        return 4;
    }
}
