// SPDX-License-Identifier: MIT
// The performance monitors: hardware beside each processor that counts its cache misses, as the
// Convex SPP 1000 has it (M. Steckermeier, F. Bellosa, "Using Locality Information in Userlevel
// Scheduling", Univ. Erlangen-Nuernberg TR-95-14, 1995, sections 5.2.2 and 7.1.4). The SPP counts
// either processor cache misses or network cache misses at a time. Here both are counted. The
// layout of the registers is symsim's own. Each is a dword, and each processor has its own:
//
//   cache misses, far misses, stores   read 32: the counts of PortCounts, low 32 bits
//   waited                             read 32: ns waited for the interconnect, low 32 bits
//   node                               write 32: a physical address
//                                      read 32: the node of the address last written
//   range                              write 32: the first physical address of a range
//   lines                              write 32: the bytes of the range
//                                      read 32: the lines of the range in this processor's cache
//
// No machine has the last two. The paper had to estimate how many of its lines a thread finds in
// the cache; with these a program knows, and the estimates can be judged.
//
// An access uses no cycle of the interconnect. It begins when the processor's earlier stores are
// complete, so these are counted. Its value is that of its beginning; the processor continues
// `access_time` later.
//
// Accesses come in order of time, after what the interconnect does at the same time. So the counts
// are exact, and the same under both engines.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/fields.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/devices/device.h"

namespace symsim {

struct MonitorConfig {
    bool present = false;
    // A guess: "very expensive compared to the processor cycle time", 10 ns on the SPP 1000
    // (Steckermeier and Bellosa 1995, section 7.1.4), by hardware outside of the processor. A
    // microsecond is between that machine's accesses to local and remote memory.
    std::uint32_t read_ns = 1000;
};

template <class Visit>
void for_each_field(MonitorConfig& monitor, Visit&& visit) {
    visit("present", "", monitor.present, fits::Flag{},
          "Whether each processor has a performance monitor, which the guest can read: counts of "
          "its cache misses and stores, the time waited, the node of an address, and the lines of "
          "a range in its cache.");
    visit("read_ns", "ns", monitor.read_ns, fits::Integers{1, 100000},
          "Time of an access to a register of the performance monitor; the processor waits.");
}

class Memory;

class Monitor final : public Device {
  public:
    using Keys = MonitorConfig;
    // Physical address of the registers, in the board's part of device space; the enumerators are
    // offsets from it.
    static constexpr Address kBase = 0xCB00'0000;
    enum Register : std::uint32_t {
        kCacheMisses = 0x00,
        kFarMisses = 0x04,
        kStores = 0x08,
        kWaited = 0x0c,
        kNode = 0x10,
        kRange = 0x14,
        kLines = 0x18,
        kSize = 0x1c,
    };
    static constexpr DeviceText kText = {
        "monitor",
        {kBase, kSize, DeviceReach::after_stores},
        "here is the performance monitor of machines with monitor.present; its registers are "
        "dwords, each read, written or both (guest/include/monitor.h)"};
    // Read as the node of an address where there is no memory.
    static constexpr std::uint32_t kNoNode = 0xffff'ffff;

    Monitor(const MonitorConfig& config, const DeviceHost& host);

    DeviceReply read(const DeviceAccess& access) override;
    DeviceReply write(const DeviceAccess& access, std::uint32_t value) override;

  private:
    // What a processor has last written to the registers.
    struct Asked {
        Address node = 0;
        Address range = 0;
        std::uint32_t bytes = 0;
    };

    Time access_time_;
    const Interconnect& interconnect_;
    const Memory& memory_;
    std::vector<Asked> asked_;  // by processor
};

}  // namespace symsim
