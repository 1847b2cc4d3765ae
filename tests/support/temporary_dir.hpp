// SPDX-License-Identifier: BSD-3-Clause
// Copyright 2026 The epochcast developers
#pragma once

// A fresh folder for one test, removed with all that is in it when the test ends.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace epochcast {

class TemporaryDir {
  public:
    TemporaryDir() {
        std::string path = std::filesystem::temp_directory_path() / "epochcast-test.XXXXXX";
        if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("mkdtemp failed: " + path);
        path_ = path;
    }
    ~TemporaryDir() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryDir(const TemporaryDir&) = delete;
    TemporaryDir& operator=(const TemporaryDir&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

// Writes a file in place, as an editor or a careless script does.
inline void write_in_place(const std::filesystem::path& path, std::string_view content) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << content << std::flush;
    if (!file) throw std::runtime_error("cannot write " + path.string());
}

inline void write_in_place(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
    write_in_place(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace epochcast
