// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "worker/zygote.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "store/board.hpp"
#include "store/futex.hpp"
#include "store/pool_message.hpp"
#include "store/shared_memory.hpp"
#include "worker/worker_loop.hpp"

namespace epochcast::runtime {

namespace {

// Enough passes that kernels are generated and allocator caches are filled.
constexpr int warm_up_passes = 3;

void send(const PoolEvent& event) {
    while (write(pool_socket_fd, &event, sizeof event) < 0 && errno == EINTR) {
    }
}

// A fork of a process with several threads would copy locks that nobody releases.
void require_one_thread() {
    const auto tasks = std::filesystem::directory_iterator("/proc/self/task");
    const auto threads = std::distance(begin(tasks), end(tasks));
    if (threads != 1) {
        throw std::runtime_error("the zygote has " + std::to_string(threads) +
                                 " threads, and workers can be forked from one only");
    }
}

// Runs a few passes on memory of its own, with samples of one colour.
void warm_up(FlatModel& model, const ModelSpec& spec, std::uint32_t micro_batch) {
    const ModelSize size = model.size();
    std::vector<float> gradients(size.parameter_floats);
    std::vector<float> parameters(size.parameter_floats);
    std::vector<float> statistics(size.statistic_floats);
    const std::vector<std::uint8_t> image(spec.image_bytes(), 127);
    const std::vector<std::uint8_t> label(1, 0);
    const std::vector<std::uint32_t> indices(micro_batch, 0);
    for (int pass = 0; pass < warm_up_passes; ++pass) {
        const Samples samples = gather_samples(spec, image, label, indices);
        model.train(parameters, samples.images, samples.labels, 0, 1.0F, gradients, statistics);
    }
}

class Zygote {
  public:
    Zygote(const ModelSpec& spec, std::uint64_t seed, std::uint32_t micro_batch)
        : spec_(spec), model_(spec, seed), memory_(pool_memory_fd) {
        const ModelSize size = model_.size();
        parameters_.resize(size.parameter_floats);
        statistics_.resize(size.statistic_floats);
        model_.initial_state(parameters_, statistics_);
        warm_up(model_, spec, micro_batch);
        require_one_thread();
        PoolEvent ready{.kind = PoolEvent::Kind::ready};
        ready.parameters = size.parameters;
        ready.parameter_floats = size.parameter_floats;
        ready.statistic_floats = size.statistic_floats;
        send(ready);
    }

    // Serves the agent until it closes the socket; then no worker is left.
    void serve() {
        sigset_t child;
        sigemptyset(&child);
        sigaddset(&child, SIGCHLD);
        sigprocmask(SIG_BLOCK, &child, nullptr);
        const int deaths = signalfd(-1, &child, SFD_CLOEXEC);
        pollfd sources[2] = {{pool_socket_fd, POLLIN, 0}, {deaths, POLLIN, 0}};
        for (;;) {
            if (poll(sources, 2, -1) < 0) {
                continue;
            }
            if (sources[1].revents != 0) {
                signalfd_siginfo ignored;
                [[maybe_unused]] const auto bytes = read(deaths, &ignored, sizeof ignored);
                report_deaths();
            }
            if (sources[0].revents != 0 && !serve_request()) {
                break;
            }
        }
        end_workers();
    }

  private:
    // False at end of file.
    bool serve_request() {
        PoolRequest request;
        const auto bytes = read(pool_socket_fd, &request, sizeof request);
        if (bytes < 0 && errno == EINTR) {
            return true;
        }
        if (bytes != sizeof request) {
            return false;
        }
        if (request.kind == PoolRequest::Kind::map_board) {
            map_board();
        } else {
            start_worker(request.worker);
        }
        return true;
    }

    void map_board() {
        auto base = memory_.map();
        if (!base.ok()) {
            throw std::runtime_error(base.error().message);
        }
        board_.emplace(base.value());
        std::copy(parameters_.begin(), parameters_.end(), board_->parameters().begin());
        std::copy(statistics_.begin(), statistics_.end(), board_->statistics().begin());
        send({.kind = PoolEvent::Kind::mapped});
    }

    void start_worker(std::uint32_t worker) {
        const pid_t parent = getpid();
        const pid_t pid = fork();
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != parent) {
                _exit(1);
            }
            close(pool_socket_fd);
            const std::string name = "ec-worker-" + std::to_string(worker);
            prctl(PR_SET_NAME, name.c_str());
            serve_slot(model_, spec_, *board_, worker);
        }
        if (pid < 0) {
            throw std::runtime_error(std::string("cannot fork a worker: ") + std::strerror(errno));
        }
        workers_[pid] = worker;
        send({.kind = PoolEvent::Kind::started, .worker = worker, .pid = pid});
        raise(board_->header().bell);
    }

    void report_deaths() {
        int status = 0;
        for (pid_t pid = waitpid(-1, &status, WNOHANG); pid > 0;
             pid = waitpid(-1, &status, WNOHANG)) {
            const auto worker = workers_.extract(pid);
            if (worker.empty()) {
                continue;
            }
            send({.kind = PoolEvent::Kind::died,
                  .worker = worker.mapped(),
                  .pid = pid,
                  .wait_status = status});
            raise(board_->header().bell);
        }
    }

    void end_workers() {
        for (const auto& [pid, worker] : workers_) {
            kill(pid, SIGKILL);
        }
        while (waitpid(-1, nullptr, 0) > 0) {
        }
    }

    ModelSpec spec_;
    FlatModel model_;
    SharedMemory memory_;
    std::optional<Board> board_;
    std::vector<float> parameters_;  // initial, until the board is there
    std::vector<float> statistics_;
    std::map<pid_t, std::uint32_t> workers_;
};

}  // namespace

int run_zygote(const ModelSpec& spec, std::uint64_t seed, std::uint32_t micro_batch) {
    try {
        Zygote(spec, seed, micro_batch).serve();
        return 0;
    } catch (const std::exception& failure) {
        PoolEvent event{.kind = PoolEvent::Kind::failed};
        std::strncpy(event.text, failure.what(), sizeof(event.text) - 1);
        send(event);
        return 1;
    }
}

}  // namespace epochcast::runtime
