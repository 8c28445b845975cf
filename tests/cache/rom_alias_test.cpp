// SPDX-License-Identifier: MIT
// Tests RomAlias in the cache controller: a ROM of 4 KB at 0x8000 that is mapped a second time
// right below 4 GB. Both addresses reach the same bytes.
#include "sim/base/transaction_kind.h"
#include "tests/cache/controller_bench.h"
#include "tests/support/part_configs.h"

namespace symsim::test {
namespace {

constexpr Address kRom = 0x8000;
constexpr Address kBelow4GB = 0xFFFF'F000;

class TwiceSeenRom : public ControllerTest {
  protected:
    void build_with_rom(StorePolicy policy = StorePolicy::block_port) {
        ControllerConfig config = test_controller_config();
        config.rom = {kBelow4GB, kBelow4GB - kRom};
        build(policy, config);
        memory.write(kRom + 0xFF0, 4, 0x1234'5678);
    }
};

TEST_F(TwiceSeenRom, BothAddressesUseOneCacheLineAtTheCostOfMemory) {
    build_with_rom();
    const auto made = run({{0, Do::load, kBelow4GB + 0xFF0, 0}, {0, Do::load, kRom + 0xFF0, 40}});
    EXPECT_EQ(made[0].value, 0x1234'5678u);
    EXPECT_EQ(made[0].clock, 16);
    EXPECT_EQ(made[1].value, 0x1234'5678u);
    EXPECT_EQ(made[1].how, Access::hit);
    EXPECT_EQ(transactions(), std::vector<TransactionKind>{TransactionKind::read});
}

TEST_F(TwiceSeenRom, CodeIsFetchedFromEitherAddress) {
    build_with_rom();
    run({{0, Do::fetch, kBelow4GB + 0xFF0, 0}});
    EXPECT_TRUE(holds(0, kRom + 0xFF0));
    EXPECT_FALSE(holds(0, kBelow4GB + 0xFF0));
    const auto again = run({{0, Do::fetch, kRom + 0xFF0, 40}});
    EXPECT_EQ(again[0].how, Access::hit);
}

TEST_F(TwiceSeenRom, StoresAndLocksTreatItAsMemory) {
    for (const StorePolicy policy : {StorePolicy::buffered, StorePolicy::stall}) {
        build_with_rom(policy);
        run({{0, Do::store, kBelow4GB + 0x10, 0, 0xAB, 1},
             {0, Do::locked_load, kBelow4GB + 0x20, 100},
             {0, Do::locked_store, kBelow4GB + 0x20, 140, 0xCD},
             {0, Do::unlock, 0, 180}});
        EXPECT_EQ(memory.read(kRom + 0x10, 1), 0xABu);
        EXPECT_EQ(memory.read(kRom + 0x20, 4), 0xCDu);
        EXPECT_EQ(caches[0]->peek(kBelow4GB + 0x20, 4), 0xCDu);
    }
}

TEST_F(TwiceSeenRom, OnlyAddressesInTheAliasAreTranslated) {
    build_with_rom();
    EXPECT_EQ(caches[0]->decoded(kBelow4GB - 1), kBelow4GB - 1);
    EXPECT_EQ(caches[0]->decoded(0xFFFF'FFFF), kRom + 0xFFF);
    build(StorePolicy::stall);
    EXPECT_EQ(caches[0]->decoded(0xFFFF'FFFF), 0xFFFF'FFFFu);
    EXPECT_EQ(run({{0, Do::load, 0xFFFF'FFF0, 0}})[0].how, Access::unmapped);
}

}  // namespace
}  // namespace symsim::test
