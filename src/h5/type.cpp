// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "h5/type.hpp"

#include <hdf5.h>

#include <type_traits>

#include "h5/call.hpp"

namespace epochcast::h5 {

static_assert(std::is_same_v<hid_t, std::int64_t>, "identifiers are kept as std::int64_t");
static_assert(std::is_same_v<herr_t, int>, "see Handle::Close");

Type Type::copy_of(std::int64_t predefined, std::size_t bytes) {
    return {Handle(H5Tcopy(predefined), H5Tclose), bytes};
}

Type Type::i32() {
    const Call call;
    return copy_of(H5T_STD_I32LE, 4);
}

Type Type::u32() {
    const Call call;
    return copy_of(H5T_STD_U32LE, 4);
}

Type Type::u64() {
    const Call call;
    return copy_of(H5T_STD_U64LE, 8);
}

Type Type::f64() {
    const Call call;
    return copy_of(H5T_IEEE_F64LE, 8);
}

Type Type::text(std::size_t longest) {
    const Call call;
    const std::size_t bytes = longest + 1;
    Type type = copy_of(H5T_C_S1, bytes);
    if (H5Tset_size(type.id(), bytes) < 0 || H5Tset_strpad(type.id(), H5T_STR_NULLTERM) < 0 ||
        H5Tset_cset(type.id(), H5T_CSET_UTF8) < 0) {
        return {Handle(), bytes};
    }
    return type;
}

Type Type::compound(std::size_t bytes, const std::vector<Member>& members) {
    const Call call;
    Type type(Handle(H5Tcreate(H5T_COMPOUND, bytes), H5Tclose), bytes);
    for (const Member& member : members) {
        if (H5Tinsert(type.id(), member.name, member.offset, member.type.id()) < 0) {
            return {Handle(), bytes};
        }
    }
    return type;
}

}  // namespace epochcast::h5
