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
// Processors access the bus only at commit time, in order of time. So the order of the calls is the
// order of the grants, an operation can be made when it is requested, and its end is known at once.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/devices/board.h"
#include "sim/devices/sync_bus_config.h"

namespace symsim {

class SyncBus final : public TimedDevice {
  public:
    // Physical address of lock 0, in the board's part of device space.
    static constexpr Address kBase = 0xCA00'0000;
    static constexpr Address kMostBytes = 0x40'0000;  // with the most locks of a config

    // Of one processor.
    struct Counts {
        std::uint64_t test_and_sets = 0;
        std::uint64_t failed = 0;  // test-and-sets that found the bit set
        std::uint64_t writes = 0;
        Time wait = 0;      // from requests to grants
        Time max_wait = 0;  // the longest
        std::uint64_t operations() const { return test_and_sets + writes; }
    };

    SyncBus(const SyncBusConfig& config, std::uint32_t processors);

    bool answers(Address address, unsigned size, bool) const override {
        return size == 4 && address % 4 == 0 && (address - kBase) / 4 < bits_.size();
    }
    Reply test_and_set(ProcessorId processor, Address address, Time at);
    Reply read(ProcessorId processor, Address address, Time at) override {
        return test_and_set(processor, address, at);
    }
    Reply write(ProcessorId processor, Address address, std::uint32_t value, Time at) override;

    const std::vector<Counts>& counts() const { return counts_; }  // by processor

  private:
    Time grant(Counts& counts, Time at);
    std::uint8_t& bit(Address address) { return bits_[(address - kBase) / 4]; }

    Time latency_, occupancy_;
    std::vector<std::uint8_t> bits_;
    std::vector<Counts> counts_;
    Time free_at_ = 0;
};

}  // namespace symsim
