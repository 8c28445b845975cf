// SPDX-License-Identifier: MIT
// Memory: bytes and words, bounds, and its use of the host's memory.
#include "sim/interconnect/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace symsim {
namespace {

TEST(Memory, IsZeroAtFirst) {
    Memory memory(4096);
    EXPECT_EQ(memory.size(), 4096u);
    EXPECT_EQ(memory.read(0, 4), 0u);
    EXPECT_EQ(memory.read(4092, 4), 0u);
}

TEST(Memory, KeepsWordsLittleEndian) {
    Memory memory(4096);
    memory.write(100, 4, 0x44332211);
    EXPECT_EQ(memory.data()[100], 0x11);
    EXPECT_EQ(memory.data()[103], 0x44);
    EXPECT_EQ(memory.read(100, 1), 0x11u);
    EXPECT_EQ(memory.read(101, 2), 0x3322u);
    EXPECT_EQ(memory.read(101, 3), 0x443322u);
    EXPECT_EQ(memory.read(100, 4), 0x44332211u);
}

TEST(Memory, WritesExactlyTheGivenNumberOfBytes) {
    for (const unsigned size : {1u, 2u, 3u, 4u}) {
        Memory memory(4096);
        for (Address a = 0; a < 8; ++a) memory.write(a, 1, 0xee);
        memory.write(1, size, 0xd4c3b2a1);
        const std::uint8_t expected[] = {0xa1, 0xb2, 0xc3, 0xd4};
        for (unsigned i = 0; i < 7; ++i)
            EXPECT_EQ(memory.data()[1 + i], i < size ? expected[i] : 0xee)
                << "byte " << i << " of a store of " << size;
        EXPECT_EQ(memory.data()[0], 0xee);
    }
}

TEST(Memory, ContainsAnAccessOnlyIfItContainsItsLastByte) {
    const Memory memory(4096);
    EXPECT_TRUE(memory.contains(0, 4));
    EXPECT_TRUE(memory.contains(4092, 4));
    EXPECT_FALSE(memory.contains(4093, 4));
    EXPECT_FALSE(memory.contains(4096, 1));
    EXPECT_FALSE(memory.contains(0xffff'ffff, 1));
    EXPECT_FALSE(memory.contains(0xffff'fffe, 4)) << "the end must not wrap round to zero";
}

TEST(Memory, OneGigabyteUsesHostMemoryOnlyForTouchedPages) {
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    Memory memory(std::uint64_t{1} << 30);
    memory.write(0, 4, 1);
    memory.write(0x3fff'fffc, 4, 2);
    EXPECT_EQ(memory.read(0x3fff'fffc, 4), 2u);
    getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 * 1024) << "KB";
}

#ifndef NDEBUG
TEST(MemoryDeath, UncheckedAccessAborts) {
    Memory memory(4096);
    EXPECT_DEATH(memory.read(4094, 4), "4 bytes at 0x00000ffe");
    EXPECT_DEATH(memory.write(0, 5, 0), "5 bytes");
}
#endif

}  // namespace
}  // namespace symsim
