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
// Processors access the monitors only at commit time, in order of time, after what the interconnect
// does at the same time. So the counts are exact, and the same under both engines.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/devices/board.h"
#include "sim/devices/monitor_config.h"
#include "sim/interconnect/interconnect.h"

namespace symsim {

class Monitor final : public TimedDevice {
  public:
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
    // Read as the node of an address where there is no memory.
    static constexpr std::uint32_t kNoNode = 0xffff'ffff;

    Monitor(const MonitorConfig& config, std::uint32_t processors, Interconnect& interconnect);

    bool answers(Address address, unsigned size, bool write) const override {
        const Address offset = address - kBase;
        return size == 4 && offset % 4 == 0 && offset < kSize &&
               (write ? offset >= kNode : offset != kRange);
    }
    Reply read(ProcessorId processor, Address address, Time at) override;
    Reply write(ProcessorId processor, Address address, std::uint32_t value, Time at) override;

  private:
    // What a processor has last written to the registers.
    struct Asked {
        Address node = 0;
        Address range = 0;
        std::uint32_t bytes = 0;
    };

    std::uint32_t value(ProcessorId processor, Address address) const;

    Time access_time_;
    const Interconnect& interconnect_;
    const Memory& memory_;
    std::vector<Asked> asked_;  // by processor
};

}  // namespace symsim
