// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Types of stored values. All are little-endian, so on our machines memory and file are the same
// bytes and nothing is converted.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "h5/handle.hpp"

namespace epochcast::h5 {

// A type that HDF5 could not make has is_open() false, and each use of it is an Error.
class Type {
  public:
    struct Member;

    static Type i32();
    static Type u32();
    static Type u64();
    static Type f64();
    // UTF-8 of at most `longest` bytes and zeros up to longest + 1.
    static Type text(std::size_t longest);
    // A struct of `bytes` bytes.
    static Type compound(std::size_t bytes, const std::vector<Member>& members);

    std::size_t bytes() const { return bytes_; }
    std::int64_t id() const { return handle_.id(); }
    bool is_open() const { return handle_.is_open(); }

  private:
    Type(Handle handle, std::size_t bytes) : handle_(std::move(handle)), bytes_(bytes) {}
    static Type copy_of(std::int64_t predefined, std::size_t bytes);
    Handle handle_;
    std::size_t bytes_ = 0;
};

struct Type::Member {
    const char* name;
    std::size_t offset;  // bytes from the start of the struct
    const Type& type;    // must live until compound() returns
};

}  // namespace epochcast::h5
