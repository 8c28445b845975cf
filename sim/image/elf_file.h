// SPDX-License-Identifier: MIT
// An ELF file in memory, read through libelf. ElfFile returns only segments and sections that it
// has checked to lie within the file, so its users need not expect a truncated or damaged file.
#pragma once

#include <gelf.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace symsim {

class ElfFile {
  public:
    // What is to load it: a kernel also loads position-independent programs, and those with
    // thread-local variables.
    enum class For { machine, linux_kernel };

    // Throws UserError unless the file is an executable for the i386 with complete headers.
    ElfFile(std::vector<std::uint8_t> bytes, std::filesystem::path path, For use = For::machine);

    const GElf_Ehdr& header() const { return header_; }
    const std::vector<GElf_Phdr>& segments() const { return segments_; }
    std::vector<std::uint8_t> bytes_of(const GElf_Phdr& segment) const;

    struct Section {
        std::string name;
        GElf_Shdr header{};
    };
    const std::vector<Section>& sections() const { return sections_; }
    // The contents of the first section of this name; empty if there is none.
    std::vector<std::uint8_t> contents(std::string_view section) const;

    void for_each_symbol(
        const std::function<void(std::string_view name, const GElf_Sym&)>& visit) const;

    const std::vector<std::uint8_t>& bytes() const { return bytes_; }
    // Throws UserError: "guest image FILE: text".
    [[noreturn]] void fail(const std::string& text) const;

  private:
    void check_header();
    void read_segments();
    void read_sections();
    void refuse_thread_local() const;
    bool within_file(std::uint64_t offset, std::uint64_t size) const;

    std::vector<std::uint8_t> bytes_;
    std::filesystem::path path_;
    For use_;
    std::unique_ptr<Elf, int (*)(Elf*)> elf_;
    GElf_Ehdr header_{};
    std::vector<GElf_Phdr> segments_;
    std::vector<Section> sections_;
    bool has_thread_segment_ = false;
};

}  // namespace symsim
