// SPDX-License-Identifier: MIT
// The config of the parts. The choice of engine changes only whether the bus filters snoops.
#include "sim/machine/build.h"
#include "sim/protocol/protocols.h"

#include <gtest/gtest.h>

namespace symsim::test {
namespace {

TEST(Build, OnlyTheFastEngineFiltersSnoops) {
    Config config{};
    config.cache.protocol = &protocols::write_through;
    config.run.engine = EngineKind::fast;
    EXPECT_TRUE(bus_config(config).filter_snoops);
    config.run.engine = EngineKind::reference;
    EXPECT_FALSE(bus_config(config).filter_snoops);
}

}  // namespace
}  // namespace symsim::test
