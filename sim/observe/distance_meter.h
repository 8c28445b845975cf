// SPDX-License-Identifier: MIT
// What is measured on a machine of several nodes only: the use of the links between nodes, the
// misses, and the handoffs of locks. The numbers come from Observer::carried, Observer::missed, and
// the probe points lock_acquired and lock_release.
//
// A miss is near if its messages took no link, else far. A miss of a line that the own node has is
// far too if other nodes have to give up their copies first. A page is one of the 386, whatever
// nodes.page_bytes is. Only pages of which a line was missed are kept, at 8 bytes for each node.
//
// A lock is handed from the processor that releases it to the one that acquires it next. How far,
// is counted in links of a ring. A ring has one direction, so from node 0 to node 3 of 4 there are
// three links, and from node 3 to node 0 one.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/interconnect/named_resource.h"
#include "sim/observe/bus_meter.h"
#include "sim/observe/lock_meter.h"

namespace symsim {

constexpr std::uint32_t kMissPageBytes = 4096;

struct MissCounts {
    std::uint64_t misses = 0;
    std::uint64_t far = 0;  // of misses
    Time time = 0;          // from posting the requests until the lines were there: sum
    Time far_time = 0;      // of time: of far misses
    std::uint64_t links = 0;

    std::uint64_t near() const { return misses - far; }
    Time near_time() const { return time - far_time; }
    MissCounts& operator+=(const MissCounts& other);
};

// The misses of one processor, by activity and supplier of the line.
using ProcessorMisses = std::array<std::array<MissCounts, kSuppliers>, kActivities>;
MissCounts sum(const ProcessorMisses& misses);

struct PageMisses {
    Address page = 0;
    std::string symbol = {};  // at its first byte; may be empty
    std::uint8_t home = 0;    // node of the line that was missed last
    std::vector<std::uint64_t> by_node = {};
};

struct DistanceReport {
    Topology topology = {1, 1};
    ResourceTable links = {};
    Time interval = 0;
    // Of the links: in order of time, those of one time in order of link. A message is a
    // transaction.
    std::vector<BusInterval> link_intervals = {};
    std::vector<ProcessorMisses> misses = {};  // by processor
    std::vector<PageMisses> pages = {};        // in order of address

    // The misses of the processors of each node.
    std::vector<MissCounts> misses_by_node() const;
};

// The Recorder calls the functions as those of its other meters.
class DistanceMeter {
  public:
    // `resources`: of the machine, with its links as the last ones.
    DistanceMeter(unsigned processors, Time interval, const Topology& topology,
                  const ResourceTable& resources);

    // The marks of all processors come in order of time.
    void passed(ProcessorId processor, const Mark& mark);
    void missed(const Miss& miss);
    // To BusMeter, uses of links are replies: these are transactions to the meter of links.
    void carried(BusUse use) {
        use.resource = static_cast<std::uint8_t>(use.resource - first_link_);
        use.reply = false;
        links_.used(use);
    }
    // Aborts unless the misses of pages are as many as those of processors, and the uses of links
    // sum up.
    void close(Time end);

    DistanceReport report(const SymbolOf& symbol_of) const;
    // By who acquired.
    const ByLock<Handoffs>& handoffs() const { return handoffs_; }

  private:
    Topology topology_;
    ResourceTable table_;  // of the links
    unsigned first_link_;
    BusMeter links_;
    std::vector<ProcessorMisses> misses_;  // by processor
    std::map<Address, PageMisses> pages_;
    std::map<Address, ProcessorId> released_by_;  // locks that nobody has acquired since
    ByLock<Handoffs> handoffs_;
};

}  // namespace symsim
