// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "job/preparation.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <sstream>
#include <utility>

#include "core/text.hpp"
#include "epoch_log/writer.hpp"

namespace epochcast::runtime {

namespace {

Result<std::uint32_t> workers_of(const TrainJob& job, std::uint32_t cpus) {
    if (job.workers == 0) {
        return cpus;
    }
    if (job.workers > cpus && !job.oversubscribe) {
        return Error{ErrorKind::environment,
                     "workers = " + std::to_string(job.workers) + ", but this task may use " +
                         std::to_string(cpus) + (cpus == 1 ? " CPU" : " CPUs") +
                         ": ask Slurm for more with --cpus-per-task (and export "
                         "SRUN_CPUS_PER_TASK), set fewer workers, or, if it is meant, "
                         "oversubscribe = true"};
    }
    return job.workers;
}

Result<ModelSpec> model_of(const TrainJob& job, const DataSet& data) {
    constexpr std::uint32_t smallest_side = 8;  // three halvings leave something
    if (job.model != "mlp" && (data.height < smallest_side || data.width < smallest_side)) {
        return Error{ErrorKind::bad_input,
                     "model " + epochcast::quoted(job.model) + " needs images of at least 8 x 8, " +
                         epochcast::quoted(data.name) + " has " + std::to_string(data.height) +
                         " x " + std::to_string(data.width)};
    }
    return ModelSpec{job.model, data.channels, data.height, data.width, data.classes};
}

// BatchNorm on one value per channel has no variance: it happens where a model shrinks images to a
// point and a micro-batch is one sample.
Result<void> check_cut(const TrainJob& job, const EpochCut& cut) {
    if (job.model == "resnet18" && cut.smallest_micro_batch() < 2) {
        return Error{ErrorKind::bad_input,
                     "model 'resnet18' needs micro-batches of at least 2 samples, but samples = " +
                         std::to_string(cut.samples) + ", batch = " + std::to_string(cut.batch) +
                         ", micro_batch = " + std::to_string(cut.micro_batch) +
                         " leave one of 1 sample: choose others"};
    }
    return {};
}

// Every key that changes the result, as "key=value" lines. Epochs may grow, and workers do not
// matter.
std::string identity_lines(const TrainJob& job, const DataSet& data) {
    std::ostringstream lines;
    lines.precision(std::numeric_limits<double>::max_digits10);
    lines << "model=" << job.model << "\ndataset=" << data.name << "\nimage=" << data.channels
          << 'x' << data.height << 'x' << data.width << "\nclasses=" << data.classes
          << "\nsamples=" << data.train.labels.size() << "\nloss=" << job.loss
          << "\noptimiser=" << job.optimiser << "\nlearning_rate=" << job.learning_rate
          << "\nmomentum=" << job.momentum << "\nbatch=" << job.batch
          << "\nmicro_batch=" << job.micro_batch << "\nseed=" << job.seed << '\n';
    return lines.str();
}

std::filesystem::path log_dir_of(const TrainJob& job, const Environment& environment) {
    if (!job.log_dir.empty()) {
        return job.log_dir;
    }
    for (const char* variable : {"EPOCHCAST_JOB_LOG", "EPOCHCAST_LOG_DIR"}) {
        const std::string folder = environment(variable);
        if (!folder.empty()) {
            return folder;
        }
    }
    return default_log_dir(environment("SLURM_SUBMIT_DIR"));
}

}  // namespace

Result<void> make_writable(const std::filesystem::path& folder) {
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    const bool is_folder = std::filesystem::is_directory(folder);
    if (is_folder && access(folder.c_str(), W_OK | X_OK) == 0) {
        return {};
    }
    const std::string reason = code ? code.message() : std::strerror(is_folder ? errno : ENOTDIR);
    return Error{
        ErrorKind::environment,
        "checkpoint folder " + quoted(folder.string(), 200) + " cannot be written: " + reason};
}

Result<Preparation> prepare(const CommandLine& line,
                            const Environment& environment,
                            const JobIdentity& identity,
                            std::uint32_t affinity_cpus) {
    Preparation ready;
    auto job = read_job_file(line.job_file, line.overrides);
    if (!job.ok()) {
        return job.error();
    }
    ready.job = std::move(job).value();
    ready.cpus = usable_cpus(environment, affinity_cpus);
    const auto workers = workers_of(ready.job, ready.cpus);
    if (!workers.ok()) {
        return workers.error();
    }
    ready.workers = workers.value();

    constexpr auto all = std::numeric_limits<std::uint64_t>::max();
    auto data =
        read_data_set(ready.job.data, ready.job.samples, ready.job.test_samples.value_or(all));
    if (!data.ok()) {
        return data.error();
    }
    ready.data = std::move(data).value();
    ready.cut = {ready.data.train.labels.size(), ready.job.batch, ready.job.micro_batch};
    const auto model = model_of(ready.job, ready.data);
    if (!model.ok()) {
        return model.error();
    }
    ready.model = model.value();
    if (auto checked = check_cut(ready.job, ready.cut); !checked.ok()) {
        return checked.error();
    }

    ready.log_dir = log_dir_of(ready.job, environment);
    if (!ready.job.checkpoint.empty()) {
        ready.checkpoint = ready.job.checkpoint / (identity.checkpoint + "." +
                                                   file_name_part(ready.job.task) + ".checkpoint");
        ready.checkpoint_identity = identity_lines(ready.job, ready.data);
    }
    return ready;
}

}  // namespace epochcast::runtime
