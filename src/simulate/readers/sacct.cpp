// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "simulate/readers/sacct.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "simulate/readers/slurm_time.hpp"

namespace epochcast::simulate {

namespace {

constexpr std::size_t most_complaints = 20;
constexpr double most_devices = 1e7;

// The states of sacct's manual, those of jobs that are not over apart.
constexpr std::array over = {"BOOT_FAIL",
                             "CANCELLED",
                             "COMPLETED",
                             "DEADLINE",
                             "FAILED",
                             "NODE_FAIL",
                             "OUT_OF_MEMORY",
                             "PREEMPTED",
                             "REVOKED",
                             "TIMEOUT",
                             "REQUEUED"};
constexpr std::array going_on = {
    "PENDING", "RUNNING", "SUSPENDED", "RESIZING", "COMPLETING", "CONFIGURING", "STOPPED"};

using Row = std::vector<std::string_view>;

Row cut(std::string_view line, std::string_view delimiter) {
    Row row;
    while (true) {
        const std::size_t at = line.find(delimiter);
        row.push_back(trimmed(line.substr(0, at)));
        if (at == std::string_view::npos) return row;
        line.remove_prefix(at + delimiter.size());
    }
}

Error bad(std::string message) { return Error{ErrorKind::bad_input, std::move(message)}; }

enum class Fate { job, step, not_ended, never_ran };

// One row's columns by name; a field that the output does not have is empty.
class Fields {
  public:
    Fields(const Row& row, const std::map<std::string, std::size_t>& columns)
        : row_(row), columns_(columns) {}

    std::string_view operator[](const char* name) const {
        const auto found = columns_.find(name);
        return found == columns_.end() || found->second >= row_.size() ? std::string_view()
                                                                       : row_[found->second];
    }

    Result<std::optional<double>> time(const char* name) const {
        return parse_slurm_time(name, (*this)[name]);
    }
    Result<std::optional<double>> duration(const char* name) const {
        return parse_slurm_duration(name, (*this)[name]);
    }

  private:
    const Row& row_;
    const std::map<std::string, std::size_t>& columns_;
};

// "gres/gpu:a100=2" and "gres/gpu=2" name the same two GPUs; the sum of the typed entries counts,
// and the plain one where none has a type.
Result<void> read_gpus(std::string_view tres, SacctJob& job) {
    constexpr std::string_view plain = "gres/gpu=";
    constexpr std::string_view typed = "gres/gpu:";
    double sum = 0;
    double of_any_type = 0;
    for (const std::string_view entry : split(tres, ',')) {
        const bool is_typed = entry.starts_with(typed);
        if (!is_typed && !entry.starts_with(plain)) continue;
        const std::size_t equals = entry.find('=');
        if (equals == std::string_view::npos) {
            return bad("AllocTRES entry " + quoted(entry) + " has no count");
        }
        const auto count = parse_number("AllocTRES", entry.substr(equals + 1), 0, most_devices);
        if (!count) return bad(count.error().message);
        if (!is_typed) {
            of_any_type += count.value();
            continue;
        }
        sum += count.value();
        if (job.gpu_type.empty()) {
            job.gpu_type = entry.substr(typed.size(), equals - typed.size());
        }
    }
    const double gpus = std::min(sum > 0 ? sum : of_any_type, most_devices);
    job.gpus = static_cast<std::uint32_t>(gpus);
    if (job.gpus == 0) job.gpu_type.clear();
    return {};
}

// The id's kind: 123, 123_4, 123_[1-5], 123+0, and with a dot a step of these.
Result<bool> is_step(std::string_view id) {
    if (id.empty() || id[0] < '0' || id[0] > '9')
        return bad("JobID " + quoted(id) + " is no job id");
    const std::string_view allowed = "0123456789_+.[]-,%:";
    const std::size_t dot = id.find('.');
    if (id.substr(0, dot).find_first_not_of(allowed) != std::string_view::npos) {
        return bad("JobID " + quoted(id) + " is no job id");
    }
    return dot != std::string_view::npos;
}

Result<void> read_resources(const Fields& fields, SacctJob& job) {
    if (const std::string_view cpus = fields["AllocCPUS"]; !cpus.empty()) {
        const auto count = parse_number("AllocCPUS", cpus, 0, most_devices);
        if (!count) return bad(count.error().message);
        job.cpus = static_cast<std::uint32_t>(count.value());
    }
    const auto limit = fields.duration("Timelimit");
    if (!limit) return limit.error();
    job.limit_s = limit.value().value_or(0);
    return read_gpus(fields["AllocTRES"], job);
}

// Times of a job that is over; false if it never ran.
Result<bool> read_times(const Fields& fields, SacctJob& job) {
    const auto submit = fields.time("Submit");
    const auto start = fields.time("Start");
    const auto end = fields.time("End");
    if (!submit) return submit.error();
    if (!start) return start.error();
    if (!end) return end.error();
    if (!submit.value()) return bad("the job has no time of submission");
    if (!start.value()) return false;
    if (!end.value()) return bad("state " + quoted(job.state) + ", but the job has no end");
    job.submit_s = *submit.value();
    job.start_s = *start.value();
    if (job.start_s < job.submit_s) return bad("the job starts before its submission");
    if (*end.value() < job.start_s) return bad("the job ends before its start");
    const auto elapsed = fields.duration("Elapsed");
    if (!elapsed) return elapsed.error();
    job.elapsed_s = elapsed.value().value_or(*end.value() - job.start_s);
    return job.elapsed_s > 0;
}

// Reads one row into `job`; what is not a job that ran and ended only has its id.
Result<Fate> read_row(const Fields& fields, SacctJob& job) {
    const auto step = is_step(fields["JobID"]);
    if (!step) return step.error();
    if (step.value()) return Fate::step;
    job.id = fields["JobID"];
    const std::string_view state = fields["State"];
    job.state = state.substr(0, state.find(' '));
    if (std::ranges::find(going_on, job.state) != going_on.end()) return Fate::not_ended;
    if (std::ranges::find(over, job.state) == over.end()) {
        return bad("state " + quoted(state) + " is not known");
    }
    const auto ran = read_times(fields, job);
    if (!ran) return ran.error();
    if (!ran.value()) return Fate::never_ran;
    if (const auto read = read_resources(fields, job); !read) return read.error();
    // The output has no AllocCPUS, or it counts only what is still allocated.
    if (job.gpus == 0 && job.cpus == 0) job.cpus = 1;
    job.name = fields["JobName"];
    job.user = fields["User"];
    job.partition = fields["Partition"];
    return Fate::job;
}

struct Line {
    std::size_t number = 0;
    Row row;
};

std::vector<Line> cut_lines(std::string_view text, std::string_view delimiter) {
    std::vector<Line> lines;
    std::size_t number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++number;
        if (!trimmed(line).empty()) lines.push_back({number, cut(line, delimiter)});
    }
    return lines;
}

// How many columns most rows have.
std::size_t usual_columns(const std::vector<Line>& lines) {
    std::map<std::size_t, std::size_t> rows;
    for (const Line& line : lines) ++rows[line.row.size()];
    return std::ranges::max_element(rows, {}, &std::pair<const std::size_t, std::size_t>::second)
        ->first;
}

void take(const Line& line,
          const std::map<std::string, std::size_t>& columns,
          std::size_t usual,
          SacctRead& read) {
    ++read.rows;
    SacctJob job;
    auto fate =
        line.row.size() == usual
            ? read_row(Fields(line.row, columns), job)
            : Result<Fate>(bad(std::to_string(line.row.size()) + " columns where most rows " +
                               "have " + std::to_string(usual)));
    if (!fate) {
        ++read.malformed;
        if (read.complaints.size() < most_complaints) {
            read.complaints.push_back("line " + std::to_string(line.number) + ": " +
                                      fate.error().message);
        }
        return;
    }
    switch (fate.value()) {
        case Fate::job:
            read.jobs.push_back(std::move(job));
            return;
        case Fate::step:
            ++read.steps;
            return;
        case Fate::not_ended:
            ++read.not_ended;
            return;
        case Fate::never_ran:
            ++read.never_ran;
            return;
    }
}

}  // namespace

Result<SacctRead> read_sacct(std::string_view text, const SacctFormat& format) {
    std::vector<Line> lines = cut_lines(text, format.delimiter);
    if (lines.empty()) return bad("the sacct output has no rows");
    std::map<std::string, std::size_t> columns = format.fields;
    const std::size_t usual = usual_columns(lines);
    const bool has_header = columns.empty();
    if (has_header) {
        for (std::size_t c = 0; c < lines.front().row.size(); ++c) {
            columns.emplace(std::string(lines.front().row[c]), c);
        }
    }
    if (const std::string missing = missing_sacct_field(columns); !missing.empty()) {
        return bad("the sacct output's first line names no column " + missing +
                   ": print it with a header, or say with --fields which column it is");
    }
    SacctRead read;
    for (std::size_t i = has_header ? 1 : 0; i < lines.size(); ++i) {
        take(lines[i], columns, usual, read);
    }
    return read;
}

}  // namespace epochcast::simulate
