// SPDX-License-Identifier: MIT
// The candidates for the next grant: the oldest request of each port, and what can keep it from
// being granted: another port's lock, a line that is unavailable, a busy memory controller. The
// interconnect updates the parts; who chooses a request asks.
#pragma once

#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/address_locks.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/interconnect/lines_in_transit.h"
#include "sim/interconnect/memory_controllers.h"
#include "sim/interconnect/oldest_requests.h"

namespace symsim {

struct Candidates {
    // `locks_hold_all`: see AddressLocks.
    Candidates(const InterconnectConfig& config, bool locks_hold_all)
        : locks(locks_hold_all, !config.filter_snoops), lines(config.line_bytes), memory(config) {}

    // Whether the port's request, which is eligible, can be granted at `at`.
    bool may_be_granted(ProcessorId port, Time at) const {
        return !locks.blocked().contains(port) && available_from(port, at) == 0 &&
               !refused_by_memory(port, at);
    }
    // Whether the memory controller of the port's request is too busy to accept it.
    bool refused_by_memory(ProcessorId port, Time at) const {
        return memory.may_refuse(at) && accepted_from(port) > at;
    }
    // When a memory controller accepts the port's request.
    Time accepted_from(ProcessorId port) const {
        return memory.accepts_from(requests.kind(port), requests.line(port));
    }
    // When the line of the port's request becomes available to it: 0 if it is available at `at`,
    // kNever if the time is not known yet.
    Time available_from(ProcessorId port, Time at) const {
        return lines.unavailable_until(port, requests.kind(port), requests.line(port), at);
    }
    // A cheap test: false if the line is certainly available.
    bool may_be_unavailable(ProcessorId port) const {
        return lines.may_be_unavailable(port, requests.line(port));
    }
    // Ports whose request no lock blocks.
    ProcessorSet unblocked() const { return requests.pending() - locks.blocked(); }

    OldestRequests requests;
    AddressLocks locks;
    LinesInTransit lines;
    MemoryControllers memory;
};

}  // namespace symsim
