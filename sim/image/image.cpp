// SPDX-License-Identifier: MIT
#include "sim/image/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <cstring>
#include <utility>

#include "sim/base/failure.h"
#include "sim/base/input_file.h"
#include "sim/base/sha256.h"
#include "sim/image/elf_file.h"
#include "sim/interconnect/device_space.h"

namespace symsim {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMegabyte = 1 << 20;

// Largest file of a guest. Programs with all their debug information have some megabytes.
constexpr std::uint64_t kMostBytes = 256 * kMegabyte;

// A kernel may be linked above memory; its entry point is in memory, and turns paging on.
Address linked_above(const ElfFile& elf) {
    std::optional<std::uint64_t> above;
    for (const GElf_Phdr& p : elf.segments()) {
        if (p.p_memsz == 0) continue;
        if (above.value_or(p.p_vaddr - p.p_paddr) != p.p_vaddr - p.p_paddr)
            elf.fail(
                fmt::format("the segment at {:#010x} is linked for {:#010x}, others are not so far "
                            "from theirs, and the machine starts without paging; link all segments "
                            "alike (no AT in the linker script)",
                            p.p_paddr, p.p_vaddr));
        above = p.p_vaddr - p.p_paddr;
    }
    return static_cast<Address>(above.value_or(0));
}

void check_place(const ElfFile& elf, const GElf_Phdr& p, std::uint64_t memory_bytes) {
    const std::uint64_t end = p.p_paddr + p.p_memsz;
    if (end > kDeviceSpace)
        elf.fail(
            fmt::format("the segment at {:#010x} reaches into device space, which begins at "
                        "{:#010x}; link it lower",
                        p.p_paddr, kDeviceSpace));
    if (end > memory_bytes)
        elf.fail(
            fmt::format("needs {} MB, memory.size_mb = {}; raise memory.size_mb or link the "
                        "segment at {:#010x} lower",
                        (end + kMegabyte - 1) / kMegabyte, memory_bytes / kMegabyte, p.p_paddr));
}

std::vector<LoadSegment> read_segments(const ElfFile& elf, std::uint64_t memory_bytes) {
    std::vector<LoadSegment> segments;
    for (const GElf_Phdr& p : elf.segments()) {
        if (p.p_memsz == 0) continue;
        check_place(elf, p, memory_bytes);
        segments.push_back({static_cast<Address>(p.p_paddr), static_cast<std::uint32_t>(p.p_memsz),
                            (p.p_flags & PF_X) != 0, elf.bytes_of(p)});
    }
    if (segments.empty()) elf.fail("has no segment to load; link it as a program");
    std::sort(segments.begin(), segments.end(),
              [](const LoadSegment& a, const LoadSegment& b) { return a.address < b.address; });
    for (std::size_t i = 1; i < segments.size(); ++i)
        if (segments[i].address < segments[i - 1].end())
            elf.fail(
                fmt::format("the segments at {:#010x} and {:#010x} overlap; check the linker "
                            "script",
                            segments[i - 1].address, segments[i].address));
    return segments;
}

void check_entry(const ElfFile& elf, const Image& image) {
    const LoadSegment* segment = image.segment_at(image.entry);
    const bool code = segment != nullptr && segment->executable &&
                      image.entry - segment->address < segment->bytes.size();
    if (!code)
        elf.fail(fmt::format(
            "its entry point {:#010x} is not in code; name a function in the "
            "linker script's ENTRY (guest/boot/guest.ld has _start){}",
            image.entry,
            image.linked_above == 0 ? ""
                                    : "; the machine starts without paging, so give its address in "
                                      "memory, not the linked one"));
}

}  // namespace

std::vector<CodeSection> read_code_sections(const ElfFile& elf, Address above) {
    std::vector<CodeSection> code;
    for (const ElfFile::Section& s : elf.sections())
        if ((s.header.sh_flags & SHF_EXECINSTR) != 0 && (s.header.sh_flags & SHF_ALLOC) != 0)
            code.push_back({s.name, static_cast<Address>(s.header.sh_addr) - above,
                            static_cast<std::uint32_t>(s.header.sh_size)});
    return code;
}

// A record is laid out as guest/include/probes.h writes it: address, kind, operand as text with a
// NUL, padding to a multiple of 4 bytes.
std::vector<ProbeRecord> read_probes(const ElfFile& elf, Address above) {
    using boost::endian::load_little_u32;
    constexpr std::size_t kFixed = 8;
    const std::vector<std::uint8_t> bytes = elf.contents(".symsim.probes");
    std::vector<ProbeRecord> records;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t room = bytes.size() - at;
        const std::uint8_t* record = bytes.data() + at;
        const void* nul = room > kFixed ? std::memchr(record + kFixed, 0, room - kFixed) : nullptr;
        if (nul == nullptr)
            elf.fail(
                fmt::format("probe record {}: cut off at byte {} of .symsim.probes; write "
                            "probes with the macros of guest/include/probes.h",
                            records.size() + 1, at));
        const char* text = reinterpret_cast<const char*>(record + kFixed);
        const Address linked = load_little_u32(record);
        records.push_back({linked - above, load_little_u32(record + 4), text, linked});
        at += (kFixed + records.back().operand.size() + 1 + 3) / 4 * 4;
    }
    return records;
}

Symbols read_symbols(const ElfFile& elf) {
    std::vector<Symbol> symbols;
    elf.for_each_symbol([&](std::string_view name, const GElf_Sym& s) {
        const unsigned type = GELF_ST_TYPE(s.st_info);
        if (name.empty() || s.st_shndx == SHN_UNDEF || type == STT_FILE || type == STT_SECTION)
            return;
        Symbol symbol;
        symbol.name = name;
        symbol.address = static_cast<Address>(s.st_value);
        symbol.size = static_cast<std::uint32_t>(s.st_size);
        symbol.end = s.st_value + s.st_size;
        symbol.function = type == STT_FUNC;
        symbol.typed = type == STT_FUNC || type == STT_OBJECT;
        symbol.global = GELF_ST_BIND(s.st_info) != STB_LOCAL;
        symbol.absolute = s.st_shndx == SHN_ABS;
        if (s.st_size == 0 && s.st_shndx >= 1 && s.st_shndx <= elf.sections().size()) {
            const GElf_Shdr& section = elf.sections()[s.st_shndx - 1].header;
            symbol.end = section.sh_addr + section.sh_size;
        }
        symbols.push_back(std::move(symbol));
    });
    return Symbols(std::move(symbols));
}

std::string read_text(const ElfFile& elf, std::string_view section) {
    std::string text;
    std::vector<std::string> seen;
    std::string piece;
    std::vector<std::uint8_t> bytes = elf.contents(section);
    bytes.push_back(0);  // the last string may have no end
    for (const std::uint8_t byte : bytes) {
        if (byte != 0 && byte != '\n') {
            piece += byte < ' ' || byte > '~' ? '?' : static_cast<char>(byte);
            continue;
        }
        if (!piece.empty() && std::find(seen.begin(), seen.end(), piece) == seen.end())
            seen.push_back(piece);
        piece.clear();
    }
    for (const std::string& s : seen) text += (text.empty() ? "" : "; ") + s;
    return text;
}

const LoadSegment* Image::segment_at(Address address) const {
    const auto after =
        std::upper_bound(segments.begin(), segments.end(), address,
                         [](Address a, const LoadSegment& s) { return a < s.address; });
    if (after == segments.begin()) return nullptr;
    const LoadSegment& segment = *std::prev(after);
    return address < segment.end() ? &segment : nullptr;
}

std::vector<NamedRange> Image::names_in_memory() const {
    std::vector<NamedRange> names;
    for (NamedRange& name : symbols.ranges()) {
        if (name.begin < linked_above) continue;
        names.push_back({name.begin - linked_above, name.end - linked_above,
                         name.origin - linked_above, std::move(name.name)});
    }
    return names;
}

void Image::copy_to(Memory& memory) const {
    for (const LoadSegment& s : segments) {
        if (s.end() > memory.size())
            impossible("segment {:#010x} to {:#010x} in a memory of {} bytes", s.address, s.end(),
                       memory.size());
        std::copy(s.bytes.begin(), s.bytes.end(), memory.data() + s.address);
    }
}

Image parse_image(std::vector<std::uint8_t> file, const fs::path& path,
                  std::uint64_t memory_bytes) {
    const ElfFile elf(std::move(file), path);
    Image image;
    image.path = path;
    image.entry = static_cast<Address>(elf.header().e_entry);
    image.linked_above = linked_above(elf);
    image.segments = read_segments(elf, memory_bytes);
    check_entry(elf, image);
    image.code = read_code_sections(elf, image.linked_above);
    image.symbols = read_symbols(elf);
    image.probes = read_probes(elf, image.linked_above);
    image.compiler = read_text(elf, ".comment");
    image.flags = read_text(elf, ".symsim.flags");
    image.sha256 = sha256(elf.bytes());
    image.file = elf.bytes();
    return image;
}

std::vector<std::uint8_t> read_image(const fs::path& path) {
    const InputFile file(path, "guest image",
                         "name the linked program in guest.image, and check its permissions");
    return file.bytes(kMostBytes);
}

Image load_image(const fs::path& path, std::uint64_t memory_bytes) {
    return parse_image(read_image(path), path, memory_bytes);
}

}  // namespace symsim
