// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

// epochcast-train: trains one model on the nodes of a Slurm job, or on this machine. MPI begins and
// ends here.

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>

#include "agent/agent.hpp"
#include "agent/collective.hpp"
#include "core/version.hpp"
#include "job/command_line.hpp"
#include "job/launch.hpp"

namespace {

using namespace epochcast;
using namespace epochcast::runtime;

// MPI from begin() to destruction, if begin() was called.
class MpiLife {
  public:
    MpiLife() = default;
    MpiLife(const MpiLife&) = delete;
    MpiLife& operator=(const MpiLife&) = delete;
    ~MpiLife() {
        if (has_begun_) {
            MPI_Finalize();
        }
    }
    void begin() {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
        has_begun_ = true;
    }

  private:
    bool has_begun_ = false;
};

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// Several tasks of a job end in the same way; the first one says it.
bool is_first_task(const Launch& launch) {
    const std::string task = variable("SLURM_PROCID");
    return launch.rank == 0 && (task.empty() || task == "0");
}

int refuse(const Error& error, const Launch& launch) {
    if (is_first_task(launch)) {
        std::fprintf(stderr, "epochcast-train: %s\n", error.message.c_str());
    }
    return exit_code(error.kind);
}

int run(int argc, char** argv) {
    const auto launch = detect_launch(variable);
    const Launch known = launch.ok() ? launch.value() : Launch{};
    const auto line =
        parse_command_line(std::span<const char* const>(argv, argv + argc).subspan(1));
    if (!line.ok()) {
        return refuse(line.error(), known);
    }
    if (line.value().help || line.value().version) {
        if (is_first_task(known)) {
            const std::string text = line.value().help
                                         ? help_text()
                                         : std::string("epochcast-train ") + package_version + "\n";
            std::fputs(text.c_str(), stdout);
        }
        return 0;
    }
    if (!launch.ok()) {
        return refuse(launch.error(), known);
    }
    MpiLife mpi;
    return run_agent(line.value(), known, variable, [&]() -> std::unique_ptr<Collective> {
        if (!known.uses_mpi) {
            return local_collective();
        }
        mpi.begin();
        return mpi_collective();
    });
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {  // out of memory; nothing of ours throws
        std::fprintf(stderr, "epochcast-train: stopped: %s\n", error.what());
        return exit_code(ErrorKind::environment);
    }
}
