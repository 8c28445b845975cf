// SPDX-License-Identifier: MIT
// What is measured on a machine of several nodes only: the use of the links between nodes, the
// misses, and the handoffs of locks.
#pragma once

#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/interconnect/named_resource.h"
#include "sim/observe/bus_meter.h"
#include "sim/observe/handoff_meter.h"
#include "sim/observe/miss_meter.h"

namespace symsim {

struct DistanceReport {
    Topology topology = {1, 1};
    ResourceTable links = {};
    Time interval = 0;
    // Of the links: in order of time, those of one time in order of link. A message is a
    // transaction.
    std::vector<BusInterval> link_intervals = {};
    std::vector<ProcessorMisses> misses = {};  // by processor
    std::vector<PageMisses> pages = {};        // in order of address
};

// The Recorder calls the functions as those of its other meters.
class DistanceMeter {
  public:
    // `resources`: of the machine, with its links as the last ones.
    DistanceMeter(unsigned processors, Time interval, const Topology& topology,
                  const ResourceTable& resources);

    void passed(ProcessorId processor, const Mark& mark) { handoffs_.passed(processor, mark); }
    void missed(const Miss& miss) { misses_.missed(miss); }
    // To BusMeter, uses of links are replies: these are transactions to the meter of links.
    void carried(BusUse use) {
        use.resource = static_cast<std::uint8_t>(use.resource - first_link_);
        use.reply = false;
        links_.used(use);
    }
    void reached(Time at) { handoffs_.reached(at); }
    void close(Time end);

    DistanceReport report(const SymbolOf& symbol_of) const;
    void add_handoffs(std::vector<LockReport>& locks) const { handoffs_.add_to(locks); }

  private:
    Topology topology_;
    ResourceTable table_;  // of the links
    unsigned first_link_;
    BusMeter links_;
    MissMeter misses_;
    HandoffMeter handoffs_;
};

}  // namespace symsim
