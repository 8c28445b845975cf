// SPDX-License-Identifier: MIT
#include "sim/debug/gdb_registers.h"

#include <gtest/gtest.h>

#include "tests/cpu/bench.h"

namespace symsim::test {
namespace {

std::string pattern(std::size_t size, char first) {
    std::string bytes;
    for (std::size_t n = 0; n < size; ++n) bytes += static_cast<char>(first + n);
    return bytes;
}

TEST(GdbRegisters, AgreeWithTheTargetDescription) {
    std::size_t count = 0;
    const std::string xml = gdb_target_description();
    for (std::size_t at = 0; (at = xml.find("<reg ", at)) != std::string::npos; ++at) ++count;
    EXPECT_EQ(count, kGdbRegisters);
    const Bench bench;
    for (unsigned number = 0; number < kGdbRegisters; ++number)
        EXPECT_EQ(gdb_register(bench.processor, number).size(),
                  number >= 16 && number < 24 ? 10u : 4u);
}

TEST(GdbRegisters, IntegerRegistersAreReadAndSet) {
    Bench bench;
    for (unsigned number = 0; number <= 8; ++number) {
        const std::string bytes = pattern(4, static_cast<char>(16 * number + 1));
        EXPECT_TRUE(set_gdb_register(bench.processor, number, bytes));
        EXPECT_EQ(gdb_register(bench.processor, number), bytes);
    }
    EXPECT_EQ(bench.regs()[ebx], 0x3433'3231u) << "GDB's number 3";
    EXPECT_EQ(bench.processor.context().eip, 0x8483'8281u);
}

// GDB compares eip with the addresses of breakpoints, and reads the code there.
TEST(GdbRegisters, EipIsALinearAddress) {
    Bench bench;
    bench.processor.system().segments[cs].base = 0xf0000;
    bench.processor.context().eip = 0x1234;
    EXPECT_EQ(gdb_register(bench.processor, 8), std::string("\x34\x12\x0f\0", 4));
    EXPECT_TRUE(set_gdb_register(bench.processor, 8, std::string("\x02\0\x0f\0", 4)));
    EXPECT_EQ(bench.processor.context().eip, 2u);
    EXPECT_TRUE(set_gdb_register(bench.processor, 8, std::string("\0\0\0\0", 4)));
    EXPECT_EQ(bench.processor.context().eip, 0xfff1'0000u) << "below the segment: around 4 GB";
}

TEST(GdbRegisters, FlagsAreThoseOfThe386) {
    Bench bench;
    EXPECT_TRUE(set_gdb_register(bench.processor, 9, std::string("\xff\xff\xff\xff", 4)));
    EXPECT_TRUE(bench.flags().cf());
    EXPECT_TRUE(bench.flags().zf());
    EXPECT_TRUE(bench.flags().of());
    EXPECT_EQ(gdb_register(bench.processor, 9)[3], 0) << "no flag stands there";
}

TEST(GdbRegisters, SelectorsCanOnlyBeSetToTheirCurrentValue) {
    Bench bench;
    for (unsigned number = 10; number < 16; ++number) {
        const std::string before = gdb_register(bench.processor, number);
        EXPECT_TRUE(set_gdb_register(bench.processor, number, before));
        EXPECT_FALSE(set_gdb_register(bench.processor, number, pattern(4, 1)));
        EXPECT_EQ(gdb_register(bench.processor, number), before);
    }
}

TEST(GdbRegisters, CoprocessorRegistersAreNumberedFromTheTopOfStack) {
    Bench bench;
    bench.processor.fpu().push(Float80::one());
    EXPECT_EQ(gdb_register(bench.processor, 16), std::string("\0\0\0\0\0\0\0\x80\xff\x3f", 10));
    for (unsigned number = 16; number < 24; ++number) {
        const std::string bytes = pattern(10, static_cast<char>(number));
        EXPECT_TRUE(set_gdb_register(bench.processor, number, bytes));
        EXPECT_EQ(gdb_register(bench.processor, number), bytes);
    }
    EXPECT_TRUE(set_gdb_register(bench.processor, 24, std::string("\x7f\x0f\0\0", 4)));
    EXPECT_EQ(bench.processor.fpu().control, 0xf7fu);
    for (unsigned number = 27; number < 32; ++number) {
        const std::string bytes =
            number % 2 == 0 && number < 31 ? pattern(4, 1) : std::string("\x12\x03\0\0", 4);
        EXPECT_TRUE(set_gdb_register(bench.processor, number, bytes));
        EXPECT_EQ(gdb_register(bench.processor, number), bytes) << number;
    }
}

TEST(GdbRegisters, WrongSizesAndNumbersAreRefused) {
    Bench bench;
    EXPECT_FALSE(set_gdb_register(bench.processor, 0, "abc"));
    EXPECT_FALSE(set_gdb_register(bench.processor, 16, "abcd"));
    EXPECT_FALSE(set_gdb_register(bench.processor, kGdbRegisters, "abcd"));
}

}  // namespace
}  // namespace symsim::test
