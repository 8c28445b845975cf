// SPDX-License-Identifier: MIT
// The flags register: it keeps what is set, and the arithmetic flags agree with their definitions.
#include "sim/cpu/state/flags.h"

#include <gtest/gtest.h>

namespace symsim::test {
namespace {

TEST(Flags, KeepEveryCombinationThatIsSet) {
    for (std::uint32_t bits = 0; bits < 0x8000; ++bits) {
        Flags flags;
        flags.set(bits);
        const std::uint32_t kept = (bits & (Flags::kArithmetic | Flags::kSystem)) | 2;
        ASSERT_EQ(flags.value(), kept);
        Flags again;
        again.set(flags.value());
        ASSERT_EQ(again, flags);
    }
}

TEST(Flags, CarryCanChangeAlone) {
    for (std::uint32_t bits = 0; bits < 0x1000; ++bits) {
        Flags flags;
        flags.set(bits);
        const std::uint32_t before = flags.value();
        flags.set_cf(true);
        ASSERT_EQ(flags.value(), before | Flags::kCarry);
        flags.set_cf(false);
        ASSERT_EQ(flags.value(), before & ~std::uint32_t{Flags::kCarry});
    }
}

// Against the definitions of the flags, for all pairs of bytes.
TEST(Flags, FollowFromAdditionAndSubtractionOfBytes) {
    for (std::uint32_t a = 0; a < 256; ++a) {
        for (std::uint32_t b = 0; b < 256; ++b) {
            Flags flags;
            flags.after_add<1>(a, b, a + b);
            const int sum = static_cast<std::int8_t>(a) + static_cast<std::int8_t>(b);
            ASSERT_EQ(flags.cf(), a + b > 255);
            ASSERT_EQ(flags.of(), sum > 127 || sum < -128);
            ASSERT_EQ(flags.af(), (a & 15) + (b & 15) > 15);
            ASSERT_EQ(flags.zf(), ((a + b) & 255) == 0);
            ASSERT_EQ(flags.sf(), (a + b) >> 7 & 1);
            ASSERT_EQ(flags.pf(), __builtin_popcount((a + b) & 255) % 2 == 0);
            flags.after_subtract<1>(a, b, a - b);
            const int difference = static_cast<std::int8_t>(a) - static_cast<std::int8_t>(b);
            ASSERT_EQ(flags.cf(), a < b);
            ASSERT_EQ(flags.of(), difference > 127 || difference < -128);
            ASSERT_EQ(flags.af(), (a & 15) < (b & 15));
        }
    }
}

}  // namespace
}  // namespace symsim::test
