// SPDX-License-Identifier: MIT
// The first load of a segment sets the accessed bit of its descriptor. That is a locked update,
// which waits for the bus between its load and its store.
#include <gtest/gtest.h>

#include "tests/cpu/bench.h"
#include "tests/cpu/clock_tables.h"

namespace symsim::test {
namespace {

// Found by random guests: when the instruction was executed again after the wait, the store went to
// address 0.
TEST(AccessedBit, IsSetInTheDescriptorAndNowhereElse) {
    constexpr Address kDescriptor = 0x21'0010;
    Bench bench;
    load_tables(bench.memory, bench.processor, Bench::kCode);
    bench.memory.write(kDescriptor + 5, 1, 0x92);
    bench.memory.write(0, 4, 0x1122'3344);
    bench.regs()[eax] = 0x10;
    bench.run({0x8e, 0xe0});  // mov fs, eax
    EXPECT_EQ(bench.complaint(), "");
    EXPECT_EQ(bench.memory.read(kDescriptor + 5, 1), 0x93u);
    EXPECT_EQ(bench.memory.read(0, 4), 0x1122'3344u);
    EXPECT_EQ(bench.processor.system().segments[fs].selector, 0x10);
}

}  // namespace
}  // namespace symsim::test
