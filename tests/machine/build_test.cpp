// SPDX-License-Identifier: MIT
// The config of the parts. The choice of engine changes only whether the bus filters snoops.
#include "sim/machine/build.h"

#include <gtest/gtest.h>

namespace symsim::test {
namespace {

TEST(Build, OnlyTheFastEngineFiltersSnoops) {
    Config config;
    EXPECT_TRUE(interconnect_config(config).filter_snoops);
    config.run.engine = EngineKind::reference;
    EXPECT_FALSE(interconnect_config(config).filter_snoops);
}

}  // namespace
}  // namespace symsim::test
