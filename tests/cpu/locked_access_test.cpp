// SPDX-License-Identifier: MIT
// Locked instructions on addresses without memory.
#include <gtest/gtest.h>

#include "tests/cpu/bench.h"

namespace symsim::test {
namespace {

// Found by the fuzzer: a locked instruction wrote past the end of memory. That happened in the
// address range of the ports, which read as ones where no device answers.
TEST(LockedAccess, BeyondMemoryEndsTheRun) {
    for (const Address address : {0x4000'0000u, 0xa000'0000u, 0xfe00'0010u, 0xff50'ff30u}) {
        Bench bench;
        bench.regs()[ebx] = address;
        EXPECT_EQ(bench.run({0xf0, 0x01, 0x13}), StopReason::failed);  // lock add [ebx], edx
        EXPECT_NE(bench.complaint().find(address < kDeviceSpace ? "neither memory nor a device"
                                                                : "device space"),
                  std::string::npos)
            << bench.complaint();
    }
}

}  // namespace
}  // namespace symsim::test
