// SPDX-License-Identifier: MIT
// A synchronisation bus: a bus beside the System Bus, with one-bit locks in hardware, as the SGI
// POWER Series has it for processors without atomic instructions (MIPS R3000). symsim's layout has
// a dword for each lock:
//
//   read 32    test-and-set: returns the bit, 0 or 1, and sets it
//   write 32   clears the bit (0) or sets it (any other value)
//
// An operation uses no cycle of the System Bus. It occupies the synchronisation bus for `occupancy`
// from its grant, and the processor has the answer `latency` after the grant. Operations are
// granted in the order of their requests; at one time the processor with the lowest number comes
// first. The real arbiter is not known: this order is a guess.
//
// Accesses come in order of time. So the order of the calls is the order of the grants, an
// operation can be made when it is requested, and its end is known at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/devices/device.h"
#include "sim/devices/results.h"

namespace symsim {

struct SyncBusConfig {
    bool present = false;
    std::uint32_t locks = 65536;
    std::uint32_t latency_ns = 1500;   // estimate: 1 to 2 us
    std::uint32_t occupancy_ns = 500;  // estimate
};

template <class Visit>
void for_each_field(SyncBusConfig& sync_bus, Visit&& visit) {
    visit("present", "", sync_bus.present, fits::Flag{},
          "Whether the machine has a synchronisation bus beside the System Bus: one-bit locks in "
          "hardware with test-and-set.");
    visit("locks", "locks", sync_bus.locks, fits::Integers{1, 1048576},
          "Number of locks of the synchronisation bus.");
    visit("latency_ns", "ns", sync_bus.latency_ns, fits::Integers{1, 100000},
          "Time of an operation, from the grant of the synchronisation bus until the processor "
          "continues.");
    visit("occupancy_ns", "ns", sync_bus.occupancy_ns, fits::Integers{1, 10000},
          "Time for which an operation occupies the synchronisation bus; others wait, first come, "
          "first served.");
}

// Of one processor, or of all.
struct SyncBusCounts {
    ProcessorId processor = 0;
    std::uint64_t test_and_sets = 0;
    std::uint64_t failed = 0;  // test-and-sets that found the bit set
    std::uint64_t writes = 0;
    Time wait = 0;      // from requests to grants
    Time max_wait = 0;  // the longest
    std::uint64_t operations() const { return test_and_sets + writes; }
};

template <class Visit>
void for_each_field(const SyncBusCounts& one, Visit&& visit) {
    visit("processor", "", one.processor, "its number, from 0");
    visit("operations", "count", one.operations(), "of it");
    visit("failed", "count", one.failed, "test-and-sets of it that found the lock set");
    visit("wait_us", "us", one.wait, "from its requests to their grants: sum");
}

struct SyncBusReport {
    Time occupancy = 0;
    std::vector<SyncBusCounts> processors;
    SyncBusCounts all() const {
        SyncBusCounts sum;
        for (const SyncBusCounts& one : processors) {
            sum.test_and_sets += one.test_and_sets;
            sum.failed += one.failed;
            sum.writes += one.writes;
            sum.wait += one.wait;
            sum.max_wait = std::max(sum.max_wait, one.max_wait);
        }
        return sum;
    }
};

template <class Visit>
void for_each_field(const SyncBusReport& report, Visit&& visit) {
    const SyncBusCounts all = report.all();
    visit("operations", "count", all.operations(), "test_and_sets + writes");
    visit("test_and_sets", "count", all.test_and_sets, "reads of a lock");
    visit("failed", "count", all.failed, "test-and-sets that found the lock set");
    visit("writes", "count", all.writes, "writes of a lock, such as its release");
    visit("busy_us", "us", static_cast<Time>(all.operations()) * report.occupancy,
          "operations * sync_bus.occupancy_ns");
    visit("wait_us", "us", all.wait, "from requests to their grants: sum");
    visit("mean_wait_us", "us", mean(all.wait, all.operations()), "per operation");
    visit("max_wait_us", "us", all.max_wait, "longest");
    visit("processors[]", "", report.processors,
          "one per processor, in order of number; their counts sum to the above");
}

class SyncBus final : public Device {
  public:
    using Keys = SyncBusConfig;
    using Report = SyncBusReport;
    static constexpr Address kBase = 0xCA00'0000;  // physical address of lock 0
    static constexpr DeviceText kText = {
        "sync_bus",
        {kBase, 0x40'0000},  // with the most locks of a config
        "here is the synchronisation bus of machines with sync_bus.present, such as sgi-4d480; its "
        "locks (sync_bus.locks) are dwords, to be read and written whole",
        "the synchronisation bus; absent if the machine has none (sync_bus.present)",
        "synchronisation bus  {operations} operations, {failed} of {test_and_sets} test-and-sets "
        "failed, mean wait {mean_wait_us}, max {max_wait_us}"};

    SyncBus(const SyncBusConfig& config, const DeviceHost& host)
        : Device({kBase, 4 * config.locks, DeviceReach::after_stores}),
          latency_(config.latency_ns * kNanosecond),
          bits_(config.locks),
          report_{config.occupancy_ns * kNanosecond, std::vector<SyncBusCounts>(host.processors)} {
        for (ProcessorId p = 0; p < host.processors; ++p) report_.processors[p].processor = p;
    }

    DeviceReply read(const DeviceAccess& access) override {
        if (!is_dword(access)) return {};
        SyncBusCounts& counts = report_.processors[access.processor];
        ++counts.test_and_sets;
        const std::uint8_t before = bit(access);
        if (before != 0) ++counts.failed;
        bit(access) = 1;
        return {true, before, grant(counts, access.at) + latency_ - access.at};
    }
    DeviceReply write(const DeviceAccess& access, std::uint32_t value) override {
        if (!is_dword(access)) return {};
        SyncBusCounts& counts = report_.processors[access.processor];
        ++counts.writes;
        bit(access) = value != 0 ? 1 : 0;
        return {true, 0, grant(counts, access.at) + latency_ - access.at};
    }
    DeviceReport report() const override { return {kText.name, results_of(report_)}; }

  private:
    Time grant(SyncBusCounts& counts, Time at) {
        const Time granted = std::max(at, free_at_);
        free_at_ = granted + report_.occupancy;
        counts.wait += granted - at;
        counts.max_wait = std::max(counts.max_wait, granted - at);
        return granted;
    }
    std::uint8_t& bit(const DeviceAccess& access) { return bits_[(access.address - kBase) / 4]; }

    Time latency_;
    std::vector<std::uint8_t> bits_;
    SyncBusReport report_;
    Time free_at_ = 0;
};

}  // namespace symsim
