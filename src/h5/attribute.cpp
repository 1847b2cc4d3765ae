// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "h5/attribute.hpp"

#include <hdf5.h>

#include "core/text.hpp"
#include "h5/call.hpp"

namespace epochcast::h5 {
namespace {

std::string label(const File& file, const std::string& name) {
    return "attribute '" + name + "' of " + epochcast::quoted(file.path().native(), 400);
}

}  // namespace

Result<void> write_attribute(const File& file,
                             const std::string& name,
                             const Type& type,
                             const void* value) {
    const Call call;
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(
        H5Acreate2(file.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    if (!attribute.is_open() || H5Awrite(attribute.id(), type.id(), value) < 0) {
        return call.failure(ErrorKind::environment, "cannot write " + label(file, name));
    }
    return {};
}

bool has_attribute(const File& file, const std::string& name) {
    const Call call;
    return H5Aexists(file.id(), name.c_str()) > 0;
}

Result<void> read_attribute(const File& file,
                            const std::string& name,
                            const Type& type,
                            void* value) {
    const Call call;
    if (H5Aexists(file.id(), name.c_str()) == 0) {
        return Error{ErrorKind::bad_input, label(file, name) + " is missing"};
    }
    const Handle attribute(H5Aopen(file.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
    if (!attribute.is_open()) {
        return call.failure(ErrorKind::bad_input, "cannot read " + label(file, name));
    }
    const Handle space(H5Aget_space(attribute.id()), H5Sclose);
    const Handle stored(H5Aget_type(attribute.id()), H5Tclose);
    if (H5Sget_simple_extent_type(space.id()) != H5S_SCALAR ||
        H5Tequal(stored.id(), type.id()) <= 0) {
        return Error{ErrorKind::bad_input,
                     label(file, name) + " has another type than the schema says"};
    }
    if (H5Aread(attribute.id(), type.id(), value) < 0) {
        return call.failure(ErrorKind::bad_input, "cannot read " + label(file, name));
    }
    return {};
}

}  // namespace epochcast::h5
