// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// The guard under which every HDF5 call of ours runs, and where HDF5's own words become an Error.
// It changes nothing for other users of HDF5 in the same process.

#include <string>

#include "core/result.hpp"

namespace epochcast::h5 {

// While one lives, HDF5 prints nothing on this thread and no other thread of ours is inside HDF5
// (the library may be built without thread safety). May be nested. A fork in another thread waits
// until it is gone: otherwise HDF5 would be locked for ever in the child, also in its exit handler.
class Call {
  public:
    Call();
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    // "<what>: <reason> (HDF5: <its error stack, innermost first>)". To be made right after the
    // call that failed: the next HDF5 call empties the stack.
    Error failure(ErrorKind kind, const std::string& what) const;

  private:
    // How HDF5 printed errors before, to be put back: a function pointer and its argument.
    void* print_ = nullptr;
    void* print_argument_ = nullptr;
    unsigned print_version_ = 0;  // which of HDF5's two signatures; 0: nothing to put back
};

}  // namespace epochcast::h5
