// SPDX-License-Identifier: MIT
// Lays out the ELF file: header, program headers, contents, section headers.
#include "tests/support/elf_writer.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace symsim::test {
namespace {

constexpr std::size_t kPageBytes = 4096;

template <class Struct>
void append(Bytes& to, const Struct& value) {
    const auto* p = reinterpret_cast<const std::uint8_t*>(&value);
    to.insert(to.end(), p, p + sizeof value);
}

std::uint32_t append_name(Bytes& table, const std::string& name) {
    const auto at = static_cast<std::uint32_t>(table.size());
    table.insert(table.end(), name.begin(), name.end());
    table.push_back(0);
    return at;
}

void append_word(Bytes& to, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
        to.push_back(static_cast<std::uint8_t>(value >> shift));
}

}  // namespace

ElfWriter::ElfWriter() : machine_(EM_386), type_(ET_EXEC), class_(ELFCLASS32), data_(ELFDATA2LSB) {}

ElfWriter& ElfWriter::entry(Address address) {
    entry_ = address;
    return *this;
}
ElfWriter& ElfWriter::machine(std::uint16_t number) {
    machine_ = number;
    return *this;
}
ElfWriter& ElfWriter::type(std::uint16_t number) {
    type_ = number;
    return *this;
}
ElfWriter& ElfWriter::linked_above(Address bytes) {
    above_ = bytes;
    return *this;
}
ElfWriter& ElfWriter::in_pages() {
    in_pages_ = true;
    return *this;
}
ElfWriter& ElfWriter::class_and_data(std::uint8_t elf_class, std::uint8_t data) {
    class_ = elf_class;
    data_ = data;
    return *this;
}

ElfWriter& ElfWriter::code(const std::string& section, Address address, Bytes bytes) {
    Part part;
    part.name = section;
    part.in_sections = part.in_segments = true;
    part.section_type = SHT_PROGBITS;
    part.section_flags = SHF_ALLOC | SHF_EXECINSTR;
    part.segment_type = PT_LOAD;
    part.segment_flags = PF_R | PF_X;
    part.virtual_address = address;
    part.physical_address = address - above_;
    part.memory_size = static_cast<std::uint32_t>(bytes.size());
    part.bytes = std::move(bytes);
    parts_.push_back(std::move(part));
    return *this;
}

ElfWriter& ElfWriter::data(const std::string& section, Address address, Bytes bytes,
                           std::uint32_t zeros) {
    code(section, address, std::move(bytes));
    Part& part = parts_.back();
    part.section_flags = SHF_ALLOC | SHF_WRITE;
    part.segment_flags = PF_R | PF_W;
    part.memory_size += zeros;
    return *this;
}

ElfWriter& ElfWriter::text(const std::string& section, const std::string& contents) {
    Bytes bytes(contents.begin(), contents.end());
    bytes.push_back(0);
    return raw(section, std::move(bytes));
}

ElfWriter& ElfWriter::raw(const std::string& section, Bytes bytes) {
    Part part;
    part.name = section;
    part.in_sections = true;
    part.section_type = SHT_PROGBITS;
    part.bytes = std::move(bytes);
    parts_.push_back(std::move(part));
    return *this;
}

ElfWriter& ElfWriter::segment(std::uint32_t type, std::uint32_t flags, Address virtual_address,
                              Address physical_address, Bytes bytes, std::uint32_t memory_size) {
    Part part;
    part.in_segments = true;
    part.segment_type = type;
    part.segment_flags = flags;
    part.virtual_address = virtual_address;
    part.physical_address = physical_address;
    part.bytes = std::move(bytes);
    part.memory_size = memory_size;
    parts_.push_back(std::move(part));
    return *this;
}

ElfWriter& ElfWriter::symbol(const std::string& name, Address address, std::uint32_t size,
                             Symbol kind, bool global) {
    names_.push_back({name, address, size, kind, global});
    return *this;
}

ElfWriter& ElfWriter::probe(Address address, std::uint32_t kind, const std::string& operand) {
    append_word(probes_, address);
    append_word(probes_, kind);
    append_name(probes_, operand);
    while (probes_.size() % 4 != 0) probes_.push_back(0);
    return *this;
}

void ElfWriter::add_symbol_table(std::vector<Part>& parts) const {
    Part symtab, strtab;
    symtab.name = ".symtab";
    symtab.in_sections = true;
    symtab.section_type = SHT_SYMTAB;
    symtab.entry_size = sizeof(Elf32_Sym);
    strtab.name = ".strtab";
    strtab.in_sections = true;
    strtab.section_type = SHT_STRTAB;
    strtab.bytes.push_back(0);

    std::vector<Name> names = names_;  // the format requires local symbols first
    const auto globals =
        std::stable_partition(names.begin(), names.end(), [](const Name& n) { return !n.global; });
    symtab.info = static_cast<std::uint32_t>(globals - names.begin()) + 1;
    append(symtab.bytes, Elf32_Sym{});
    for (const Name& n : names) {
        Elf32_Sym sym{};
        sym.st_name = append_name(strtab.bytes, n.name);
        sym.st_value = n.address;
        sym.st_size = n.size;
        const unsigned type = n.kind == Symbol::function ? STT_FUNC
                              : n.kind == Symbol::object ? STT_OBJECT
                                                         : STT_NOTYPE;
        sym.st_info =
            static_cast<unsigned char>(ELF32_ST_INFO(n.global ? STB_GLOBAL : STB_LOCAL, type));
        sym.st_shndx = SHN_ABS;
        std::uint16_t section = 0;
        for (const Part& p : parts) {
            if (!p.in_sections) continue;
            ++section;
            if ((p.section_flags & SHF_ALLOC) != 0 && n.address >= p.virtual_address &&
                n.address - p.virtual_address < p.memory_size)
                sym.st_shndx = section;
        }
        append(symtab.bytes, sym);
    }
    std::uint32_t sections = 0;
    for (const Part& p : parts) sections += p.in_sections ? 1 : 0;
    symtab.link = sections + 2;  // number of .strtab, which follows .symtab
    parts.push_back(std::move(symtab));
    parts.push_back(std::move(strtab));
}

// The whole file, in the order: header, program headers, contents, section headers.
Bytes ElfWriter::bytes() const {
    std::vector<Part> parts = parts_;
    if (!probes_.empty()) {
        Part probes;
        probes.name = ".symsim.probes";
        probes.in_sections = true;
        probes.section_type = SHT_PROGBITS;
        probes.bytes = probes_;
        parts.push_back(std::move(probes));
    }
    if (!names_.empty()) add_symbol_table(parts);
    Part section_names;
    section_names.name = ".shstrtab";
    section_names.in_sections = true;
    section_names.section_type = SHT_STRTAB;
    section_names.bytes.push_back(0);
    parts.push_back(std::move(section_names));

    std::vector<std::uint32_t> name_at;
    for (const Part& p : parts)
        name_at.push_back(p.in_sections ? append_name(parts.back().bytes, p.name) : 0);
    const auto segments =
        std::count_if(parts.begin(), parts.end(), [](const Part& p) { return p.in_segments; });

    Bytes contents, program_headers, section_headers;
    append(section_headers, Elf32_Shdr{});
    const auto contents_at = static_cast<std::uint32_t>(
        sizeof(Elf32_Ehdr) + static_cast<std::size_t>(segments) * sizeof(Elf32_Phdr));
    std::uint16_t sections = 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& p = parts[i];
        while (contents.size() % 4 != 0) contents.push_back(0);
        if (in_pages_ && p.segment_type == PT_LOAD && p.in_segments)
            contents.resize(contents.size() +
                            (p.virtual_address - contents_at - contents.size()) % kPageBytes);
        const std::uint32_t offset = contents_at + static_cast<std::uint32_t>(contents.size());
        const auto size = static_cast<std::uint32_t>(p.bytes.size());
        contents.insert(contents.end(), p.bytes.begin(), p.bytes.end());
        if (p.in_segments)
            append(program_headers,
                   Elf32_Phdr{p.segment_type, offset, p.virtual_address, p.physical_address, size,
                              p.memory_size, p.segment_flags, 4});
        if (p.in_sections) {
            append(section_headers,
                   Elf32_Shdr{name_at[i], p.section_type, p.section_flags, p.virtual_address,
                              offset, size, p.link, p.info, 4, p.entry_size});
            ++sections;
        }
    }
    while (contents.size() % 4 != 0) contents.push_back(0);

    Elf32_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = class_;
    header.e_ident[EI_DATA] = data_;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = type_;
    header.e_machine = machine_;
    header.e_version = EV_CURRENT;
    header.e_entry = entry_;
    header.e_phoff = sizeof(Elf32_Ehdr);
    header.e_shoff = contents_at + static_cast<std::uint32_t>(contents.size());
    header.e_ehsize = sizeof(Elf32_Ehdr);
    header.e_phentsize = sizeof(Elf32_Phdr);
    header.e_phnum = static_cast<std::uint16_t>(segments);
    header.e_shentsize = sizeof(Elf32_Shdr);
    header.e_shnum = sections;
    header.e_shstrndx = static_cast<std::uint16_t>(sections - 1);

    Bytes file;
    append(file, header);
    for (const Bytes* piece : {&program_headers, &contents, &section_headers})
        file.insert(file.end(), piece->begin(), piece->end());
    return file;
}

void ElfWriter::write(const std::filesystem::path& path) const {
    const Bytes file = bytes();
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(file.data()),
              static_cast<std::streamsize>(file.size()));
    if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace symsim::test
