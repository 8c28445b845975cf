// SPDX-License-Identifier: MIT
#include "sim/image/source_lines.h"

#include <elfutils/libdw.h>
#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace symsim {

struct SourceLines::Tables {
    Elf* elf = nullptr;
    Dwarf* dwarf = nullptr;
    ~Tables() {
        if (dwarf) dwarf_end(dwarf);
        if (elf) elf_end(elf);
    }
};

SourceLines::SourceLines(std::vector<std::uint8_t> file) : file_(std::move(file)) {
    elf_version(EV_CURRENT);
    auto tables = std::make_unique<Tables>();
    tables->elf = elf_memory(reinterpret_cast<char*>(file_.data()), file_.size());
    if (!tables->elf) return;
    tables->dwarf = dwarf_begin_elf(tables->elf, DWARF_C_READ, nullptr);
    if (tables->dwarf) tables_ = std::move(tables);
}

SourceLines::~SourceLines() = default;

// Searches all compilation units, since the unit of an assembler file may be missing from the table
// of address ranges. The search is fast enough: each line table is read only once, and a run looks
// up a handful of addresses, at its end.
std::string SourceLines::at(Address address) const {
    if (!tables_) return "";
    Dwarf_Off offset = 0, next = 0;
    std::size_t header_size = 0;
    while (dwarf_nextcu(tables_->dwarf, offset, &next, &header_size, nullptr, nullptr, nullptr) ==
           0) {
        Dwarf_Die unit;
        if (dwarf_offdie(tables_->dwarf, offset + header_size, &unit) != nullptr) {
            Dwarf_Line* const line = dwarf_getsrc_die(&unit, address);
            const char* const name = line ? dwarf_linesrc(line, nullptr, nullptr) : nullptr;
            int number = 0;
            if (name && dwarf_lineno(line, &number) == 0 && number > 0)
                return fmt::format("{}:{}", std::filesystem::path(name).lexically_normal().string(),
                                   number);
        }
        if (next <= offset) break;
        offset = next;
    }
    return "";
}

}  // namespace symsim
