// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "h5/dataset.hpp"

#include <hdf5.h>

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "h5/call.hpp"

namespace epochcast::h5 {
namespace {

Handle space_of(std::uint64_t rows, std::uint64_t max_rows) {
    const hsize_t size = rows;
    const hsize_t max = max_rows;
    return {H5Screate_simple(1, &size, &max), H5Sclose};
}

// The file side of a transfer of rows [first, first + count).
Handle selection(std::int64_t data_set, std::uint64_t first, std::uint64_t count) {
    Handle space(H5Dget_space(data_set), H5Sclose);
    const hsize_t start = first;
    const hsize_t rows = count;
    if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &start, nullptr, &rows, nullptr) < 0) {
        return {};
    }
    return space;
}

}  // namespace

DataSet::DataSet(const File& file, const std::string& name, const Type& type)
    : label_("data set '/" + name + "' of " + epochcast::quoted(file.path().native(), 400)),
      name_(name),
      file_(file.id()),
      type_(H5Tcopy(type.id()), H5Tclose),
      row_bytes_(type.bytes()),
      one_row_(space_of(1, 1)) {}

Error DataSet::failure(ErrorKind kind, const std::string& what) const {
    return {kind, label_ + " " + what};
}

Result<void> DataSet::create(const Handle& space, const Handle& creation) {
    const Call call;
    handle_ = Handle(
        H5Dcreate2(
            file_, name_.c_str(), type_.id(), space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
        H5Dclose);
    if (!handle_.is_open()) {
        return call.failure(ErrorKind::environment, "cannot create " + label_);
    }
    return {};
}

Result<DataSet> DataSet::create_growing(const File& file,
                                        const std::string& name,
                                        const Type& type,
                                        std::uint64_t chunk_rows) {
    const Call call;
    DataSet data_set(file, name, type);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const hsize_t chunk = chunk_rows;
    H5Pset_chunk(creation.id(), 1, &chunk);
    if (Result<void> made = data_set.create(space_of(0, H5S_UNLIMITED), creation); !made) {
        return made.error();
    }
    return data_set;
}

Result<DataSet> DataSet::create_fixed(const File& file,
                                      const std::string& name,
                                      const Type& type,
                                      std::uint64_t rows) {
    const Call call;
    DataSet data_set(file, name, type);
    const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_layout(creation.id(), H5D_CONTIGUOUS);
    // Space taken now, so that a full disk shows when the file is made and not at its last row.
    H5Pset_alloc_time(creation.id(), H5D_ALLOC_TIME_EARLY);
    if (Result<void> made = data_set.create(space_of(rows, rows), creation); !made) {
        return made.error();
    }
    data_set.rows_ = rows;
    return data_set;
}

Result<DataSet> DataSet::open(const File& file,
                              const std::string& name,
                              const Type& type,
                              std::uint64_t max_rows) {
    const Call call;
    DataSet data_set(file, name, type);
    H5L_info_t link{};
    if (H5Lexists(file.id(), name.c_str(), H5P_DEFAULT) == 0) {
        return data_set.failure(ErrorKind::bad_input, "is missing");
    }
    if (H5Lget_info(file.id(), name.c_str(), &link, H5P_DEFAULT) < 0) {
        return call.failure(ErrorKind::bad_input, "cannot read " + data_set.label_);
    }
    if (link.type != H5L_TYPE_HARD) {
        return data_set.failure(ErrorKind::bad_input, "is a link to elsewhere");
    }
    data_set.handle_ = Handle(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!data_set.handle_.is_open()) {
        return call.failure(ErrorKind::bad_input, "cannot read " + data_set.label_);
    }
    if (Result<void> checked = data_set.check_storage(); !checked) {
        return checked.error();
    }
    if (Result<void> checked = data_set.check_rows(file, max_rows); !checked) {
        return checked.error();
    }
    return data_set;
}

Result<void> DataSet::check_storage() const {
    const Call call;
    const Handle stored(H5Dget_type(handle_.id()), H5Tclose);
    if (H5Tequal(stored.id(), type_.id()) <= 0) {
        return failure(ErrorKind::bad_input, "has another type than the schema says");
    }
    const Handle creation(H5Dget_create_plist(handle_.id()), H5Pclose);
    const H5D_layout_t layout = H5Pget_layout(creation.id());
    if (layout != H5D_CHUNKED && layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) {
        return failure(ErrorKind::bad_input, "is not stored in the file itself");
    }
    if (layout == H5D_CONTIGUOUS && H5Pget_external_count(creation.id()) != 0) {
        return failure(ErrorKind::bad_input, "is not stored in the file itself");
    }
    if (H5Pget_nfilters(creation.id()) != 0) {
        return failure(ErrorKind::bad_input,
                       "is compressed or filtered (undo that with: h5repack -f NONE)");
    }
    return {};
}

Result<void> DataSet::check_rows(const File& file, std::uint64_t max_rows) {
    const Call call;
    const Handle space(H5Dget_space(handle_.id()), H5Sclose);
    hsize_t rows = 0;
    if (H5Sget_simple_extent_ndims(space.id()) != 1 ||
        H5Sget_simple_extent_dims(space.id(), &rows, nullptr) != 1) {
        return failure(ErrorKind::bad_input, "is not a list of rows");
    }
    // Rows that were never written take no space: without this a few bytes claim any memory.
    const std::uint64_t stored = H5Dget_storage_size(handle_.id());
    const std::uint64_t fitting = std::min(file.size_bytes(), stored);
    if (rows > max_rows || rows > fitting / row_bytes_) {
        return failure(ErrorKind::bad_input,
                       "claims " + std::to_string(rows) + " rows, but has space for " +
                           std::to_string(fitting / row_bytes_) + " and at most " +
                           std::to_string(max_rows) + " are allowed");
    }
    rows_ = rows;
    return {};
}

Result<void> DataSet::append(const void* row) {
    const Call call;
    const hsize_t grown = rows_ + 1;
    if (H5Dset_extent(handle_.id(), &grown) < 0) {
        return call.failure(ErrorKind::environment, "cannot extend " + label_);
    }
    const Handle target = selection(handle_.id(), rows_, 1);
    if (H5Dwrite(handle_.id(), type_.id(), one_row_.id(), target.id(), H5P_DEFAULT, row) < 0) {
        return call.failure(ErrorKind::environment, "cannot append to " + label_);
    }
    rows_ = grown;
    return {};
}

Result<void> DataSet::write(std::uint64_t first, std::uint64_t count, const void* rows) {
    const Call call;
    if (count == 0) {
        return {};
    }
    const Handle source = space_of(count, count);
    const Handle target = selection(handle_.id(), first, count);
    if (H5Dwrite(handle_.id(), type_.id(), source.id(), target.id(), H5P_DEFAULT, rows) < 0) {
        return call.failure(ErrorKind::environment, "cannot write " + label_);
    }
    return {};
}

Result<void> DataSet::read(std::uint64_t first, std::uint64_t count, void* rows) const {
    const Call call;
    if (count == 0) {
        return {};
    }
    const Handle target = space_of(count, count);
    const Handle source = selection(handle_.id(), first, count);
    if (H5Dread(handle_.id(), type_.id(), target.id(), source.id(), H5P_DEFAULT, rows) < 0) {
        return call.failure(ErrorKind::bad_input, "cannot read " + label_);
    }
    return {};
}

Result<void> DataSet::flush() {
    const Call call;
    if (H5Dflush(handle_.id()) < 0) {
        return call.failure(ErrorKind::environment, "cannot write out " + label_);
    }
    return {};
}

}  // namespace epochcast::h5
