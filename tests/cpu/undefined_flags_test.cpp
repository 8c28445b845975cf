// SPDX-License-Identifier: MIT
// Flags that the manual leaves undefined and a 386SX was seen to give: test386.asm by Marco
// Bortolin, the README's section on undefined behaviour and POST E0 ("validated against 386SX
// hardware"). The rules here are written as that README gives them, by cases. The simulator
// computes them from sums, differences and rotations.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/cpu/bench.h"

namespace symsim::test {
namespace {

constexpr std::uint32_t kO = Flags::kOverflow, kS = Flags::kSign, kZ = Flags::kZero,
                        kA = Flags::kAuxiliary, kP = Flags::kParity, kC = Flags::kCarry;

// Executes an instruction with operands in eax and ecx, and returns the flags after it.
class Executed {
  public:
    explicit Executed(Bytes bytes = {}) : bytes_(std::move(bytes)) {}
    std::uint32_t flags(std::uint32_t value, std::uint32_t before = 0, std::uint32_t count = 0) {
        return flags_of(bytes_, value, before, count);
    }
    std::uint32_t flags_of(const Bytes& bytes, std::uint32_t value, std::uint32_t before = 0,
                           std::uint32_t count = 0) {
        bench_.regs()[eax] = value;
        bench_.regs()[ecx] = count;
        bench_.flags().set(before);
        EXPECT_EQ(bench_.run(bytes), StopReason::halted) << bench_.complaint();
        return bench_.flags().value() & Flags::kArithmetic;
    }

  private:
    Bench bench_;
    Bytes bytes_;
};

std::uint32_t parity(std::uint32_t value) {
    return __builtin_parity(value & 0xff) ? 0u : kP;
}
std::uint32_t result_flags(std::uint32_t al) {
    return parity(al) | ((al & 0xff) == 0 ? kZ : 0u) | (al & 0x80 ? kS : 0u);
}

TEST(UndefinedFlags, AaaSetsThoseOfTheByteSum) {
    Executed aaa({0x37});
    for (std::uint32_t al = 0; al < 256; ++al)
        for (const std::uint32_t before : {0u, kA, kO | kS | kZ | kP, Flags::kArithmetic + 0u}) {
            std::uint32_t expected = al >= 0x7a && al <= 0xf9 ? kS : 0;
            if ((al & 15) > 9)
                expected |= kC | kA | ((al & 0xf0) == 0x70 ? kO : 0) | (al == 0xfa ? kZ : 0) |
                            parity(al + 6);
            else if (before & kA)
                expected |= kC | kA | parity(al + 6);
            else
                expected |= (al == 0 ? kZ : 0) | parity(al);
            EXPECT_EQ(aaa.flags(al, before), expected) << al << " flags " << before;
        }
}

TEST(UndefinedFlags, AasSetsThoseOfTheByteDifference) {
    Executed aas({0x3f});
    for (std::uint32_t al = 0; al < 256; ++al)
        for (const std::uint32_t before : {0u, kA, kO | kS | kZ | kP, Flags::kArithmetic + 0u}) {
            std::uint32_t expected = 0;
            const bool adjusts = (al & 15) > 9 || before & kA;
            if ((al & 15) > 9)
                expected = al > 0x85 ? kS : 0;
            else if (before & kA)
                expected = (al >= 0x80 && al <= 0x85 ? kO : 0) | (al < 6 || al > 0x85 ? kS : 0);
            else
                expected = al >= 0x80 ? kS : 0;
            const std::uint32_t after = adjusts ? al - 6 : al;
            expected |= (adjusts ? kC | kA : 0) | (after == 0 ? kZ : 0) | parity(after);
            EXPECT_EQ(aas.flags(al, before), expected) << al << " flags " << before;
        }
}

// OF is set where the sign changes although the operand's sign forbids it.
TEST(UndefinedFlags, DaaAndDasSetOverflowByTheResult) {
    Bench bench;
    for (const bool subtract : {false, true})
        for (std::uint32_t al = 0; al < 256; ++al)
            for (const std::uint32_t before : {0u, kA, kC, kA | kC, kO | kA}) {
                bench.regs()[eax] = al;
                bench.flags().set(before);
                bench.run({static_cast<std::uint8_t>(subtract ? 0x2f : 0x27)});
                const bool was = al & 0x80, is = bench.regs()[eax] & 0x80;
                EXPECT_EQ(bench.flags().of(), subtract ? was && !is : !was && is)
                    << al << " flags " << before << (subtract ? " das" : " daa");
            }
}

TEST(UndefinedFlags, AadSetsThoseOfTheByteSumAndAamClearsThem) {
    Executed aad({0xd5, 10}), aam({0xd4, 10});
    for (std::uint32_t al = 0; al < 256; ++al) {
        for (const std::uint32_t ah : {0u, 1u, 9u, 13u, 26u, 255u}) {
            const std::uint32_t tens = ah * 10 & 0xff, sum = al + tens;
            const std::uint32_t expected = result_flags(sum) | (sum > 255 ? kC : 0) |
                                           ((al & 15) + (tens & 15) > 15 ? kA : 0) |
                                           (~(al ^ tens) & (al ^ sum) & 0x80 ? kO : 0);
            EXPECT_EQ(aad.flags(ah << 8 | al, Flags::kArithmetic), expected) << al << " " << ah;
        }
        EXPECT_EQ(aam.flags(al, Flags::kArithmetic), result_flags(al % 10)) << al;
    }
}

TEST(UndefinedFlags, ShiftsOfBytesAndWords) {
    for (const unsigned size : {1u, 2u}) {
        const auto opcode = static_cast<std::uint8_t>(size == 1 ? 0xd2 : 0xd3);
        const unsigned bits = 8 * size;
        const std::uint32_t all = (1u << bits) - 1, top = 1u << (bits - 1);
        const auto with_prefix = [&](std::uint8_t modrm) {
            return size == 1 ? Bytes{opcode, modrm} : Bytes{0x66, opcode, modrm};
        };
        Executed shl(with_prefix(0xe0)), shr(with_prefix(0xe8));
        for (unsigned count = 1; count < 32; ++count)
            for (const std::uint32_t value : {0u, 1u, 0x41u, 0x80u, 0x8000u, 0x5a81u, all}) {
                const std::uint32_t operand = value & all;
                // The lowest or highest bit is the carry of a byte shifted by 8, 16 or 24, and of
                // a word shifted by 16.
                const bool whole = size == 1 ? count % 8 == 0 : count == 16;
                const std::uint32_t left = count < bits ? operand << count & all : 0;
                const bool out = whole ? operand & 1 : count < bits && operand << count >> bits & 1;
                const std::uint32_t sign = left & top ? kS : 0;
                EXPECT_EQ(shl.flags(value, 0, count), kA | parity(left) | (left ? 0 : kZ) | sign |
                                                          (out ? kC : 0) |
                                                          (out != (sign != 0) ? kO : 0))
                    << "shl " << operand << " by " << count;
                const std::uint32_t right = operand >> count;
                const bool low = whole ? operand & top : operand >> (count - 1) & 1;
                EXPECT_EQ(shr.flags(value, 0, count), kA | parity(right) | (right ? 0 : kZ) |
                                                          (low ? kC : 0) |
                                                          (count == 1 && operand & top ? kO : 0))
                    << "shr " << operand << " by " << count;
            }
    }
}

TEST(UndefinedFlags, RotationsThroughCarryByAllBitsSetOverflow) {
    struct Case {
        Bytes bytes;  // by 9, or 17
        std::uint32_t top, next;
        bool right;
    };
    for (const Case& c : std::vector<Case>{{{0xc0, 0xd8, 9}, 0x80, 0x40, true},
                                           {{0xc0, 0xd0, 9}, 0x80, 0, false},
                                           {{0x66, 0xc1, 0xd8, 17}, 0x8000, 0x4000, true},
                                           {{0x66, 0xc1, 0xd0, 17}, 0x8000, 0, false}}) {
        Executed rotated(c.bytes);
        for (const std::uint32_t value : {0u, c.next, c.top, c.top | c.next})
            for (const std::uint32_t before : {0u, kC, kC | kO, kO}) {
                // Of the last step: the two highest bits after rcr, CF and the highest after rcl.
                const bool other = c.right ? value & c.next : before & kC;
                const bool overflow = ((value & c.top) != 0) != other;
                EXPECT_EQ(rotated.flags(value, before), (before & kC) | (overflow ? kO : 0u))
                    << value << " flags " << before;
            }
    }
}

// rcr by one more than the bit's number moves the bit into CF. On top are then the two bits below
// it, with the CF that was clear in between: of bit 1 the second, of bit 0 the first.
bool top_bits_differ_after(std::uint32_t value, unsigned number, unsigned bits) {
    const bool first = number > 0 && value >> (number - 1) & 1;
    if (number == 1) return first;
    return first != (value >> (number == 0 ? bits - 1 : number - 2) & 1);
}

TEST(UndefinedFlags, BitTestsSetOverflowAsRcrDoes) {
    Executed executed;
    constexpr std::uint32_t kKept = kS | kZ | kA | kP;
    for (const std::uint8_t modrm : {0xe0, 0xe8, 0xf0, 0xf8})  // bt, bts, btr, btc eax, number
        for (std::uint8_t number = 0; number < 32; ++number)
            for (const unsigned bits : {16u, 32u}) {
                Bytes bytes = {0x0f, 0xba, modrm, number};
                if (bits == 16) bytes.insert(bytes.begin(), 0x66);
                for (const std::uint32_t value : {1u, 2u, 3u, 0x8001u, 0x5555'5555u, ~0u})
                    for (const std::uint32_t before : {kC, kO | kKept}) {
                        const unsigned n = number % bits;
                        EXPECT_EQ(executed.flags_of(bytes, value, before),
                                  (before & kKept) | (value >> n & 1 ? kC : 0) |
                                      (top_bits_differ_after(value, n, bits) ? kO : 0))
                            << "bit " << n << " of " << value << ", " << bits << " bits";
                    }
            }
}

}  // namespace
}  // namespace symsim::test
