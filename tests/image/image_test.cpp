// SPDX-License-Identifier: MIT
#include "sim/image/image.h"

#include <elf.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>

#include "sim/image/arguments.h"
#include "tests/support/elf_writer.h"
#include "tests/support/user_error.h"

namespace symsim {
namespace {

namespace fs = std::filesystem;
using test::Bytes;
using test::ElfWriter;
using test::user_error;

constexpr std::uint64_t kMemory = 4 << 20;

ElfWriter small_guest() {
    ElfWriter elf;
    elf.entry(0x100004)
        .code(".text", 0x100000, Bytes(64, 0x90))
        .data(".data", 0x102000, {1, 2, 3, 4}, 12);
    return elf;
}

Image parse(const ElfWriter& elf, std::uint64_t memory = kMemory) {
    return parse_image(elf.bytes(), "guest.elf", memory);
}

std::string error_of(const ElfWriter& elf, std::uint64_t memory = kMemory) {
    return user_error([&] { parse(elf, memory); });
}

TEST(Image, HasItsEntryAndItsSegmentsSortedByAddress) {
    ElfWriter elf;
    elf.entry(0x200000).data(".data", 0x300000, {1, 2}, 6).code(".text", 0x200000, Bytes(16, 0x90));
    const Image image = parse(elf);
    EXPECT_EQ(image.entry, 0x200000u);
    ASSERT_EQ(image.segments.size(), 2u);
    EXPECT_EQ(image.segments[0].address, 0x200000u);
    EXPECT_TRUE(image.segments[0].executable);
    EXPECT_EQ(image.segments[0].bytes, Bytes(16, 0x90));
    EXPECT_FALSE(image.segments[1].executable);
    EXPECT_EQ(image.segments[1].bytes, (Bytes{1, 2}));
    EXPECT_EQ(image.segments[1].memory_size, 8u);
}

TEST(Image, FindsTheSegmentOfAnAddress) {
    const Image image = parse(small_guest());
    EXPECT_EQ(image.segment_at(0x0fffff), nullptr);
    EXPECT_EQ(image.segment_at(0x100000), &image.segments[0]);
    EXPECT_EQ(image.segment_at(0x10003f), &image.segments[0]);
    EXPECT_EQ(image.segment_at(0x100040), nullptr);
    EXPECT_EQ(image.segment_at(0x10200f), &image.segments[1]) << "zeros belong to a segment too";
    EXPECT_EQ(image.segment_at(0x102010), nullptr);
}

TEST(Image, CopiesItsBytesIntoMemoryAndNothingElse) {
    Memory memory(kMemory);
    parse(small_guest()).copy_to(memory);
    EXPECT_EQ(memory.read(0x0ffffc, 4), 0u);
    EXPECT_EQ(memory.read(0x100000, 4), 0x90909090u);
    EXPECT_EQ(memory.read(0x100040, 4), 0u);
    EXPECT_EQ(memory.read(0x102000, 4), 0x04030201u);
    EXPECT_EQ(memory.read(0x102004, 4), 0u);
}

TEST(Image, KnowsItsExecutableSections) {
    ElfWriter elf = small_guest();
    elf.code(".text.spin", 0x101000, Bytes(32, 0x90));
    const Image image = parse(elf);
    ASSERT_EQ(image.code.size(), 2u);
    EXPECT_EQ(image.code[1].name, ".text.spin");
    EXPECT_EQ(image.code[1].address, 0x101000u);
    EXPECT_EQ(image.code[1].size, 32u);
}

TEST(Image, MayHaveNoThreadLocalVariables) {
    ElfWriter elf = small_guest();
    elf.segment(PT_TLS, PF_R, 0x102000, 0x102000, {1, 2, 3, 4}, 8);
    EXPECT_NE(error_of(elf).find("has thread-local variables"), std::string::npos);
}

// ranges() and describe() must name every address alike.
TEST(Image, NamedRangesAgreeWithDescribe) {
    const Symbols symbols({{"outer", 0x100, 0x40, 0x140, true, true, false},
                           {"inner", 0x110, 0x8, 0x118, true, false, false},
                           {"same", 0x110, 0x4, 0x114, false, false, false},
                           {"label", 0x150, 0, 0x150, false, false, false},
                           {"number", 0x105, 0, 0, false, false, true},
                           {"top", 0xffff'fff0, 0x10, 0x1'0000'0000, true, true, false}});
    const std::vector<NamedRange> ranges = symbols.ranges();
    const auto described = [&](Address a) -> std::string {
        for (const NamedRange& r : ranges)
            if (r.begin <= a && a < r.end)
                return r.name + (a == r.origin ? "" : fmt::format("+{:#x}", a - r.origin));
        return fmt::format("{:#010x}", a);
    };
    for (Address a = 0xf0; a < 0x170; ++a) EXPECT_EQ(described(a), symbols.describe(a));
    for (Address a = 0xffff'ffe8; a != 0; ++a) EXPECT_EQ(described(a), symbols.describe(a));
    EXPECT_EQ(described(0x112), "inner+0x2");
    EXPECT_EQ(described(0x118), "outer+0x18");
    for (std::size_t i = 1; i < ranges.size(); ++i) EXPECT_LE(ranges[i - 1].end, ranges[i].begin);
    EXPECT_TRUE(Symbols().ranges().empty());
}

TEST(Image, KnowsItsSymbolsWithTheirSizes) {
    ElfWriter elf = small_guest();
    elf.symbol("main", 0x100010, 8)
        .symbol("again", 0x100020, 0, ElfWriter::Symbol::label, false)
        .symbol("kStackBytes", 0x2000, 0, ElfWriter::Symbol::label);
    const Image image = parse(elf);
    EXPECT_EQ(image.symbols.describe(0x100017), "main+0x7");
    EXPECT_EQ(image.symbols.describe(0x100018), "0x00100018");
    EXPECT_EQ(image.symbols.describe(0x10003f), "again+0x1f") << "a label names its section's rest";
    EXPECT_EQ(image.symbols.describe(0x2000), "0x00002000") << "a number is not a place";
    ASSERT_NE(image.symbols.find("kStackBytes"), nullptr);
    EXPECT_EQ(image.symbols.find("kStackBytes")->address, 0x2000u);
}

TEST(Image, ListsEachCompilerAndEachSetOfFlagsOnce) {
    ElfWriter elf = small_guest();
    elf.raw(".comment", {'g', 'c', 'c', 0, 'g', 'c', 'c', 0, 'a', 's'});
    elf.text(".symsim.flags", "-m32 -O2");
    const Image image = parse(elf);
    EXPECT_EQ(image.compiler, "gcc; as");
    EXPECT_EQ(image.flags, "-m32 -O2");
    EXPECT_EQ(image.sha256.size(), 64u);
}

TEST(Image, SplitsProbeRecordsAtTheirPadding) {
    ElfWriter elf = small_guest();
    elf.probe(0x100000, 1, "%eax").probe(0x100001, 2, "$8").probe(0x100002, 32, "12(%esp)");
    const Image image = parse(elf);
    ASSERT_EQ(image.probes.size(), 3u);
    EXPECT_EQ(image.probes[0].operand, "%eax");
    EXPECT_EQ(image.probes[1].address, 0x100001u);
    EXPECT_EQ(image.probes[1].operand, "$8");
    EXPECT_EQ(image.probes[2].kind, 32u);
    EXPECT_EQ(image.probes[2].operand, "12(%esp)");
}

TEST(Image, IsLoadedWithoutSectionHeaders) {
    Bytes file = small_guest().bytes();
    const std::size_t shoff = offsetof(Elf32_Ehdr, e_shoff), shnum = offsetof(Elf32_Ehdr, e_shnum);
    for (std::size_t i = 0; i < 4; ++i) file[shoff + i] = 0;
    for (std::size_t i = 0; i < 4; ++i) file[shnum + i] = 0;  // and e_shstrndx
    const Image image = parse_image(file, "guest.elf", kMemory);
    EXPECT_EQ(image.segments.size(), 2u);
    EXPECT_TRUE(image.code.empty());
}

TEST(ImageError, NamesTheFile) {
    EXPECT_SAYS(user_error([] {
                    parse_image({'#', '!', '/', 'b'}, "run.sh", kMemory);
                }),
                "guest image run.sh: is not an ELF file");
    EXPECT_SAYS(user_error([] { load_image("/nowhere/x.elf", kMemory); }),
                "/nowhere/x.elf: there is no such file");
    EXPECT_SAYS(user_error([] { load_image("/", kMemory); }), "is a folder and not a file");
}

TEST(ImageError, NamesTheMachineTheImageIsFor) {
    EXPECT_SAYS(error_of(small_guest().machine(EM_AARCH64)), "image is for aarch64");
    EXPECT_SAYS(error_of(small_guest().machine(EM_X86_64)), "image is for x86-64");
    EXPECT_SAYS(error_of(small_guest().machine(4711)), "image is for machine 4711");
    EXPECT_SAYS(error_of(small_guest().class_and_data(ELFCLASS32, ELFDATA2MSB)), "image is for");
}

TEST(ImageError, ReportsA64BitImageForThe386) {
    Bytes file(sizeof(Elf64_Ehdr), 0);
    auto* header = reinterpret_cast<Elf64_Ehdr*>(file.data());
    std::copy_n(ELFMAG, SELFMAG, header->e_ident);
    header->e_ident[EI_CLASS] = ELFCLASS64;
    header->e_ident[EI_DATA] = ELFDATA2LSB;
    header->e_ident[EI_VERSION] = EV_CURRENT;
    header->e_type = ET_EXEC;
    header->e_machine = EM_386;
    header->e_version = EV_CURRENT;
    EXPECT_SAYS(user_error([&] { parse_image(file, "guest.elf", kMemory); }), "64-bit");
}

TEST(ImageError, ReportsFilesThatAreNotLinkedPrograms) {
    EXPECT_SAYS(error_of(small_guest().type(ET_REL)), "object file");
    EXPECT_SAYS(error_of(small_guest().type(ET_DYN)), "-static -no-pie");
    EXPECT_SAYS(error_of(small_guest().type(ET_CORE)), "core dump");
    EXPECT_SAYS(error_of(small_guest().segment(PT_INTERP, PF_R, 0, 0, {'x', 0}, 2)),
                "dynamically linked");
}

TEST(ImageError, ReportsHowMuchMemoryIsNeeded) {
    ElfWriter elf = small_guest();
    elf.data(".bss", 0x3ff000, {}, 0x1000);
    EXPECT_EQ(error_of(elf), "(no error)") << "exactly full is enough";
    elf = small_guest();
    elf.data(".bss", 0x3ff000, {}, 0x1001);
    EXPECT_SAYS(error_of(elf), "needs 5 MB, memory.size_mb = 4");
}

TEST(ImageError, ReportsSegmentsInDeviceSpace) {
    ElfWriter elf = small_guest();
    elf.data(".registers", 0x80000000, {1});
    EXPECT_SAYS(error_of(elf), "device space");
    elf = small_guest();
    elf.data(".bss", 0xfffff000, {}, 0x2000);
    EXPECT_SAYS(error_of(elf), "device space") << "a segment past 4 GB must not wrap round";
}

TEST(ImageError, ReportsOverlappingSegments) {
    ElfWriter elf = small_guest();
    elf.data(".more", 0x10200f, {1});
    EXPECT_SAYS(error_of(elf), "0x00102000 and 0x0010200f overlap");
    elf = small_guest();
    elf.data(".more", 0x102010, {1});
    EXPECT_EQ(error_of(elf), "(no error)");
}

TEST(ImageError, ReportsASegmentLinkedForAnotherAddress) {
    ElfWriter elf = small_guest();
    elf.segment(PT_LOAD, PF_R, 0xc0200000, 0x200000, {1}, 1);
    EXPECT_SAYS(error_of(elf), "starts without paging");
}

TEST(Image, MayBeLinkedAboveItsPlaceInMemory) {
    constexpr Address kAbove = 0xC000'0000;
    ElfWriter elf;
    elf.linked_above(kAbove)
        .code(".text.kernel", kAbove + 0x100000, Bytes(64, 0x90))
        .data(".data", kAbove + 0x101000, Bytes(8), 0x100)
        .symbol("symsim_memory_bytes", kAbove + 0x101004, 4, ElfWriter::Symbol::object)
        .probe(kAbove + 0x100010, 1, "%eax");
    const Image image = parse(elf.entry(0x100004));
    EXPECT_EQ(image.linked_above, kAbove);
    EXPECT_EQ(image.segments[1].address, 0x101000u);
    EXPECT_EQ(image.code[0].address, 0x100000u);
    EXPECT_EQ(image.probes[0].address, 0x100010u);
    EXPECT_EQ(image.symbols.describe(kAbove + 0x101005), "symsim_memory_bytes+0x1");
    ASSERT_EQ(image.names_in_memory().size(), 1u);
    EXPECT_EQ(image.names_in_memory()[0].begin, 0x101004u);
    Memory memory(kMemory);
    image.copy_to(memory);
    write_arguments(image, "", memory);
    EXPECT_EQ(memory.read(0x101004, 4), kMemory);
    EXPECT_SAYS(error_of(elf.entry(kAbove + 0x100004)), "starts without paging");
}

TEST(ImageError, ReportsAnEntryPointOutsideCode) {
    EXPECT_SAYS(error_of(small_guest().entry(0x100040)), "entry point 0x00100040");
    EXPECT_SAYS(error_of(small_guest().entry(0x102000)), "entry point");
    EXPECT_EQ(error_of(small_guest().entry(0x10003f)), "(no error)");
}

TEST(ImageError, ReportsAnImageWithNothingToLoad) {
    EXPECT_SAYS(error_of(ElfWriter().entry(0x1000)), "no segment");
}

TEST(ImageError, ReportsASegmentLargerInTheFileThanInMemory) {
    ElfWriter elf = small_guest();
    elf.segment(PT_LOAD, PF_R, 0x3ffff8, 0x3ffff8, Bytes(64, 1), 8);
    EXPECT_SAYS(error_of(elf), "more bytes in the file than in memory");
}

// The offset in an unused section header (SHT_NULL) has no meaning.
TEST(Image, SkipsUnusedSectionHeaders) {
    ElfWriter elf = small_guest();
    elf.text(".comment", "gcc");
    Bytes file = elf.bytes();
    const auto* header = reinterpret_cast<const Elf32_Ehdr*>(file.data());
    auto* sections = reinterpret_cast<Elf32_Shdr*>(file.data() + header->e_shoff);
    Elf32_Shdr& comment = sections[3];  // after the null section, .text and .data
    ASSERT_EQ(comment.sh_size, 4u);
    comment.sh_type = SHT_NULL;
    comment.sh_offset = 0x7fff0000;
    EXPECT_EQ(parse_image(file, "guest.elf", kMemory).compiler, "");
}

TEST(ImageError, ReportsTruncatedProbeRecords) {
    ElfWriter elf = small_guest();
    elf.raw(".symsim.probes", {0, 0, 0x10, 0, 1, 0, 0, 0, '$', '1', 0, 0,  // a whole record
                               0, 0, 0x10, 0, 1, 0, 0, 0, '$', '1'});
    EXPECT_SAYS(error_of(elf), "probe record 2");
}

// A copy that stopped too early, at any byte, must be refused.
TEST(ImageError, ReportsAFileTruncatedAnywhere) {
    ElfWriter elf = small_guest();
    elf.symbol("main", 0x100010, 8).probe(0x100000, 1, "%eax");
    const Bytes whole = elf.bytes();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_SAYS(user_error([&] { parse_image(part, "guest.elf", kMemory); }), "guest.elf")
            << "cut after " << size << " bytes";
    }
}

TEST(Image, IsReadFromAFile) {
    const fs::path path = fs::temp_directory_path() / fmt::format("symsim-image-{}.elf", getpid());
    small_guest().write(path);
    const Image image = load_image(path, kMemory);
    fs::remove(path);
    EXPECT_EQ(image.path, path);
    EXPECT_EQ(image.sha256, parse(small_guest()).sha256);
}

}  // namespace
}  // namespace symsim
