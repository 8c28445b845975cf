// SPDX-License-Identifier: MIT
// Measures how far each lock travels on a machine of nodes: from the processor that releases it to
// the one that acquires it next, in links of a ring. A ring has one direction, so from node 0 to
// node 3 of 4 there are three links, and from node 3 to node 0 one. The numbers come from the probe
// points lock_acquired and lock_release, in order of time.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/observe/by_time.h"
#include "sim/observe/lock_meter.h"

namespace symsim {

// The Recorder calls passed() for each mark and reached() now and then, then close() once, then
// add_to().
class HandoffMeter {
  public:
    HandoffMeter(unsigned processors, const Topology& topology)
        : topology_(topology), kept_(processors) {}

    void passed(ProcessorId processor, const Mark& mark) {
        if (mark.what == Mark::What::probe &&
            (mark.probe == ProbeKind::lock_acquired || mark.probe == ProbeKind::lock_release))
            kept_.add(processor, mark);
    }
    // All marks before `at` have arrived.
    void reached(Time at) {
        kept_.take_before(at, [this](ProcessorId p, const Mark& mark) { take(p, mark); });
    }
    void close() { reached(kNever); }
    // Enters the handoffs into the reports, for the processors that acquired.
    void add_to(std::vector<LockReport>& locks) const;

  private:
    void take(ProcessorId processor, const Mark& mark);

    Topology topology_;
    std::map<Address, ProcessorId> released_by_;  // locks that nobody has acquired since
    std::map<std::pair<Address, ProcessorId>, Handoffs> handoffs_;  // by who acquired
    MarksByTime kept_;
};

}  // namespace symsim
