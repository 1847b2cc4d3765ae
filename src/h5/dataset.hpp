// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A one-dimensional data set of rows of one type.

#include <cstdint>
#include <string>

#include "core/result.hpp"
#include "h5/file.hpp"
#include "h5/handle.hpp"
#include "h5/type.hpp"

namespace epochcast::h5 {

// Rows in memory have the layout of the type. Lives no longer than its File. Errors name the file
// and the data set; those of writing are of kind environment, those of reading bad_input.
class DataSet {
  public:
    // Without rows, growing by append(); space is taken `chunk_rows` rows at a time.
    static Result<DataSet> create_growing(const File& file,
                                          const std::string& name,
                                          const Type& type,
                                          std::uint64_t chunk_rows);
    // Of exactly `rows` rows, which are zero until they are written.
    static Result<DataSet> create_fixed(const File& file,
                                        const std::string& name,
                                        const Type& type,
                                        std::uint64_t rows);
    // Refuses whatever is not rows of exactly this type stored in this file itself: links to
    // elsewhere, external and virtual storage, compression, and more rows than `max_rows` or than
    // the file has bytes for.
    static Result<DataSet> open(const File& file,
                                const std::string& name,
                                const Type& type,
                                std::uint64_t max_rows);

    std::uint64_t rows() const { return rows_; }

    // Adds one row at the end. After an error the row is there or not, and rows() tells.
    Result<void> append(const void* row);
    Result<void> write(std::uint64_t first, std::uint64_t count, const void* rows);
    Result<void> read(std::uint64_t first, std::uint64_t count, void* rows) const;
    // Hands all rows to the operating system, for readers and for when this process is killed.
    Result<void> flush();

  private:
    DataSet(const File& file, const std::string& name, const Type& type);
    Error failure(ErrorKind kind, const std::string& what) const;
    Result<void> create(const Handle& space, const Handle& creation);
    Result<void> check_storage() const;
    Result<void> check_rows(const File& file, std::uint64_t max_rows);

    std::string label_;  // "data set '/epochs' of 'x.h5'"
    std::string name_;
    std::int64_t file_ = -1;  // borrowed
    Handle type_;
    std::size_t row_bytes_ = 0;
    Handle handle_;
    Handle one_row_;  // the memory side of append()
    std::uint64_t rows_ = 0;
};

}  // namespace epochcast::h5
