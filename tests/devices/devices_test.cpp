// SPDX-License-Identifier: MIT
// The list of all devices: what a machine has, where it is, and what the devices say of themselves.
#include "sim/devices/devices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "tests/support/empty_machine.h"
#include "tests/support/idle_interconnect.h"

namespace symsim::test {
namespace {

class AllDevices : public ::testing::Test {
  protected:
    std::vector<DeviceRange> ranges(const DeviceKeys& keys) {
        DeviceHost host;
        host.signals = &signals;
        host.interconnect = &interconnect;
        host.post_port = 0x80;
        host.output_port = 0xe9;
        std::vector<DeviceRange> all;
        for (const auto& device : make_devices(keys, host)) all.push_back(device->range());
        return all;
    }
    static bool contain(const std::vector<DeviceRange>& ranges, Address address) {
        return std::any_of(ranges.begin(), ranges.end(),
                           [&](const DeviceRange& range) { return range.contains(address); });
    }

    NoCode code;
    Memory memory{1 << 16};
    IdleInterconnect interconnect{memory, code};
    DeviceSignals signals;
};

TEST_F(AllDevices, AMachineHasThoseThatItsKeysAskFor) {
    DeviceKeys keys;
    const auto plain = ranges(keys);
    EXPECT_TRUE(contain(plain, slic::kBase));
    EXPECT_TRUE(contain(plain, kPortSpace + 0x80));
    EXPECT_FALSE(contain(plain, SyncBus::kBase));
    EXPECT_FALSE(contain(plain, Monitor::kBase));
    keys.of<SyncBus>().present = true;
    EXPECT_TRUE(contain(ranges(keys), SyncBus::kBase));
    EXPECT_FALSE(contain(ranges(keys), Monitor::kBase));
    keys.of<Monitor>().present = true;
    EXPECT_EQ(ranges(keys).size(), plain.size() + 2);
}

TEST_F(AllDevices, NoneIsWhereAnotherIs) {
    DeviceKeys keys;
    keys.of<SyncBus>() = {true, 1048576};
    keys.of<Monitor>().present = true;
    const auto all = ranges(keys);
    for (const DeviceRange& one : all)
        for (const DeviceRange& other : all)
            if (&one != &other) {
                EXPECT_FALSE(one.contains(other.base)) << std::hex << other.base;
            }
}

TEST_F(AllDevices, ALineOfTheTerminalNamesResultsOfItsDevice) {
    const std::regex name(R"(\{(\w+)\})");
    unsigned names = 0;
    for (const DeviceKind& kind : device_kinds()) {
        const std::string line = kind.line;
        for (std::sregex_iterator at(line.begin(), line.end(), name), end; at != end; ++at, ++names)
            EXPECT_TRUE(std::any_of(kind.results.begin(), kind.results.end(),
                                    [&](const Result& result) { return result.name == (*at)[1]; }))
                << kind.name << ": " << (*at)[1];
    }
    EXPECT_GE(names, 5u) << "of the synchronisation bus";
}

TEST_F(AllDevices, AHintIsOfTheDeviceAtTheAddress) {
    EXPECT_NE(std::string(device_hint(SyncBus::kBase + 0x3f'ffff)).find("sync_bus.locks"),
              std::string::npos);
    EXPECT_NE(std::string(device_hint(Monitor::kBase)).find("monitor.present"), std::string::npos);
    EXPECT_STREQ(device_hint(SyncBus::kBase + 0x40'0000), "");
    EXPECT_STREQ(device_hint(0x1000), "");
}

// Events of one time happen in the order in which they were scheduled, and each time on its own.
class Alarm final : public Device {
  public:
    Alarm() : Device({0xD100'0000, 4}) {}
    DeviceReply read(const DeviceAccess&) override { return {}; }
    DeviceReply write(const DeviceAccess&, std::uint32_t) override { return {}; }
    void happen(const DeviceEvent& event) override { seen.emplace_back(event.at, event.kind); }
    std::vector<std::pair<Time, unsigned>> seen;
};

TEST(DeviceSignals, EventsHappenInOrderOfTimeAndOfTheirScheduling) {
    DeviceSignals signals;
    Alarm alarm;
    unsigned sooner = 0;
    signals.on_event_scheduled([&] { ++sooner; });
    EXPECT_EQ(signals.next_event(), kNever);
    for (const auto& [at, kind] : {std::pair{30, 1u}, {10, 2u}, {30, 3u}, {20, 4u}})
        signals.schedule(at, alarm, kind);
    EXPECT_EQ(sooner, 2u) << "the events at 30 and at 10";
    EXPECT_EQ(signals.next_event(), 10);
    signals.advance(20);
    EXPECT_EQ(signals.next_event(), 30);
    signals.advance(30);
    EXPECT_EQ(signals.next_event(), kNever);
    EXPECT_EQ(alarm.seen,
              (std::vector<std::pair<Time, unsigned>>{{10, 2}, {20, 4}, {30, 1}, {30, 3}}));
}

}  // namespace
}  // namespace symsim::test
