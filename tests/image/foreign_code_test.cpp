// SPDX-License-Identifier: MIT
// Which instructions of a Linux program are reported before it runs.
#include "sim/image/foreign_code.h"

#include <elf.h>
#include <gtest/gtest.h>

#include "sim/image/linux_program.h"
#include "tests/support/elf_writer.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

constexpr std::uint64_t kForeignMemory = 16 << 20;
constexpr Address kForeignProgram = 0x0804'8000;
constexpr Address kForeignKernel = 0x0010'0000;
const Bytes kForeignNop = {0x90};
const Bytes kAddSse = {0x90, 0xf2, 0x0f, 0x58, 0xc1};  // nop, addsd xmm0, xmm1
const Bytes kMove = {0x0f, 0x44, 0xc1};                // cmovz eax, ecx
const Bytes kXgetbv = {0x0f, 0x01, 0xd0};

std::string report(const Bytes& code, const std::string& name, Isa isa = Isa::i686) {
    const ElfWriter kernel =
        ElfWriter()
            .entry(kForeignKernel)
            .code(".text", kForeignKernel, kForeignNop)
            .data(".data", kForeignKernel + 0x1000, Bytes(8), 0x2345)
            .symbol("symsim_program", kForeignKernel + 0x1004, 4, ElfWriter::Symbol::object);
    const Bytes file = ElfWriter()
                           .in_pages()
                           .entry(kForeignProgram)
                           .code(".text", kForeignProgram, code)
                           .symbol(name, kForeignProgram, static_cast<std::uint32_t>(code.size()))
                           .bytes();
    return foreign_code(with_program(parse_image(kernel.bytes(), "linux.elf", kForeignMemory),
                                     {"a.out", file, {}, {}}, kForeignMemory),
                        isa);
}

TEST(ForeignCode, IsNamedWithFileSymbolAndTheWayOut) {
    const std::string found = report(kAddSse, "work");
    EXPECT_SAYS(found, "a.out: instruction addsd (bytes f2 0f 58 c1)");
    EXPECT_SAYS(found, "in work+0x1; compile");
    EXPECT_SAYS(found, "-march=i686 -mno-sse");
    EXPECT_SAYS(report(kMove, "work", Isa::i586), "processor.isa=i686");
    EXPECT_SAYS(report(kAddSse, "_Z4workv"), "in work()+0x1");
}

TEST(ForeignCode, IsNotWhatTheProcessorHasOrTheLibraryChooses) {
    EXPECT_EQ(report(kMove, "work"), "");
    EXPECT_EQ(report(kAddSse, "__memcpy_sse2"), "");
    EXPECT_EQ(report(kXgetbv, "work"), "") << "no option of a compiler makes it";
}

}  // namespace
}  // namespace symsim::test
