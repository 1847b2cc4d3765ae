// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers
#pragma once

// The dynamic symbols of a program or library as its file states them, without loading it.

#include <optional>
#include <set>
#include <string>

namespace epochcast::slurm {

struct ElfSymbols {
    std::set<std::string> defined;
    std::set<std::string> needed;  // undefined ones that are not weak
};

// Nothing if the file cannot be read or is no 64-bit ELF file of this machine's byte order.
std::optional<ElfSymbols> read_elf_symbols(const std::string& path);

}  // namespace epochcast::slurm
