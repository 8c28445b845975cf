// SPDX-License-Identifier: MIT
#include "sim/image/linux_program.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>
#include <cstring>
#include <utility>

#include "sim/base/failure.h"
#include "sim/base/probe_point.h"
#include "sim/base/sha256.h"
#include "sim/image/elf_file.h"
#include "sim/image/probe_records.h"
#include "sim/image/static_probes.h"

namespace symsim {
namespace {

constexpr std::uint32_t kPage = 4096;
constexpr std::uint64_t kMegabyte = 1 << 20;
constexpr Address kProgramsBegin = 0x0800'0000;          // guest/linux/memory.h
constexpr Address kIndependentBase = 0x5655'5000;        // guest/linux/elf.c
constexpr std::string_view kProgram = "symsim_program";  // guest/linux/start.c

std::vector<Elf32_Phdr> headers_of(const std::vector<std::uint8_t>& file, const Elf32_Ehdr& elf) {
    std::vector<Elf32_Phdr> headers(elf.e_phnum);
    const std::uint64_t bytes = headers.size() * sizeof(Elf32_Phdr);
    if (elf.e_phentsize != sizeof(Elf32_Phdr) || elf.e_phoff > file.size() ||
        bytes > file.size() - elf.e_phoff)
        return {};
    if (bytes > 0) std::memcpy(headers.data(), file.data() + elf.e_phoff, bytes);
    return headers;
}

bool has(const std::vector<Elf32_Phdr>& headers, std::uint32_t type) {
    return std::any_of(headers.begin(), headers.end(),
                       [=](const Elf32_Phdr& h) { return h.p_type == type; });
}

std::uint32_t page_up(std::uint64_t address) {
    return static_cast<std::uint32_t>((address + kPage - 1) / kPage * kPage);
}

void append(std::vector<std::uint8_t>& to, const std::string& text) {
    to.insert(to.end(), text.begin(), text.end());
    to.push_back(0);
}

void put_word(std::uint8_t* to, std::uint32_t word) {
    boost::endian::store_little_u32(to, word);
}

// struct program of guest/linux/program.h, the texts, and the file from a page of its own.
std::vector<std::uint8_t> laid_out(const LinuxProgram& program) {
    constexpr std::uint32_t kHeader = 6 * 4;
    std::vector<std::uint8_t> bytes(kHeader);
    append(bytes, program.path.string());
    append(bytes, program.path.string());  // argv[0]
    for (const std::string& text : program.arguments) append(bytes, text);
    for (const std::string& text : program.variables) append(bytes, text);
    bytes.resize(page_up(bytes.size()));
    const auto file = static_cast<std::uint32_t>(bytes.size());
    bytes.insert(bytes.end(), program.file.begin(), program.file.end());
    bytes.resize(page_up(bytes.size()));
    const std::array<std::uint32_t, 6> header = {
        file,
        static_cast<std::uint32_t>(program.file.size()),
        kHeader,
        static_cast<std::uint32_t>(program.arguments.size()) + 1,
        static_cast<std::uint32_t>(program.variables.size()),
        static_cast<std::uint32_t>(bytes.size())};
    for (std::size_t i = 0; i < header.size(); ++i) put_word(bytes.data() + 4 * i, header[i]);
    return bytes;
}

// Writes `word` to the kernel's variable.
void set_variable(Image& kernel, std::string_view name, std::uint32_t word) {
    const Symbol* symbol = kernel.symbols.find(name);
    for (LoadSegment& segment : kernel.segments) {
        if (symbol == nullptr || symbol->address < segment.address) continue;
        const std::uint32_t at = symbol->address - segment.address;
        if (std::uint64_t{at} + 4 > segment.bytes.size()) continue;
        put_word(segment.bytes.data() + at, word);
        return;
    }
    throw UserError(fmt::format(
        "guest image {}: has no variable {}, so it is not the kernel for Linux programs; build it "
        "again: ninja guest-linux",
        kernel.path.string(), name));
}

// The calls are named by their functions: call_futex in calls[240] of guest/linux/calls.c.
std::vector<std::string> system_calls(const Image& kernel) {
    constexpr std::string_view kBefore = "call_";
    const Symbol* const table = kernel.symbols.find("calls");
    const LoadSegment* const segment = table ? kernel.segment_at(table->address) : nullptr;
    std::vector<std::string> names;
    if (segment == nullptr || table->end > segment->address + segment->bytes.size()) return names;
    const std::uint8_t* entry = segment->bytes.data() + (table->address - segment->address);
    for (std::uint32_t number = 0; number < table->size / 4; ++number, entry += 4) {
        const Symbol* const call = kernel.symbols.around(boost::endian::load_little_u32(entry));
        const bool named = call != nullptr && call->name.rfind(kBefore, 0) == 0;
        names.push_back(named ? call->name.substr(kBefore.size()) : std::to_string(number));
    }
    return names;
}

// Where the processor finds an address of the program's code: the kernel maps the file's pages.
std::optional<Address> physical_of(Address address, const ElfFile& elf, Address file) {
    for (const GElf_Phdr& p : elf.segments())
        if ((p.p_flags & PF_X) != 0 && address - p.p_vaddr < p.p_filesz)
            return static_cast<Address>(file + p.p_offset + (address - p.p_vaddr));
    return std::nullopt;
}

// An argument in a register or segment that only a debugger can read is 0.
std::string argument_of(const std::string& text, const Image& image) {
    try {
        parse_probe_operand(text, image.symbols);
    } catch (const UserError&) {
        return "$0";
    }
    return text;
}

// The program's probe points, static probes, and a point at pthread_create(thread, attributes, function, argument).
void add_probes(Image& image, const ElfFile& elf, Address base, Address file) {
    std::vector<ProbeRecord> records = read_probes(elf);
    if (const Symbol* const create = read_symbols(elf).find("pthread_create"))
        records.push_back({create->address, index(ProbeKind::thread_function), "12(%esp)"});
    for (const StaticProbe& probe : read_static_probes(elf)) {
        records.push_back(
            {probe.address, index(ProbeKind::event), fmt::format("${}", image.events.size())});
        image.events.push_back(probe.name);
        for (const std::string& argument : probe.arguments)
            records.push_back(
                {probe.address, index(ProbeKind::event_argument), argument_of(argument, image)});
    }
    for (ProbeRecord& record : records) {
        record.physical = physical_of(record.address, elf, file);
        record.address += base;
        image.probes.push_back(std::move(record));
    }
}

// All code of the kernel's image is the kernel's, also what it has of the library.
void add_code(Image& image, const ElfFile& elf, Address base) {
    for (CodeSection& section : image.code)
        if (section.name == ".text") section.name = ".text.kernel";
    for (CodeSection& section : read_code_sections(elf)) {
        section.address += base;
        image.code.push_back(std::move(section));
    }
}

void add_symbols(Image& image, const ElfFile& elf, Address base) {
    std::vector<Symbol> all = image.symbols.all();
    const Symbols own = read_symbols(elf);
    for (Symbol symbol : own.all()) {
        if (symbol.absolute || symbol.name.rfind(".L", 0) == 0) continue;  // labels of a compiler
        symbol.address += base;
        symbol.end += base;
        all.push_back(std::move(symbol));
    }
    image.symbols = Symbols(std::move(all));
}

}  // namespace

bool is_linux_program(const std::vector<std::uint8_t>& file) {
    Elf32_Ehdr elf;
    if (file.size() < sizeof elf) return false;
    std::memcpy(&elf, file.data(), sizeof elf);
    if (std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0 || elf.e_ident[EI_CLASS] != ELFCLASS32 ||
        elf.e_machine != EM_386)
        return false;
    const std::vector<Elf32_Phdr> headers = headers_of(file, elf);
    if (!has(headers, PT_LOAD)) return false;
    if (elf.e_type == ET_DYN) return elf.e_entry != 0;
    return elf.e_type == ET_EXEC &&
           std::all_of(headers.begin(), headers.end(), [](const Elf32_Phdr& h) {
               return h.p_type != PT_LOAD || h.p_vaddr >= kProgramsBegin;
           });
}

void refuse_other_processor(const std::vector<std::uint8_t>& file,
                            const std::filesystem::path& path) {
    Elf32_Ehdr elf;  // the first fields of a 64-bit header are the same
    if (file.size() < sizeof elf) return;
    std::memcpy(&elf, file.data(), sizeof elf);
    if (std::memcmp(elf.e_ident, ELFMAG, SELFMAG) == 0 && elf.e_machine != EM_386)
        ElfFile(file, path, ElfFile::For::linux_kernel);  // throws
}

std::vector<std::string> split_words(const std::string& text, const std::string& where) {
    std::vector<std::string> words;
    bool in_word = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == 0 && c == ' ') {
            in_word = false;
            continue;
        }
        if (!in_word) words.emplace_back();
        in_word = true;
        if (c == '\\' && quote != '\'' && i + 1 < text.size())
            words.back() += text[++i];
        else if (quote == 0 && (c == '\'' || c == '"'))
            quote = c;
        else if (c == quote)
            quote = 0;
        else
            words.back() += c;
    }
    if (quote != 0)
        throw UserError(fmt::format("{}: {} without its partner in {}; write {}...{} for one word",
                                    where, quote, text, quote, quote));
    return words;
}

std::string join_words(const std::vector<std::string>& words) {
    constexpr std::string_view kPlain = "+-./:=@_,%";
    std::string text;
    for (const std::string& word : words) {
        const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) ||
                   kPlain.find(c) != std::string_view::npos;
        });
        if (!text.empty()) text += ' ';
        if (plain) {
            text += word;
            continue;
        }
        text += '\'';
        for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

Image with_program(Image kernel, LinuxProgram program, std::uint64_t memory_bytes) {
    const ElfFile elf(program.file, program.path, ElfFile::For::linux_kernel);
    std::uint64_t end = 0;
    for (const LoadSegment& segment : kernel.segments) end = std::max(end, segment.end());
    LoadSegment placed;
    placed.address = page_up(end);
    placed.bytes = laid_out(program);
    placed.memory_size = static_cast<std::uint32_t>(placed.bytes.size());
    if (placed.end() > memory_bytes)
        elf.fail(fmt::format("needs {} MB, memory.size_mb = {}; raise memory.size_mb",
                             (placed.end() + kMegabyte - 1) / kMegabyte + 1,
                             memory_bytes / kMegabyte));
    set_variable(kernel, kProgram, placed.address);
    const Address file = placed.address + boost::endian::load_little_u32(placed.bytes.data());
    kernel.segments.push_back(std::move(placed));
    kernel.system_calls = system_calls(kernel);
    const Address base = elf.header().e_type == ET_DYN ? kIndependentBase : 0;
    add_symbols(kernel, elf, base);
    add_code(kernel, elf, base);
    add_probes(kernel, elf, base, file);
    kernel.linux_program = true;
    kernel.path = program.path;
    kernel.sha256 = sha256(program.file);
    kernel.compiler = read_text(elf, ".comment");
    kernel.file = std::move(program.file);
    return kernel;
}

}  // namespace symsim
