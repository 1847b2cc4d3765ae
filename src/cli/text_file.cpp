// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers

#include "cli/text_file.hpp"

#include <cerrno>
#include <fstream>

#include "core/text.hpp"

namespace epochcast {

namespace {

constexpr std::size_t most_bytes = 256u << 20;
constexpr std::size_t chunk_bytes = 1u << 16;

Error unreadable(const std::string& what, const std::filesystem::path& file, std::string reason) {
    return {ErrorKind::environment,
            what + " " + epochcast::quoted(file.string(), 200) +
                " cannot be read: " + std::move(reason)};
}

}  // namespace

Result<std::string> read_text_file(const std::string& what, const std::filesystem::path& file) {
    std::error_code failure;
    const auto status = std::filesystem::status(file, failure);
    if (!std::filesystem::exists(status)) {
        return unreadable(what, file, failure ? failure.message() : "there is no such file");
    }
    if (std::filesystem::is_directory(status)) return unreadable(what, file, "it is a folder");
    std::ifstream in(file, std::ios::binary);
    if (!in) return unreadable(what, file, std::generic_category().message(errno));
    std::string text;
    std::string chunk(chunk_bytes, '\0');
    while (in && text.size() <= most_bytes) {
        in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
        text.append(chunk, 0, static_cast<std::size_t>(in.gcount()));
    }
    if (text.size() > most_bytes) {
        return Error{ErrorKind::bad_input,
                     what + " " + epochcast::quoted(file.string(), 200) +
                         " is larger than 256 MiB: give a part of it"};
    }
    return text;
}

}  // namespace epochcast
