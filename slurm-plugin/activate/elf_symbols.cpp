// SPDX-License-Identifier: GPL-2.0-or-later
// Copyright 2026 The epochcast developers

#include "activate/elf_symbols.hpp"

#include <elf.h>
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

namespace epochcast::slurm {

namespace {

// A piece of the file as a structure; nothing if it reaches beyond the end.
template <class T>
std::optional<T> at(std::string_view file, std::size_t offset) {
    if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, file.data() + offset, sizeof value);
    return value;
}

std::string text_at(std::string_view file, const Elf64_Shdr& strings, std::size_t offset) {
    if (offset >= strings.sh_size || strings.sh_offset > file.size()) return {};
    const std::string_view rest = file.substr(strings.sh_offset).substr(0, strings.sh_size);
    const std::string_view text = rest.substr(std::min(offset, rest.size()));
    return std::string(text.substr(0, text.find('\0')));
}

void collect(std::string_view file,
             const Elf64_Shdr& table,
             const Elf64_Shdr& strings,
             ElfSymbols& symbols) {
    for (std::size_t i = 1; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
        const auto symbol = at<Elf64_Sym>(file, table.sh_offset + i * sizeof(Elf64_Sym));
        if (!symbol) return;
        const std::string name = text_at(file, strings, symbol->st_name);
        if (symbol->st_shndx != SHN_UNDEF)
            symbols.defined.insert(name);
        else if (ELF64_ST_BIND(symbol->st_info) != STB_WEAK)
            symbols.needed.insert(name);
    }
}

}  // namespace

std::optional<ElfSymbols> read_elf_symbols(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) return std::nullopt;
    constexpr unsigned char own_order =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    const auto header = at<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != own_order)
        return std::nullopt;
    ElfSymbols symbols;
    const auto section = [&](std::size_t index) {
        return at<Elf64_Shdr>(file, header->e_shoff + index * sizeof(Elf64_Shdr));
    };
    for (std::size_t i = 0; i < header->e_shnum; ++i) {
        const auto table = section(i);
        if (!table || table->sh_type != SHT_DYNSYM) continue;
        if (const auto strings = section(table->sh_link)) collect(file, *table, *strings, symbols);
    }
    return symbols;
}

}  // namespace epochcast::slurm
