// SPDX-License-Identifier: MIT
#include "sim/image/loaded_code.h"

#include <gtest/gtest.h>

#include "sim/base/activity.h"
#include "sim/image/image.h"

namespace symsim {
namespace {

TEST(Regions, TakeTheActivityFromTheSectionsName) {
    EXPECT_EQ(activity_of_section(".text.spin"), Activity::spin);
    EXPECT_EQ(activity_of_section(".text.spin.lock_wait"), Activity::spin);
    EXPECT_EQ(activity_of_section(".text.threads"), Activity::threads);
    EXPECT_EQ(activity_of_section(".text.critical"), Activity::critical);
    EXPECT_EQ(activity_of_section(".text.idle"), Activity::idle);
    EXPECT_EQ(activity_of_section(".text.kernel"), Activity::kernel);
    EXPECT_EQ(activity_of_section(".text.boot"), Activity::boot);
}

TEST(Regions, EveryOtherSectionIsUserCode) {
    for (const char* name : {".text", ".text.", ".text.main", ".text.user", ".init", "spin",
                             ".spin", ".text.spi", ".data.spin", ""})
        EXPECT_EQ(activity_of_section(name), Activity::user) << name;
}

TEST(Regions, IncludeTheirFirstAndLastByte) {
    const Regions regions({{".text.spin", 0x1010, 0x10}, {".text.boot", 0x1000, 0x08}});
    EXPECT_EQ(regions.activity_at(0x0fff), Activity::user);
    EXPECT_EQ(regions.activity_at(0x1000), Activity::boot);
    EXPECT_EQ(regions.activity_at(0x1007), Activity::boot);
    EXPECT_EQ(regions.activity_at(0x1008), Activity::user) << "the gap between two sections";
    EXPECT_EQ(regions.activity_at(0x1010), Activity::spin);
    EXPECT_EQ(regions.activity_at(0x101f), Activity::spin);
    EXPECT_EQ(regions.activity_at(0x1020), Activity::user);
}

TEST(Regions, WithoutSectionsAllCodeIsUserCode) {
    EXPECT_EQ(Regions().activity_at(0), Activity::user);
}

TEST(Regions, MayEndAtTheTopOfTheAddressSpace) {
    const Regions regions({{".text.idle", 0xffff'fff0, 0x10}});
    EXPECT_EQ(regions.activity_at(0xffff'ffff), Activity::idle);
}

}  // namespace
}  // namespace symsim
