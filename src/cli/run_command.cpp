// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/run_recorder.hpp"
#include "cli/site.hpp"
#include "cli/task_proposal.hpp"
#include "cli/watched_program.hpp"
#include "cli/words.hpp"
#include "core/option_sources.hpp"
#include "core/text.hpp"
#include "core/version.hpp"

extern char** environ;

namespace epochcast {

namespace {

struct RunOptions {
    std::string task, epochs, framework, model, data, batch, samples, log;
    std::string steps_per_epoch, tokens_per_epoch;
};

constexpr std::uint64_t most_units = 1'000'000'000'000'000;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

Result<Options> given_options(const RunOptions& given) {
    Options options;
    std::error_code ignored;  // without a working directory the path stays, and is refused below
    const std::string log =
        given.log.empty()
            ? ""
            : std::filesystem::absolute(given.log, ignored).lexically_normal().string();
    const std::pair<const char*, const std::string&> all[] = {{"task", given.task},
                                                              {"epochs", given.epochs},
                                                              {"framework", given.framework},
                                                              {"model", given.model},
                                                              {"data", given.data},
                                                              {"batch", given.batch},
                                                              {"samples", given.samples},
                                                              {"log", log}};
    for (const auto& [key, value] : all) {
        if (value.empty()) continue;
        const auto set = set_option(options, key, value);
        if (!set) return set.error();
    }
    return options;
}

// What job_submit wrote down for this job. One that is malformed is told of and left out.
void fill_from_job(Context& context, Options& options) {
    Options of_job;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const auto read = read_job_entry(of_job, *entry);
        if (!read) complain(context, read.error().message);
    }
    fill_unset(options, of_job);
}

Result<EpochUnit> unit_of(const RunOptions& given) {
    EpochUnit unit;
    const auto read = [](const char* name,
                         const std::string& text,
                         std::optional<std::uint64_t>& value) -> Result<void> {
        if (text.empty()) return {};
        const auto count = parse_count(name, text, 1, most_units);
        if (!count) return count.error();
        value = count.value();
        return {};
    };
    auto done = read("--steps-per-epoch", given.steps_per_epoch, unit.steps);
    if (done) done = read("--tokens-per-epoch", given.tokens_per_epoch, unit.tokens);
    if (!done) return done.error();
    if (unit.steps && unit.tokens) {
        return Error{ErrorKind::usage,
                     "an epoch is so many steps or so many tokens: give one of "
                     "--steps-per-epoch and --tokens-per-epoch"};
    }
    return unit;
}

// Of several processes that one launcher started, the first records.
bool is_first_process() {
    const char* names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
    for (const char* name : names) {
        if (const std::string rank = variable(name); !rank.empty()) return rank == "0";
    }
    const bool is_step = !variable("SLURM_STEP_ID").empty();
    const std::string rank = variable("SLURM_PROCID");
    return !is_step || rank.empty() || rank == "0";
}

std::uint32_t usable_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0
               ? static_cast<std::uint32_t>(CPU_COUNT(&set))
               : 1;
}

// A task's name as part of a file's name.
std::string file_name_part(std::string task) {
    for (char& c : task) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '-') c = '_';
    }
    return task.substr(0, 120);
}

std::string host_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "localhost";
}

LogHeader header_of(const Options& options,
                    const JobIdentity& identity,
                    std::uint32_t uid,
                    std::uint64_t start_ns) {
    LogHeader header;
    header.cluster = identity.cluster;
    header.job_id = identity.job_id;
    header.model_job = file_name_part(*options.task);
    header.uid = uid;
    header.task = {user_scope(uid), *options.task};
    header.attributes.framework = options.framework.value_or("");
    header.attributes.model = options.model.value_or("");
    header.attributes.dataset = options.data.value_or("");
    header.attributes.samples_per_epoch = options.samples;
    header.attributes.total_batch = options.batch;
    header.declared_epochs = options.epochs;
    header.start_ns = start_ns;
    header.nodes = {{identity.host, usable_cpus(), 1}};
    header.writer = std::string("epochcast run ") + package_version;
    if (identity.nodes > 1) {
        header.note =
            fmt::format("measured on {} only, one of {} nodes", identity.host, identity.nodes);
    }
    return header;
}

// The folder of logs. A configuration that cannot be read is told of; the program runs all the
// same.
std::filesystem::path log_dir_of(Context& context, const Options& options) {
    if (options.log) return *options.log;
    if (const std::string dir = variable("EPOCHCAST_LOG_DIR"); !dir.empty()) return dir;
    const auto config = load_config(context);
    if (!config) complain(context, config.error().message);
    if (config && !config.value().log_dir.empty()) return config.value().log_dir;
    return default_log_dir(variable("SLURM_SUBMIT_DIR")).lexically_normal();
}

// A pipe makes most programs hold their lines back, Python's among them: epochs would come late and
// in heaps.
void ask_for_prompt_lines() { ::setenv("PYTHONUNBUFFERED", "1", 0); }

int record(Context& context, const Options& options, const EpochUnit& unit, bool is_proposed) {
    using namespace std::chrono;
    const auto start_ns = static_cast<std::uint64_t>(
        duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count());
    const JobIdentity identity =
        job_identity(variable, host_name(), ::getpid(), start_ns / 1'000'000'000);
    ask_for_prompt_lines();
    RunRecorder recorder({header_of(options, identity, context.environment.uid, start_ns),
                          log_dir_of(context, options),
                          unit,
                          identity.nodes == 1,
                          identity.restarts > 0},
                         [&](const std::string& trouble) { complain(context, trouble); });
    const auto code = watch_program(
        context.command,
        {[&](std::size_t stream, std::string_view bytes) { recorder.output(stream, bytes); },
         [&](int pid) { recorder.tick(pid); }});
    if (!code) {
        fail(context, code.error());
        return exit_own_failure;
    }
    const std::string outcome = recorder.finish(code.value(), is_proposed);
    if (!outcome.empty()) complain(context, outcome);
    return code.value();
}

int run(Context& context, const RunOptions& given) {
    if (context.command.empty()) {
        complain(context, "the command is missing: epochcast run [options] -- COMMAND...");
        return exit_own_failure;
    }
    auto options = given_options(given);
    const auto unit = unit_of(given);
    if (!options || !unit) {
        fail(context, options ? unit.error() : options.error());
        return exit_own_failure;
    }
    if (!is_first_process()) return become_program(context.command);
    fill_from_job(context, options.value());
    const bool is_proposed = !options.value().task;
    if (is_proposed) {
        std::error_code ignored;
        options.value().task =
            proposed_task(context.command, std::filesystem::current_path(ignored));
    }
    return record(context, options.value(), unit.value(), is_proposed);
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* verb = app.add_subcommand(
        "run", "Run a training program and record its epochs: epochcast run -- COMMAND...");
    const auto add = [&](const char* name, const char* type, std::string& value, const char* help) {
        verb->add_option(name, value, help)->type_name(type);
    };
    add("--task", "NAME", options->task, "Name of the task (default: made of the command)");
    add("--epochs", "N", options->epochs, "Epochs that it trains (default: not stated)");
    add("--steps-per-epoch", "N", options->steps_per_epoch, "An epoch is N steps");
    add("--tokens-per-epoch", "N", options->tokens_per_epoch, "An epoch is N tokens");
    add("--framework", "NAME", options->framework, "Framework that trains, such as pytorch");
    add("--model", "NAME", options->model, "Model that is trained");
    add("--data", "NAME", options->data, "Data set that is trained on");
    add("--batch", "N", options->batch, "Samples per optimiser step of the whole job");
    add("--samples", "N", options->samples, "Samples per epoch");
    add("--log", "DIR", options->log, "Folder of epoch logs (default: ./epochcast-logs)");
    verb->footer(
        "Output, input, signals and exit code of the command pass through. Epochs are recognised\n"
        "in its output (PyTorch scripts, Keras, Lightning, Hugging Face, fairseq, YOLO, mmseg and\n"
        "others); where only steps are printed (Megatron, nanoGPT, detectron2), say what an epoch\n"
        "is. In a Slurm job the options of #EPOCHCAST lines count where none is given here, and\n"
        "of several tasks of a step the first records. PYTHONUNBUFFERED=1 is set unless it is.\n"
        "Exit code: the command's; 128+n: signal n ended it; 125: epochcast failed, 126, 127: the\n"
        "command cannot be run.\n"
        "Example: epochcast run --task resnet50 --epochs 90 -- python train.py --lr 0.1");
    verb->callback([&context, options] { context.exit_code = run(context, *options); });
}

}  // namespace epochcast
