// SPDX-License-Identifier: MIT
#include "sim/image/linux_program.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <cstring>
#include <utility>

#include "sim/base/failure.h"
#include "sim/base/linux_call_names.h"
#include "sim/base/probe_point.h"
#include "sim/base/sha256.h"
#include "sim/image/elf_file.h"
#include "sim/image/handoff.h"
#include "sim/image/probe_records.h"
#include "sim/image/static_probes.h"

namespace symsim {
namespace {

constexpr std::uint64_t kMegabyte = 1 << 20;
constexpr Address kKernelsBegin = 0x0010'0000;
constexpr Address kDefaultBegin = 0x0800'0000;           // where linkers put programs of Linux
constexpr Address kMappingsEnd = 0xbf6f'f000;            // guest/linux/memory.h
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

Address base_of(const ElfFile& elf) {
    return elf.header().e_type == ET_DYN ? INDEPENDENT_BASE : 0;
}

std::uint32_t page_up(std::uint64_t address) {
    return static_cast<std::uint32_t>((address + GUEST_PAGE_BYTES - 1) / GUEST_PAGE_BYTES *
                                      GUEST_PAGE_BYTES);
}

void append(std::vector<std::uint8_t>& to, const std::string& text) {
    to.insert(to.end(), text.begin(), text.end());
    to.push_back(0);
}

void put_word(std::uint8_t* to, std::uint32_t word) {
    boost::endian::store_little_u32(to, word);
}

// struct program with all that it names: paths after it, then each file from a page of its own.
class Layout {
  public:
    explicit Layout(std::size_t others)
        : bytes_(sizeof(handoff::program) + others * sizeof(handoff::given)) {
        head_.others = sizeof head_;
        head_.number = static_cast<std::uint32_t>(others);
    }
    // Before all put().
    std::uint32_t path(const std::string& text) {
        const std::size_t at = bytes_.size();
        append(bytes_, text);
        return static_cast<std::uint32_t>(at);
    }
    handoff::given put(std::uint32_t path, std::uint32_t mode,
                       const std::vector<std::uint8_t>& file) {
        bytes_.resize(page_up(bytes_.size()));
        const auto at = static_cast<std::uint32_t>(bytes_.size());
        bytes_.insert(bytes_.end(), file.begin(), file.end());
        return {path, mode, at, static_cast<std::uint32_t>(file.size())};
    }
    handoff::program& head() { return head_; }
    void put_other(std::size_t number, const handoff::given& given) {
        std::memcpy(bytes_.data() + sizeof head_ + number * sizeof given, &given, sizeof given);
    }
    std::vector<std::uint8_t> take() {
        bytes_.resize(page_up(bytes_.size()));
        head_.bytes = static_cast<std::uint32_t>(bytes_.size());
        std::memcpy(bytes_.data(), &head_, sizeof head_);
        return std::move(bytes_);
    }

  private:
    handoff::program head_ = {};
    std::vector<std::uint8_t> bytes_;
};

std::vector<std::uint8_t> laid_out(const LinuxProgram& program) {
    std::vector<std::uint8_t> texts;
    append(texts, program.path.string());
    // argv[0], as one types it in a shell.
    append(texts, (program.path.has_parent_path() ? "" : "./") + program.path.string());
    for (const std::string& text : program.arguments) append(texts, text);
    for (const std::string& text : program.variables) append(texts, text);
    Layout layout(program.files.size());
    const std::uint32_t own = layout.path(path_inside(program.path));
    std::vector<std::uint32_t> paths;
    for (const GivenFile& file : program.files) paths.push_back(layout.path(file.path));
    layout.head().arguments = static_cast<std::uint32_t>(program.arguments.size()) + 1;
    layout.head().variables = static_cast<std::uint32_t>(program.variables.size());
    layout.head().executable = layout.put(own, TYPE_REGULAR | 0755u, program.file);
    layout.head().texts = layout.put(0, TYPE_REGULAR, texts);
    for (std::size_t i = 0; i < paths.size(); ++i)
        layout.put_other(i, layout.put(paths[i], program.files[i].mode, program.files[i].bytes));
    return layout.take();
}

// What guest/linux/elf.c would refuse, in words.
void check_segments(const ElfFile& elf) {
    const std::uint64_t base = base_of(elf), entry = base + elf.header().e_entry;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pages;
    bool enters_code = false;
    for (const GElf_Phdr& p : elf.segments()) {
        if (p.p_memsz == 0) continue;
        const std::uint64_t begin = base + p.p_vaddr, end = begin + p.p_memsz;
        const auto refuse = [&](std::string_view why) {
            elf.fail(
                fmt::format("the segment at {:#010x} {}; link it with gcc -m32 -static, without "
                            "a linker script",
                            begin, why));
        };
        if (begin < PROGRAMS_BEGIN)
            elf.fail(
                fmt::format("is linked at {:#010x}, and Linux has programs from {:#010x} on; link "
                            "it without -Ttext",
                            begin, PROGRAMS_BEGIN));
        if (end > kMappingsEnd) refuse(fmt::format("does not end below {:#010x}", kMappingsEnd));
        if (p.p_offset % GUEST_PAGE_BYTES != begin % GUEST_PAGE_BYTES)
            refuse("begins elsewhere in its page than in the file");
        pages.emplace_back(begin / GUEST_PAGE_BYTES, (end - 1) / GUEST_PAGE_BYTES);
        enters_code |= (p.p_flags & PF_X) != 0 && entry >= begin && entry < begin + p.p_filesz;
    }
    std::sort(pages.begin(), pages.end());
    for (std::size_t i = 1; i < pages.size(); ++i)
        if (pages[i].first <= pages[i - 1].second)
            elf.fail(
                fmt::format("two segments share the page {:#010x}; link it with gcc -m32 "
                            "-static, without a linker script",
                            pages[i].first * GUEST_PAGE_BYTES));
    if (!enters_code) elf.fail(fmt::format("its entry point {:#010x} is not in code", entry));
}

// Writes `word` to the kernel's variable.
void set_variable(Image& kernel, std::string_view name, std::uint32_t word) {
    const Symbol* symbol = kernel.symbols.find(name);
    for (LoadSegment& segment : kernel.segments) {
        if (symbol == nullptr) break;
        const Address place = symbol->address - kernel.linked_above;
        if (place < segment.address) continue;
        const std::uint32_t at = place - segment.address;
        if (std::uint64_t{at} + 4 > segment.bytes.size()) continue;
        put_word(segment.bytes.data() + at, word);
        return;
    }
    throw UserError(fmt::format(
        "guest image {}: has no variable {}, so it is not the kernel for Linux programs; build it "
        "again: ninja guest-linux",
        kernel.path.string(), name));
}

// By number; a number that no call has is its own name.
std::vector<std::string> system_calls() {
    std::vector<std::string> names(kLinuxCallNames.begin(), kLinuxCallNames.end());
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].empty()) names[i] = std::to_string(i);
    return names;
}

// Where the processor finds an address of the program's code: the kernel maps the file's pages.
std::optional<Address> place_of(Address address, const ElfFile& elf, Address file) {
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

// The program's probe points, its static probes, and a point at the entry of
// pthread_create(thread, attributes, function, argument).
void add_probes(Image& image, const ElfFile& elf, Address base, Address file) {
    std::vector<ProbeRecord> records = read_probes(elf, 0);
    const auto add = [&](Address at, ProbeKind kind, std::string operand) {
        records.push_back({at, static_cast<std::uint32_t>(kind), std::move(operand), at});
    };
    const Symbols symbols = read_symbols(elf);
    if (const Symbol* const create = symbols.find("pthread_create"))
        add(create->address, ProbeKind::thread_function, "12(%esp)");
    for (const StaticProbe& probe : read_static_probes(elf)) {
        add(probe.address, ProbeKind::event, fmt::format("${}", image.events.size()));
        image.events.push_back(probe.name);
        for (const std::string& argument : probe.arguments)
            add(probe.address, ProbeKind::event_argument, argument_of(argument, image));
    }
    for (ProbeRecord& record : records) {
        record.linear += base;
        if (const auto place = place_of(record.address, elf, file)) record.address = *place;
        image.probes.push_back(std::move(record));
    }
}

// All code of the kernel's image is the kernel's, also what it has of the library.
void add_code(Image& image, const ElfFile& elf, Address base) {
    for (CodeSection& section : image.code)
        if (section.name == ".text") section.name = ".text.kernel";
    image.program_sections = read_code_sections(elf, 0 - base);
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
    if (elf.e_type != ET_EXEC) return false;
    std::vector<Elf32_Phdr> loaded;
    std::copy_if(headers.begin(), headers.end(), std::back_inserter(loaded),
                 [](const Elf32_Phdr& h) { return h.p_type == PT_LOAD; });
    const auto all = [&](auto is) { return std::all_of(loaded.begin(), loaded.end(), is); };
    if (!all([](const Elf32_Phdr& h) { return h.p_vaddr < PROGRAMS_END; })) return false;
    // A program of Linux finds its headers in its memory. One for the bare machine has none there,
    // or its code is where boot loaders put kernels.
    const bool for_bare_machine = std::any_of(
        loaded.begin(), loaded.end(),
        [](const Elf32_Phdr& h) { return (h.p_flags & PF_X) != 0 && h.p_vaddr == kKernelsBegin; });
    return (loaded.front().p_offset == 0 && !for_bare_machine) ||
           all([](const Elf32_Phdr& h) { return h.p_vaddr >= kDefaultBegin; });
}

void refuse_no_program(const std::vector<std::uint8_t>& file, const std::filesystem::path& path) {
    const ElfFile elf(file, path, ElfFile::For::linux_kernel);
    if (elf.header().e_type == ET_DYN && elf.header().e_entry == 0)
        elf.fail("is a shared library and not a program; name the program");
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
    check_segments(elf);
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
    if (placed.end() > GIVEN_END)
        elf.fail(
            fmt::format("ends at {} MB of memory with the kernel and guest.files, and the "
                        "kernel has room for {}",
                        (placed.end() + kMegabyte - 1) / kMegabyte, GIVEN_END / kMegabyte));
    set_variable(kernel, kProgram, placed.address);
    handoff::program head;
    std::memcpy(&head, placed.bytes.data(), sizeof head);
    const Address file = placed.address + head.executable.at;
    placed.executable = true;  // its code stays there
    kernel.linux_program = placed.address;
    kernel.segments.push_back(std::move(placed));
    kernel.system_calls = system_calls();
    const Address base = base_of(elf);
    add_symbols(kernel, elf, base);
    add_code(kernel, elf, base);
    add_probes(kernel, elf, base, file);
    for (const GElf_Phdr& p : elf.segments())
        if ((p.p_flags & PF_X) != 0)
            kernel.program_code.push_back(
                {static_cast<Address>(base + p.p_vaddr), p.p_offset, p.p_filesz});
    kernel.path = program.path;
    kernel.sha256 = sha256(program.file);
    kernel.compiler = read_text(elf, ".comment");
    kernel.file = std::move(program.file);
    return kernel;
}

}  // namespace symsim
