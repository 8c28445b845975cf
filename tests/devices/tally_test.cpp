// SPDX-License-Identifier: MIT
// The example of docs/how-to/devices.md, as a device among others. tests/lab/test_how_to_device.py
// compares its header with that page.
#include "tests/devices/tally.h"

#include <gtest/gtest.h>

#include "sim/devices/devices.h"

namespace symsim::test {
namespace {

using Devices = DeviceList<SyncBus, Tally, Console>;

TEST(Tally, CountsTheWritesOfItsWholeRegister) {
    Devices keys;
    keys.of<Tally>().step = 3;
    Tally tally(keys.of<Tally>(), {});
    const Address base = Tally::kText.place.base;
    for (Time at = 0; at < 5; ++at) EXPECT_TRUE(tally.write({0, base, 4, at}, 0).answered);
    EXPECT_EQ(tally.read({0, base, 4, 5}).value, 15u);
    EXPECT_EQ(tally.read({0, base, 4, 5}).delay, 100 * kNanosecond);
    EXPECT_FALSE(tally.write({0, base, 1, 6}, 0).answered);
    EXPECT_FALSE(tally.read({0, base, 2, 6}).answered);
    const DeviceReport report = tally.report();
    EXPECT_EQ(report.device, "tally");
    ASSERT_EQ(report.results.size(), 1u);
    EXPECT_EQ(report.results[0].name, "writes");
    EXPECT_EQ(report.results[0].value.text(), "5");
}

TEST(Tally, IsATableOfKeysInItsPlaceOfTheList) {
    Devices keys;
    std::vector<std::string> tables, fields;
    keys.for_each([&](auto& device) {
        tables.push_back(device.name());
        for_each_field(device.keys, [&](const char* name, auto&&...) {
            if (tables.back() == "tally") fields.push_back(name);
        });
    });
    EXPECT_EQ(tables, (std::vector<std::string>{"sync_bus", "tally", ""}));
    EXPECT_EQ(fields, (std::vector<std::string>{"present", "step"}));
}

}  // namespace
}  // namespace symsim::test
