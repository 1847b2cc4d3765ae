// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/users.hpp"

#include <limits>
#include <vector>

#include <pwd.h>

#include "core/text.hpp"

namespace epochcast {

Result<std::uint32_t> parse_user(const std::string& text) {
    constexpr std::uint64_t max_uid = std::numeric_limits<std::uint32_t>::max() - 1;
    if (const auto uid = parse_count("user", text, 0, max_uid)) {
        return static_cast<std::uint32_t>(uid.value());
    }
    std::vector<char> buffer(1u << 16);  // getpwnam_r's own suggestion is 1 KiB, LDAP needs more
    passwd entry{};
    passwd* found = nullptr;
    const bool has_nul = text.find('\0') != std::string::npos;
    if (!has_nul && !text.empty()) {
        getpwnam_r(text.c_str(), &entry, buffer.data(), buffer.size(), &found);
    }
    if (found != nullptr) return static_cast<std::uint32_t>(found->pw_uid);
    return Error{ErrorKind::usage,
                 "user " + epochcast::quoted(text) +
                     " is not known on this machine: give a user name or a uid"};
}

}  // namespace epochcast
