// SPDX-License-Identifier: MIT
// Instructions that read or write descriptors. Each test repeats an error that symsim once had.
#include <gtest/gtest.h>

#include "tests/cpu/bench.h"
#include "tests/support/assembler.h"
#include "tests/support/user_error.h"

namespace symsim::test {
namespace {

constexpr Address kGdt = 0x30'0000;
constexpr Address kGdtPointer = 0x30'1000;
constexpr Address kTss = 0x30'2000;
constexpr unsigned kTaskSelector = 0x18, kReadOnlySelector = 0x20;

class Descriptors : public testing::Test {
  protected:
    Descriptors() {
        descriptor(0x08, 0x0000'ffff, 0x00cf'9b00);  // flat code, data
        descriptor(0x10, 0x0000'ffff, 0x00cf'9300);
        descriptor(kTaskSelector, kTss << 16 | 0x67, (kTss & 0xff00'0000) | 0x8900 | kTss >> 16);
        descriptor(kReadOnlySelector, 0x0000'ffff, 0x00cf'9100);
        bench.memory.write(kGdtPointer, 2, 0x27);
        bench.memory.write(kGdtPointer + 2, 4, kGdt);
    }
    void descriptor(unsigned selector, std::uint32_t low, std::uint32_t high) {
        bench.memory.write(kGdt + selector, 4, low);
        bench.memory.write(kGdt + selector + 4, 4, high);
    }
    StopReason run(const std::string& body) {
        return bench.run(assemble({"lgdt [0x301000];" + body})[0]);
    }

    Bench bench;
};

// The locked update of the busy bit waits for the bus between its load and its store.
TEST_F(Descriptors, LtrSetsTheBusyBitAndWritesNothingElse) {
    EXPECT_EQ(run("mov ax, 0x18; ltr ax"), StopReason::halted) << bench.complaint();
    EXPECT_EQ(bench.memory.read(kGdt + kTaskSelector + 5, 1), 0x8Bu);
    EXPECT_EQ(bench.memory.read(0, 4), 0u);
    EXPECT_EQ(bench.processor.system().tr.selector, kTaskSelector);
}

// As test386 found on hardware: arpl needs a writable segment only if it changes its operand.
TEST_F(Descriptors, ArplNeedsAWritableSegmentOnlyIfItWrites) {
    const std::string adjust = "mov ax, 0x20; mov ds, ax; mov bx, 2; arpl [0x204000], bx";
    bench.memory.write(Bench::kData, 2, 0xfff3);
    EXPECT_EQ(run(adjust), StopReason::halted) << bench.complaint();
    EXPECT_FALSE(bench.flags().value() & 0x40);
    bench.memory.write(Bench::kData, 2, 0xfff0);
    EXPECT_EQ(run(adjust), StopReason::failed);
    EXPECT_SAYS(bench.complaint(), "#GP");
    EXPECT_EQ(bench.processor.failure().vector, 13);
    EXPECT_EQ(bench.processor.failure().error_code, 0u);
    EXPECT_FALSE(bench.processor.failure().cr2);
    EXPECT_EQ(bench.memory.read(Bench::kData, 2), 0xfff0u);
}

}  // namespace
}  // namespace symsim::test
