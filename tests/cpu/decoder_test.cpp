// SPDX-License-Identifier: MIT
// Decoder: operands, counts for the clock table, LOCK prefixes, and refused or undefined opcodes.
#include "sim/cpu/isa/decoder.h"

#include <gtest/gtest.h>

#include "tests/cpu/bench.h"

namespace symsim::test {
namespace {

struct Result {
    Op op;
    std::string complaint;
};

Result decode(Bytes bytes, Address address = 0x1000) {
    Result r;
    r.op.address = address;
    if (const auto complaint = Decoder(Isa::i386).decode(bytes.data(), bytes.size(), true, r.op))
        r.complaint = complaint->what;
    return r;
}

TEST(Decoder, FindsBaseIndexScaleAndDisplacement) {
    const Op op = decode({0x8b, 0x84, 0x8b, 0x44, 0x33, 0x22, 0x11}).op;
    EXPECT_EQ(op.base, ebx);
    EXPECT_EQ(op.index, ecx);
    EXPECT_EQ(op.scale_shift, 2);
    EXPECT_EQ(op.displacement, 0x11223344u);
    EXPECT_EQ(op.dst, eax);
    EXPECT_EQ(op.length, 7);
}

// Of a 386SX (test386.asm, README): where SIB has a scale and no index, the base is scaled.
TEST(Decoder, AppliesAScaleWithoutIndexToTheBase) {
    for (unsigned scale = 0; scale < 4; ++scale) {
        const auto sib = static_cast<std::uint8_t>(scale << 6 | 0x20 | ebx);
        Bench bench;
        bench.regs()[ebx] = 0x10;
        bench.run({0x8d, 0x44, sib, 3});  // lea eax, [ebx + none * 2^scale + 3]
        EXPECT_EQ(bench.regs()[eax], (0x10u << scale) + 3);
        bench.run(
            {0x8d, 0x04, static_cast<std::uint8_t>(scale << 6 | 0x25), 0x44, 0x33, 0x22, 0x11});
        EXPECT_EQ(bench.regs()[eax], 0x1122'3344u) << "neither base nor index";
    }
    // Also in an instruction that takes the fast path, and in the stack segment.
    Bench bench;
    bench.regs()[esp] = Bench::kData / 2;
    bench.memory.write(Bench::kData + 8, 4, 0xabcd);
    bench.run({0x8b, 0x44, 0x64, 8});  // mov eax, [esp * 2 + 8]
    EXPECT_EQ(bench.regs()[eax], 0xabcdu);
}

TEST(Decoder, CountsTheComponentsOfAnInstruction) {
    EXPECT_EQ(decode({0x90}).op.components, 1);
    EXPECT_EQ(decode({0x66, 0xb8, 1, 2}).op.components, 3);           // prefix, opcode, constant
    EXPECT_EQ(decode({0x8b, 0x45, 8}).op.components, 3);              // opcode, modrm, disp8
    EXPECT_EQ(decode({0xc7, 0x45, 8, 1, 2, 3, 4}).op.components, 4);  // and constant
    EXPECT_EQ(decode({0xe8, 1, 2, 3, 4}).op.components, 2);           // opcode, displacement
    EXPECT_EQ(decode({0xc8, 8, 0, 1}).op.components, 3);              // two constants
    EXPECT_EQ(decode({0xf0, 0x0f, 0xb3, 0x0b}).op.components, 4);
    EXPECT_EQ(decode({0xd1, 0xe0}).op.components, 2);  // no constant in the code
    EXPECT_EQ(decode({0xa1, 1, 2, 3, 4}).op.components, 2);
}

TEST(Decoder, CountsTheDwordsAnInstructionCovers) {
    EXPECT_EQ(decode({0x90}, 0x1003).op.dwords, 1);
    EXPECT_EQ(decode({0x89, 0xc8}, 0x1003).op.dwords, 2);
    EXPECT_EQ(decode({0xb8, 1, 2, 3, 4}, 0x1000).op.dwords, 2);
    EXPECT_EQ(decode({0xc7, 0x45, 8, 1, 2, 3, 4}, 0x1003).op.dwords, 3);
}

TEST(Decoder, CountsStores) {
    EXPECT_EQ(decode({0x89, 0x03}).op.stores, 1);        // mov [ebx], eax
    EXPECT_EQ(decode({0x8b, 0x03}).op.stores, 0);        // mov eax, [ebx]
    EXPECT_EQ(decode({0x39, 0x03}).op.stores, 0);        // cmp [ebx], eax
    EXPECT_EQ(decode({0x01, 0x03}).op.stores, 1);        // add [ebx], eax
    EXPECT_EQ(decode({0x50}).op.stores, 1);              // push eax
    EXPECT_EQ(decode({0xff, 0x33}).op.stores, 1);        // push [ebx]
    EXPECT_EQ(decode({0x58}).op.stores, 0);              // pop eax
    EXPECT_EQ(decode({0x8f, 0x03}).op.stores, 1);        // pop [ebx]
    EXPECT_EQ(decode({0xe8, 0, 0, 0, 0}).op.stores, 1);  // call
    EXPECT_EQ(decode({0xff, 0x13}).op.stores, 1);        // call [ebx]
    EXPECT_EQ(decode({0xc3}).op.stores, 0);              // ret
    EXPECT_EQ(decode({0x60}).op.stores, 8);              // pusha
    EXPECT_EQ(decode({0x61}).op.stores, 0);              // popa
    EXPECT_EQ(decode({0xa5}).op.stores, 1);              // movsd
    EXPECT_EQ(decode({0xa7}).op.stores, 0);              // cmpsd
    EXPECT_EQ(decode({0xab}).op.stores, 1);              // stosd
    EXPECT_EQ(decode({0x87, 0x03}).op.stores, 1);        // xchg [ebx], eax
    EXPECT_EQ(decode({0x0f, 0xa3, 0x0b}).op.stores, 0);  // bt [ebx], ecx
    EXPECT_EQ(decode({0xc8, 8, 0, 0}).op.stores, 1);     // enter 8, 0
    EXPECT_EQ(decode({0xc8, 8, 0, 3}).op.stores, 4);     // enter 8, 3
}

TEST(Decoder, AcceptsLockWhereA386Does) {
    for (const Bytes& bytes : {Bytes{0xf0, 0x01, 0x03},
                               {0xf0, 0x83, 0x03, 1},
                               {0xf0, 0xff, 0x03},
                               {0xf0, 0xf7, 0x13},
                               {0xf0, 0xf6, 0x1b},
                               {0xf0, 0x0f, 0xab, 0x0b},
                               {0xf0, 0x0f, 0xba, 0x33, 1},
                               {0xf0, 0x0f, 0xbb, 0x0b},
                               {0xf0, 0x87, 0x03},
                               {0xf0, 0x10, 0x03},
                               {0xf0, 0x18, 0x03}}) {
        const Result r = decode(bytes);
        EXPECT_EQ(r.complaint, "");
        EXPECT_TRUE(r.op.locked);
    }
    EXPECT_EQ(decode({0xf0, 0x0f, 0xa3, 0x0b}).complaint, "");  // bt, refused by later processors
    EXPECT_EQ(decode({0xf0, 0x0f, 0xa3, 0x0b}).op.length, 4);
    EXPECT_FALSE(decode({0x01, 0x03}).op.locked);
}

TEST(Decoder, RefusesLockElsewhere) {
    for (const Bytes& bytes : {Bytes{0xf0, 0x01, 0xd8},
                               {0xf0, 0x89, 0x03},
                               {0xf0, 0x8b, 0x03},
                               {0xf0, 0x39, 0x03},
                               {0xf0, 0x03, 0x03},
                               {0xf0, 0x90},
                               {0xf0, 0xd1, 0x23},
                               {0xf0, 0x0f, 0xa3, 0xc8}})
        EXPECT_NE(decode(bytes).complaint.find("LOCK prefix"), std::string::npos);
}

TEST(Decoder, XchgWithMemoryIsLockedWithoutPrefix) {
    EXPECT_TRUE(decode({0x86, 0x03}).op.locked);
    EXPECT_FALSE(decode({0x87, 0xc3}).op.locked);
}

TEST(Decoder, NamesInstructionsA386LacksWithTheirBytes) {
    EXPECT_EQ(decode({0x0f, 0xb1, 0x0b}).complaint,
              "instruction cmpxchg (bytes 0f b1 0b) does not exist on a 386");
    for (const Bytes& bytes : {Bytes{0x0f, 0xc8},
                               {0x0f, 0xc1, 0x03},
                               {0x0f, 0x44, 0xc1},
                               {0x0f, 0x31},
                               {0x0f, 0x1f, 0x00},
                               {0xf3, 0x0f, 0x1e, 0xfb},
                               {0x0f, 0xa2},
                               {0x0f, 0x58, 0xc1}})
        EXPECT_NE(decode(bytes).complaint.find("does not exist on a 386"), std::string::npos)
            << decode(bytes).complaint;
}

TEST(Decoder, Decodes486InstructionsOnlyForA486) {
    for (const Bytes& bytes : {Bytes{0x0f, 0xc8},   // bswap eax
                               {0x0f, 0xc1, 0x03},  // xadd [ebx], eax
                               {0x0f, 0xb1, 0x03},  // cmpxchg [ebx], eax
                               {0x0f, 0x01, 0x3b},  // invlpg [ebx]
                               {0x0f, 0x09}}) {     // wbinvd
        EXPECT_NE(decode(bytes).complaint.find("does not exist on a 386"), std::string::npos);
        Op op;
        EXPECT_FALSE(Decoder(Isa::i486).decode(bytes.data(), bytes.size(), true, op));
    }
}

// The message names the instruction, and what to do: a later machine, or gcc's option.
TEST(Decoder, SaysWhatToDoAboutAnInstructionOfAnotherSet) {
    const auto complaint = [](Isa isa, const Bytes& bytes) {
        Op op;
        return Decoder(isa).decode(bytes.data(), bytes.size(), true, op).value_or(Complaint{});
    };
    const Bytes cmov{0x0f, 0x44, 0xc1}, cr4{0x0f, 0x22, 0xe0}, tr3{0x0f, 0x24, 0xd8};
    EXPECT_EQ(complaint(Isa::i486, cmov).what,
              "instruction cmovz (bytes 0f 44 c1) does not exist on a 486");
    EXPECT_EQ(complaint(Isa::i486, cmov).fix,
              "it is a 686's: run with --set processor.isa=i686, or compile the guest for "
              "-march=i486");
    EXPECT_NE(complaint(Isa::i386, cr4).fix.find("processor.isa=i586"), std::string::npos);
    EXPECT_NE(complaint(Isa::i386, tr3).fix.find("processor.isa=i486"), std::string::npos);
    EXPECT_NE(complaint(Isa::i686, tr3).what.find("does not exist on a 686"), std::string::npos);
    const std::string rebuild =
        "compile the guest, and every library it is linked with, for -march=i686";
    const struct {
        const char* name;
        Bytes bytes;
        std::string option;
    } cases[] = {{"mfence", {0x0f, 0xae, 0xf0}, " -mno-sse"},
                 {"lfence", {0x0f, 0xae, 0xe8}, " -mno-sse"},
                 {"sfence", {0x0f, 0xae, 0xf8}, " -mno-sse"},
                 {"movaps", {0x0f, 0x28, 0xc1}, " -mno-sse"},
                 {"movd", {0x66, 0x0f, 0x6e, 0xc0}, " -mno-sse"},
                 {"prefetchnta", {0x0f, 0x18, 0x00}, " -mno-sse"},
                 {"fisttp", {0xdb, 0x08}, " -mno-sse"},
                 {"emms", {0x0f, 0x77}, " -mno-mmx"},
                 {"movq", {0x0f, 0x6f, 0x00}, " -mno-mmx"},
                 {"rdmsr", {0x0f, 0x32}, ""}};
    for (const auto& c : cases) {
        const Complaint found = complaint(Isa::i686, c.bytes);
        EXPECT_EQ(found.what.rfind("instruction " + std::string(c.name) + " (bytes ", 0), 0u)
            << found.what;
        EXPECT_EQ(found.fix, rebuild + c.option);
    }
    EXPECT_NE(complaint(Isa::i686, {0x0f, 0x0b}).what.find("ud2"), std::string::npos);
}

// mov of test registers, which Zydis does not decode (PRM, MOV): 0f 24 and 0f 26.
TEST(Decoder, DecodesMovesOfTestRegisters) {
    const Result load = decode({0x0f, 0x26, 0xf3});  // mov tr6, ebx
    EXPECT_EQ(load.complaint, "");
    EXPECT_EQ(load.op.length, 3);
    EXPECT_EQ(load.op.dst, 6);
    EXPECT_EQ(load.op.src, ebx);
    EXPECT_EQ(load.op.clocks, 12);
    const Result prefixed = decode({0x66, 0x2e, 0x0f, 0x24, 0x3a});  // mov edx, tr7
    EXPECT_EQ(prefixed.complaint, "");
    EXPECT_EQ(prefixed.op.length, 5);
    EXPECT_EQ(prefixed.op.src, 7);
    EXPECT_EQ(prefixed.op.dst, edx);
    EXPECT_NE(decode({0xf0, 0x0f, 0x24, 0xf0}).complaint, "");
    EXPECT_NE(decode({0x0f, 0x25, 0xf0}).complaint, "");
    EXPECT_NE(decode({0x0f, 0x24}).complaint, "");
}

TEST(Decoder, RefusesBytesThatAreNoInstruction) {
    EXPECT_EQ(decode({0xff, 0xff, 0, 0, 0, 0, 0, 0, 0}).complaint,
              "invalid opcode (bytes ff ff 00 00 00 00 00 00)");
    EXPECT_NE(decode({0xb8, 1}).complaint.find("past the end of memory"), std::string::npos);
    const Bytes long_one(15, 0x66);
    EXPECT_NE(decode(long_one).complaint, "");
}

// The bytes after an instruction are decoded as well, whether they are code or data.
TEST(Decoder, DecodesOrRefusesAnyBytes) {
    std::uint32_t seed = 1;
    const auto random = [&seed] {
        seed = seed * 1'664'525 + 1'013'904'223;
        return static_cast<std::uint8_t>(seed >> 24);
    };
    for (const Isa isa : {Isa::i386, Isa::i686}) {
        const Decoder decoder(isa);
        for (unsigned n = 0; n < 0x20000; ++n) {
            Bytes bytes(15);
            for (std::uint8_t& byte : bytes) byte = random();
            unsigned at = 0;
            if (n & 0x10000) bytes[at++] = 0x0f;
            bytes[at] = static_cast<std::uint8_t>(n >> 8);
            bytes[at + 1] = static_cast<std::uint8_t>(n);
            Op op;
            op.address = 0x1000;
            const auto complaint = decoder.decode(bytes.data(), bytes.size(), true, op);
            ASSERT_NE(op.execute, nullptr);
            ASSERT_TRUE(complaint ? !complaint->what.empty() : op.length > 0);
        }
    }
}

TEST(Decoder, IgnoresPrefixesThatHaveAMeaningOnlyOnLaterProcessors) {
    // On later processors rep bsf is tzcnt, which for zero sets CF and puts 32 into eax.
    Bench bench;
    bench.regs()[eax] = 77;
    bench.run({0xf3, 0x0f, 0xbc, 0xc1});
    EXPECT_EQ(bench.regs()[eax], 77u);
    EXPECT_TRUE(bench.flags().zf());
}

TEST(Decoder, SegmentPrefixesChangeNothingInAFlatSegment) {
    for (const std::uint8_t prefix : {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65}) {
        Bench bench;
        bench.memory.write(Bench::kData, 4, 0x12345678);
        bench.regs()[ebx] = Bench::kData;
        bench.run({prefix, 0x8b, 0x03});
        EXPECT_EQ(bench.regs()[eax], 0x12345678u);
    }
}

TEST(Decoder, Truncates16BitAddresses) {
    Bench bench;
    bench.memory.write(0x1234, 4, 0xabcd);
    bench.regs()[ebx] = 0xffff1200;
    bench.regs()[esi] = 0x00010030;
    EXPECT_EQ(bench.run({0x67, 0x8b, 0x40, 0x04}), StopReason::halted);  // mov eax, [bx + si + 4]
    EXPECT_EQ(bench.regs()[eax], 0xabcdu);
}

}  // namespace
}  // namespace symsim::test
