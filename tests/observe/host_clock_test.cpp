// SPDX-License-Identifier: MIT
#include "sim/observe/host_clock.h"

#include <gtest/gtest.h>

namespace symsim {
namespace {

TEST(HostClock, MeasuresTheProcessFromConstructionOn) {
    const HostClock clock;
    volatile unsigned work = 0;
    while (clock.cpu_s() < 0.02) work = work + 1;
    const HostReport host = clock.report();
    EXPECT_GE(host.cpu_s, 0.02);
    EXPECT_LT(host.cpu_s, 10);
    EXPECT_GT(host.wall_s, 0);
    EXPECT_GT(host.peak_rss_mb, 1);
    EXPECT_LT(host.peak_rss_mb, 10'000);
    EXPECT_FALSE(host.compiler.empty());
}

}  // namespace
}  // namespace symsim
