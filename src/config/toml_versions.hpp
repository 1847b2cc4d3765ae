// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// Where toml11 3 (Debian 12) and 4 (Debian 13) differ for us.

#include <cstddef>
#include <string>

#include <toml.hpp>

namespace epochcast {

#if TOML11_VERSION_MAJOR >= 4
inline const std::string& text_of(const toml::value& string) { return string.as_string(); }
inline std::size_t line_of(const toml::value& value) {
    return value.location().first_line_number();
}
inline std::size_t line_of(const toml::syntax_error& error) {
    for (const auto& problem : error.errors()) {
        for (const auto& [place, what] : problem.locations()) return place.first_line_number();
    }
    return 1;
}
#else
inline const std::string& text_of(const toml::value& string) { return string.as_string().str; }
inline std::size_t line_of(const toml::value& value) { return value.location().line(); }
inline std::size_t line_of(const toml::syntax_error& error) { return error.location().line(); }
#endif

}  // namespace epochcast
