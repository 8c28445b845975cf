// SPDX-License-Identifier: MIT
#include "sim/image/elf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "sim/base/failure.h"

namespace symsim {
namespace {

constexpr std::string_view kCure =
    "compile and link it with gcc -m32 -march=i386 -static -no-pie -nostdlib";
constexpr std::string_view kLinuxCure = "compile and link it with gcc -m32 -static";
constexpr std::string_view kDamaged = "the file is cut off or damaged; build it again";

std::string machine_name(unsigned machine) {
    struct Name {
        unsigned machine;
        std::string_view text;
    };
    static constexpr std::array kNames = {
        Name{EM_X86_64, "x86-64"}, Name{EM_AARCH64, "aarch64"}, Name{EM_ARM, "arm"},
        Name{EM_RISCV, "riscv"},   Name{EM_PPC, "powerpc"},     Name{EM_PPC64, "powerpc64"},
        Name{EM_MIPS, "mips"},     Name{EM_SPARC, "sparc"},     Name{EM_SPARCV9, "sparc64"},
        Name{EM_68K, "m68k"},      Name{EM_S390, "s390"},       Name{EM_ALPHA, "alpha"},
        Name{EM_IA_64, "ia64"},    Name{EM_NS32K, "ns32k"},
    };
    for (const Name& n : kNames)
        if (n.machine == machine) return std::string(n.text);
    return fmt::format("machine {} (of the ELF header's numbers)", machine);
}

}  // namespace

ElfFile::ElfFile(std::vector<std::uint8_t> bytes, std::filesystem::path path, For use)
    : bytes_(std::move(bytes)), path_(std::move(path)), use_(use), elf_(nullptr, elf_end) {
    elf_version(EV_CURRENT);
    if (bytes_.size() < SELFMAG || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0)
        fail("is not an ELF file; name the linked program, not its source or a script");
    elf_.reset(elf_memory(reinterpret_cast<char*>(bytes_.data()), bytes_.size()));
    if (elf_ == nullptr || elf_kind(elf_.get()) != ELF_K_ELF ||
        gelf_getehdr(elf_.get(), &header_) == nullptr)
        fail(fmt::format("its ELF header is not whole: {}", kDamaged));
    check_header();
    read_segments();
    read_sections();
    if (use_ == For::machine) refuse_thread_local();
}

void ElfFile::fail(const std::string& text) const {
    throw UserError(fmt::format("guest image {}: {}", path_.string(), text));
}

bool ElfFile::within_file(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
}

void ElfFile::check_header() {
    const std::string_view cure = use_ == For::machine ? kCure : kLinuxCure;
    if (header_.e_machine != EM_386)
        fail(fmt::format("image is for {}, and this machine is a 386; {}",
                         machine_name(header_.e_machine), cure));
    if (header_.e_ident[EI_CLASS] != ELFCLASS32)
        fail(fmt::format("image is 64-bit, and this machine is a 386; {}", cure));
    if (header_.e_ident[EI_DATA] != ELFDATA2LSB)
        fail(fmt::format("image is big-endian, and the 386 is not; {}", cure));
    switch (header_.e_type) {
        case ET_EXEC:
            break;
        case ET_REL:
            fail("is an object file and not a program; link it: gcc -m32 -static, or symlab cc");
        case ET_DYN:
            if (use_ == For::linux_kernel) break;
            fail(
                "is position-independent or a shared library, and nothing here relocates it; "
                "link it with -static -no-pie");
        case ET_CORE:
            fail("is a core dump and not a program; name the program");
        default:
            fail(fmt::format("is not a program (ELF type {}); {}", header_.e_type, kDamaged));
    }
}

void ElfFile::read_segments() {
    std::size_t count = 0;
    if (elf_getphdrnum(elf_.get(), &count) != 0 ||
        !within_file(header_.e_phoff, std::uint64_t{count} * sizeof(Elf32_Phdr)))
        fail(fmt::format("its program headers go past the end of the file: {}", kDamaged));
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr p;
        if (gelf_getphdr(elf_.get(), static_cast<int>(i), &p) == nullptr)
            fail(fmt::format("program header {} cannot be read: {}", i, kDamaged));
        if (p.p_type == PT_INTERP || (p.p_type == PT_DYNAMIC && use_ == For::machine))
            fail(
                "is dynamically linked, and there is no system here to link it; link it with "
                "-static");
        if (p.p_type == PT_TLS) has_thread_segment_ = true;
        if (p.p_type != PT_LOAD) continue;
        if (!within_file(p.p_offset, p.p_filesz))
            fail(fmt::format("segment {} goes past the end of the file: {}", i, kDamaged));
        if (p.p_filesz > p.p_memsz)
            fail(fmt::format("segment {} has more bytes in the file than in memory: {}", i,
                             kDamaged));
        segments_.push_back(p);
    }
}

// Section headers are optional: a program without them runs, and all its code counts as user
// activity.
void ElfFile::read_sections() {
    std::size_t count = 0, names = 0;
    if (elf_getshdrnum(elf_.get(), &count) != 0 ||
        !within_file(header_.e_shoff, std::uint64_t{count} * sizeof(Elf32_Shdr)) ||
        (count == 0 && header_.e_shnum != 0))
        fail(fmt::format("its section headers go past the end of the file: {}", kDamaged));
    if (count > 0 && elf_getshdrstrndx(elf_.get(), &names) != 0)
        fail(fmt::format("its table of section names cannot be found: {}", kDamaged));
    for (std::size_t i = 1; i < count; ++i) {
        Section section;
        Elf_Scn* scn = elf_getscn(elf_.get(), i);
        if (scn == nullptr || gelf_getshdr(scn, &section.header) == nullptr)
            fail(fmt::format("section header {} cannot be read: {}", i, kDamaged));
        const GElf_Shdr& h = section.header;
        const char* name = elf_strptr(elf_.get(), names, h.sh_name);
        if (name != nullptr) section.name = name;
        if (h.sh_type != SHT_NOBITS && h.sh_type != SHT_NULL &&
            !within_file(h.sh_offset, h.sh_size))
            fail(fmt::format("section {} ({}) goes past the end of the file: {}", i, section.name,
                             kDamaged));
        sections_.push_back(std::move(section));
    }
}

// Nothing sets %gs to a block of variables for each thread: loads would give anything, and stores
// would go anywhere.
void ElfFile::refuse_thread_local() const {
    const bool has_sections = std::any_of(sections_.begin(), sections_.end(), [](const Section& s) {
        return (s.header.sh_flags & SHF_TLS) != 0;
    });
    constexpr unsigned kMostNames = 6;
    unsigned count = 0;
    std::string names;
    for_each_symbol([&](std::string_view name, const GElf_Sym& symbol) {
        if (GELF_ST_TYPE(symbol.st_info) != STT_TLS) return;
        if (count++ < kMostNames) names += fmt::format("{}{}", count > 1 ? ", " : "", name);
    });
    if (count == 0 && !has_sections && !has_thread_segment_) return;
    if (count > kMostNames) names += fmt::format(" and {} more", count - kMostNames);
    fail(
        fmt::format("has thread-local variables (__thread, _Thread_local){}{}, and nothing here "
                    "gives each thread its own; build it as a Linux program (gcc -m32 -static), or "
                    "use an array indexed by processor, or pthread_getspecific",
                    names.empty() ? "" : ": ", names));
}

std::vector<std::uint8_t> ElfFile::bytes_of(const GElf_Phdr& segment) const {
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(segment.p_offset);
    return {begin, begin + static_cast<std::ptrdiff_t>(segment.p_filesz)};
}

std::vector<std::uint8_t> ElfFile::contents(std::string_view section) const {
    for (const Section& s : sections_) {
        const auto type = s.header.sh_type;
        if (s.name != section || type == SHT_NOBITS || type == SHT_NULL) continue;
        const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(s.header.sh_offset);
        return {begin, begin + static_cast<std::ptrdiff_t>(s.header.sh_size)};
    }
    return {};
}

void ElfFile::for_each_symbol(
    const std::function<void(std::string_view, const GElf_Sym&)>& visit) const {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        const GElf_Shdr& header = sections_[i].header;
        if (header.sh_type != SHT_SYMTAB) continue;
        Elf_Data* data = elf_getdata(elf_getscn(elf_.get(), i + 1), nullptr);
        if (data == nullptr)
            fail(fmt::format("its symbol table cannot be read ({}): {}", elf_errmsg(-1), kDamaged));
        const std::size_t count = data->d_size / sizeof(Elf32_Sym);
        for (std::size_t n = 1; n < count; ++n) {
            GElf_Sym symbol;
            if (gelf_getsym(data, static_cast<int>(n), &symbol) == nullptr) continue;
            const char* name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
            if (name != nullptr) visit(name, symbol);
        }
    }
}

}  // namespace symsim
