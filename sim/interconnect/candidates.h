// SPDX-License-Identifier: MIT
// The candidates for the next grant: the oldest request of each port, and what can keep it from
// being granted: another port's lock, a line that is unavailable, a busy memory controller. The
// interconnect updates the parts; what chooses a request asks.
#pragma once

#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/address_locks.h"
#include "sim/interconnect/interconnect_config.h"
#include "sim/interconnect/lines_in_transit.h"
#include "sim/interconnect/memory_controllers.h"
#include "sim/interconnect/request_queue.h"

namespace symsim {

struct Candidates {
    // `locks_hold_all`: see AddressLocks.
    Candidates(const InterconnectConfig& config, bool locks_hold_all)
        : locks(locks_hold_all, !config.filter_snoops), lines(config.line_bytes), memory(config) {}

    // The port has a new oldest request, which can be granted from `eligible` on.
    void requested(ProcessorId port, TransactionKind kind, Address line, Time eligible) {
        requests.set(port, kind, line, eligible);
        locks.requested(port, line);
        memory.requested(port, kind, line);
    }
    // The port has no request any more.
    void no_request(ProcessorId port) {
        requests.clear(port);
        locks.no_request(port);
    }

    // Whether the port's request, which is eligible and which memory accepts, can be granted at
    // `at`.
    bool may_be_granted(ProcessorId port, Time at) const {
        return !locks.blocked().contains(port) && available_from(port, at) == 0;
    }
    // When the line of the port's request becomes available to it: 0 if it is available at `at`,
    // kNever if the time is not known yet.
    Time available_from(ProcessorId port, Time at) const {
        return lines.unavailable_until(port, requests.kind(port), requests.line(port), at);
    }
    // Ports whose request no lock blocks.
    ProcessorSet unblocked() const { return requests.pending() - locks.blocked(); }

    OldestRequests requests;
    AddressLocks locks;
    LinesInTransit lines;
    MemoryControllers memory;
};

}  // namespace symsim
