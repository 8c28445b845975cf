// SPDX-License-Identifier: MIT
// Makes small guest images for tests: takes bytes, sections and symbols, and writes an ELF file. It
// is written from the tables of the ELF format. It does not use the library that the loader reads
// with, so that each checks the other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace symsim::test {

using Bytes = std::vector<std::uint8_t>;

class ElfWriter {
  public:
    ElfWriter();  // makes a little-endian 32-bit i386 executable
    ElfWriter& entry(Address address);
    ElfWriter& machine(std::uint16_t number);
    ElfWriter& type(std::uint16_t number);
    // What the addresses of the sections that follow are above those in memory.
    ElfWriter& linked_above(Address bytes);
    // Segments begin in the file where their addresses lie in a page, so that they can be mapped.
    ElfWriter& in_pages();
    ElfWriter& class_and_data(std::uint8_t elf_class, std::uint8_t data);

    // A section, with a segment of its own to load it. code(): executable. data(): writable,
    // followed by `zeros` bytes of zero.
    ElfWriter& code(const std::string& section, Address address, Bytes bytes);
    ElfWriter& data(const std::string& section, Address address, Bytes bytes,
                    std::uint32_t zeros = 0);
    // A section that is not loaded.
    ElfWriter& text(const std::string& section, const std::string& contents);
    ElfWriter& raw(const std::string& section, Bytes bytes);
    // A segment without a section; type, flags and both addresses are as given.
    ElfWriter& segment(std::uint32_t type, std::uint32_t flags, Address virtual_address,
                       Address physical_address, Bytes bytes, std::uint32_t memory_size);

    enum class Symbol { function, object, label };
    // A symbol. It belongs to the section that contains its address, and is absolute if there is
    // none.
    ElfWriter& symbol(const std::string& name, Address address, std::uint32_t size = 0,
                      Symbol kind = Symbol::function, bool global = true);
    // A probe point: a record in the section .symsim.probes.
    ElfWriter& probe(Address address, std::uint32_t kind, const std::string& operand);

    Bytes bytes() const;
    void write(const std::filesystem::path& path) const;

  private:
    struct Part {  // a section, a segment, or both
        std::string name;
        bool in_sections = false;
        bool in_segments = false;
        std::uint32_t section_type = 0, section_flags = 0;
        std::uint32_t segment_type = 0, segment_flags = 0;
        Address virtual_address = 0, physical_address = 0;
        Bytes bytes;
        std::uint32_t memory_size = 0;
        std::uint32_t link = 0, info = 0, entry_size = 0;
    };
    struct Name {
        std::string name;
        Address address;
        std::uint32_t size;
        Symbol kind;
        bool global;
    };
    void add_symbol_table(std::vector<Part>& parts) const;

    Address entry_ = 0;
    std::uint16_t machine_;
    std::uint16_t type_;
    bool in_pages_ = false;
    Address above_ = 0;
    std::uint8_t class_;
    std::uint8_t data_;
    std::vector<Part> parts_;
    std::vector<Name> names_;
    Bytes probes_;
};

}  // namespace symsim::test
