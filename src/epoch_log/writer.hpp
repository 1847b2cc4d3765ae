// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Writes one epoch log. One writer per file. Every row is flushed, so a reader sees it at once and
// a killed writer loses at most the row being written.

#include <filesystem>
#include <memory>
#include <string>

#include "core/result.hpp"
#include "epoch_log/log.hpp"

namespace epochcast {

class LogWriter {
  public:
    // Creates `<dir>/<uid>/<cluster>-<jobid>.<model job>.r<n>.h5` with the next free n (kept in
    // header().restart) and writes `header` and a start event (resume, if `resumed`). Folders that
    // are missing are made (log dir 0755 unless it exists, <uid> folder 0750), the file has mode
    // 0640. Errors: environment, with the path and the reason (no permission, no space, a folder
    // that somebody else owns); usage, if a text of `header` does not fit the schema
    // (hdf5-schemas/epoch_log.v1.md); `writer` and `note` are cut to fit instead.
    static Result<LogWriter> create(const std::filesystem::path& dir,
                                    LogHeader header,
                                    bool resumed = false);

    LogWriter(LogWriter&&) noexcept;
    LogWriter& operator=(LogWriter&&) noexcept;
    ~LogWriter();  // closes; an unfinished log stays without an end event

    // Appends and flushes. Errors: environment (disk full, file deleted, called in a forked child):
    // the rows written before stay readable, the caller goes on training and may call again, and a
    // row that could not be written out yet goes out with the next one that can; usage: a record
    // without start_ns, or of unit_model_job without wall_s.
    Result<void> append(const EpochRecord& record);
    Result<void> append(const LogEvent& event);

    const std::filesystem::path& path() const;
    const LogHeader& header() const;

  private:
    struct File;
    explicit LogWriter(std::unique_ptr<File> file);
    static Result<LogWriter> create_in(const std::filesystem::path& path,
                                       LogHeader header,
                                       bool resumed);
    Result<void> check_usable() const;
    std::unique_ptr<File> file_;
};

// The default log directory outside a site configuration: $SLURM_SUBMIT_DIR/epochcast-logs in a
// job, else ./epochcast-logs. The caller passes the variable's value; empty: not in a job.
std::filesystem::path default_log_dir(const std::string& submit_dir);

}  // namespace epochcast
