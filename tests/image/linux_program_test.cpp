// SPDX-License-Identifier: MIT
// Linux executables: which files are taken for one, how they are placed, and what is refused.
#include "sim/image/linux_program.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "sim/image/handoff.h"
#include "tests/support/elf_writer.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

constexpr std::uint64_t kMemory = 16 << 20;
constexpr Address kProgram = 0x0804'8000;
constexpr Address kKernel = 0x0010'0000;
const Bytes kCode = {0x90, 0xf4};

ElfWriter program() {
    return ElfWriter().in_pages().entry(kProgram).code(".text", kProgram, kCode);
}

Bytes kernel_file(std::uint32_t zeros = 0x2345) {
    constexpr Address kLinked = 0xC000'0000 + kKernel;
    return ElfWriter()
        .linked_above(kLinked - kKernel)
        .entry(kKernel)
        .code(".text", kLinked, kCode)
        .data(".data", kLinked + 0x1000, Bytes(8), zeros)
        .symbol("symsim_program", kLinked + 0x1004, 4, ElfWriter::Symbol::object)
        .bytes();
}

Image kernel(std::uint32_t zeros = 0x2345) {
    return parse_image(kernel_file(zeros), "linux.elf", kMemory + zeros);
}

// Where the file has the first segment.
void set_first_offset(Bytes& elf, std::uint32_t offset) {
    Elf32_Ehdr header;
    std::memcpy(&header, elf.data(), sizeof header);
    std::memcpy(elf.data() + header.e_phoff + offsetof(Elf32_Phdr, p_offset), &offset, 4);
}

std::uint32_t word(const Bytes& bytes, std::size_t at) {
    std::uint32_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

TEST(ALinuxProgram, IsKnownByWhereItIsLinked) {
    EXPECT_TRUE(is_linux_program(program().bytes()));
    EXPECT_TRUE(is_linux_program(
        ElfWriter().type(ET_DYN).entry(0x1000).code(".text", 0x1000, kCode).bytes()));
    const auto linked_at = [](Address place, bool with_headers) {
        Bytes low = ElfWriter().entry(place).code(".text", place, kCode).bytes();
        if (with_headers) set_first_offset(low, 0);
        return low;
    };
    EXPECT_FALSE(is_linux_program(linked_at(0x20000, false))) << "a guest for the bare machine";
    EXPECT_TRUE(is_linux_program(linked_at(0x20000, true))) << "its headers are in its memory";
    EXPECT_FALSE(is_linux_program(linked_at(kKernel, true))) << "its code is at 1 MB";
    EXPECT_FALSE(is_linux_program(kernel_file())) << "linked where no program is";
    EXPECT_FALSE(is_linux_program(program().machine(EM_X86_64).bytes()));
    EXPECT_FALSE(is_linux_program(program().type(ET_REL).bytes()));
    Bytes cut = program().bytes();
    cut.resize(60);
    EXPECT_FALSE(is_linux_program(cut));
    EXPECT_FALSE(is_linux_program({}));
}

TEST(ALinuxProgram, LiesAboveTheKernelWithItsTexts) {
    const Bytes file = program().symbol("work", kProgram, 2).bytes();
    const std::vector<GivenFile> files = {{"/in", 0040755, {}}, {"/in/data", 0100644, {'x', 'y'}}};
    const Image image =
        with_program(kernel(), {"a.out", file, {"one", ""}, {"A=b"}, files}, kMemory);
    const LoadSegment& placed = image.segments.back();
    EXPECT_EQ(placed.address, kKernel + 0x4000);  // the page after the kernel's last byte
    EXPECT_EQ(word(image.segment_at(kKernel + 0x1000)->bytes, 4), placed.address);
    handoff::program head;
    std::memcpy(&head, placed.bytes.data(), sizeof head);
    const auto text_at = [&](std::uint32_t at) {
        return std::string(reinterpret_cast<const char*>(placed.bytes.data()) + at);
    };
    const auto bytes_of = [&](const handoff::given& given) {
        EXPECT_EQ(given.at % 4096, 0u);
        const auto begin = placed.bytes.begin() + given.at;
        return Bytes(begin, begin + given.bytes);
    };
    EXPECT_EQ(text_at(head.executable.path), "/a.out");
    EXPECT_EQ(head.executable.mode, 0100755u);
    EXPECT_EQ(bytes_of(head.executable), file);
    const std::string texts("a.out\0./a.out\0one\0\0A=b\0", 23);
    EXPECT_EQ(head.texts.path, 0u);
    EXPECT_EQ(bytes_of(head.texts), Bytes(texts.begin(), texts.end()));
    EXPECT_EQ(head.arguments, 3u);  // argv[0] counts
    EXPECT_EQ(head.variables, 1u);
    EXPECT_EQ(head.bytes, placed.bytes.size());
    ASSERT_EQ(head.number, 2u);
    handoff::given others[2];
    std::memcpy(others, placed.bytes.data() + head.others, sizeof others);
    EXPECT_EQ(text_at(others[0].path), "/in");
    EXPECT_EQ(others[0].mode, 0040755u);
    EXPECT_EQ(text_at(others[1].path), "/in/data");
    EXPECT_EQ(bytes_of(others[1]), (Bytes{'x', 'y'}));
    EXPECT_EQ(image.symbols.describe(kProgram + 1), "work+0x1");
    EXPECT_EQ(image.linux_program, placed.address);
}

TEST(ALinuxProgram, ThatIsDynamicallyLinkedIsRefusedWithTheCure) {
    const Bytes file = program().segment(PT_INTERP, PF_R, 0, 0, {'x', 0}, 2).bytes();
    const std::string why = user_error([&] {
        with_program(kernel(), {"a.out", file, {}, {}}, kMemory);
    });
    EXPECT_NE(why.find("a.out: is dynamically linked"), std::string::npos) << why;
    EXPECT_NE(why.find("-static"), std::string::npos) << why;
}

TEST(ALinuxProgram, ForAnotherProcessorIsRefusedWithTheCure) {
    const Bytes file = program().machine(EM_AARCH64).bytes();
    const std::string why = user_error([&] { refuse_no_program(file, "a.out"); });
    EXPECT_SAYS(why, "a.out: image is for aarch64");
    EXPECT_SAYS(why, "gcc -m32 -static");
    EXPECT_EQ(user_error([] { refuse_no_program(program().bytes(), ""); }), "(no error)");
}

TEST(ALinuxProgram, ThatIsAnotherKindOfFileIsRefusedWithTheCure) {
    const auto why = [](const Bytes& file) {
        return user_error([&] { refuse_no_program(file, "a.out"); });
    };
    EXPECT_SAYS(why(program().type(ET_REL).bytes()), "object file and not a program; link it");
    EXPECT_SAYS(why(program().type(ET_DYN).entry(0).bytes()), "is a shared library");
    Bytes cut = program().bytes();
    cut.resize(200);
    EXPECT_SAYS(why(cut), "cut off or damaged");
}

TEST(ALinuxProgram, ThatTheKernelCouldNotMapIsRefused) {
    const auto why = [](const ElfWriter& elf) {
        return user_error([&] { with_program(kernel(), {"a.out", elf.bytes(), {}, {}}, kMemory); });
    };
    EXPECT_EQ(why(program()), "(no error)");
    EXPECT_SAYS(why(program().entry(kProgram + 2)), "0x08048002 is not in code");
    EXPECT_SAYS(why(program().data(".data", 0xc000'0000, kCode)),
                "at 0xc0000000 does not end below");
    EXPECT_SAYS(why(program().data(".data", kProgram + 0x10, kCode)), "share the page 0x08048000");
}

TEST(ALinuxProgram, ThatDoesNotFitIntoMemoryIsRefused) {
    Bytes file = program().bytes();
    file.resize(kMemory);
    const std::string why = user_error([&] {
        with_program(kernel(), {"a.out", file, {}, {}}, kMemory);
    });
    EXPECT_NE(why.find("raise memory.size_mb"), std::string::npos) << why;
    constexpr std::uint64_t kLarge = 256 << 20;
    EXPECT_SAYS(user_error([&] {
                    with_program(kernel(127 << 20), {"a.out", program().bytes(), {}, {}}, kLarge);
                }),
                "a.out: ends at 129 MB of memory with the kernel and guest.files, and the kernel "
                "has room for 128");
}

TEST(ALinuxProgram, ThatIsLinkedWhereLinuxHasNoneIsRefused) {
    Bytes file = ElfWriter().entry(0x1000).code(".text", 0x1000, kCode).bytes();
    set_first_offset(file, 0);
    ASSERT_TRUE(is_linux_program(file));
    EXPECT_SAYS(user_error([&] {
                    with_program(kernel(), {"a.out", file, {}, {}}, kMemory);
                }),
                "a.out: is linked at 0x00001000, and Linux has programs from 0x00010000 on");
}

TEST(Words, AreThoseOfAShell) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(split_words("  a  b=c ", ""), (Words{"a", "b=c"}));
    EXPECT_EQ(split_words(R"('a b' "c 'd" e\ f '' \\)", ""),
              (Words{"a b", "c 'd", "e f", "", "\\"}));
    EXPECT_EQ(split_words("", ""), Words{});
    for (const Words& words : {Words{"a b", "it's", "", "\\\"", "-x=1"}, Words{}})
        EXPECT_EQ(split_words(join_words(words), ""), words);
    const std::string why = user_error([] { split_words("a 'b", "guest.argv"); });
    EXPECT_EQ(why.rfind("guest.argv: ", 0), 0u) << why;
}

}  // namespace
}  // namespace symsim::test
