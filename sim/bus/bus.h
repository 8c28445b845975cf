// SPDX-License-Identifier: MIT
// The System Bus of the Symmetry. It connects the caches of all processors with memory and devices.
// One request or reply uses the bus at a time, and each use begins at an edge of the bus clock.
//
// Calls (interconnect.h). The events of the bus are edges of its clock: advance() grants one
// request or puts one reply on the bus.
//
// Split transactions. A read occupies the bus for its request, and again for its reply. In between,
// while memory works, other transactions use the bus (transaction_times.h).
//
// Occupancy is how long a transaction keeps others off the bus. Completion is when its requester
// may continue; the requester's port computes it from the grant. The two are separate numbers.
//
// Parts. What a transaction does is in snooping_interconnect.h, and what keeps a request from being
// granted in interconnect.h (Candidates). The bus adds the arbiter (arbiter.h): which is next.
// Replies go before all requests (the bus's high slot class).
//
// Blocked requests. A request for a line that another port has locked does not use the bus. The
// option `locked_request` says what the arbiter does with it. Under hold_bus the blocked request
// that has waited longest holds the bus: the time is reported as bus time.
#pragma once

#include "sim/base/observer.h"
#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/bus/arbiter.h"
#include "sim/interconnect/device_space.h"
#include "sim/interconnect/request.h"
#include "sim/interconnect/snooping_interconnect.h"

namespace symsim {

class Bus final : public SnoopingInterconnect {
  public:
    Bus(const InterconnectConfig& config, Memory& memory, CodePageWatch& code, DeviceSpace& devices,
        Observer& observer);

    // Where a lock of another port blocks all requests (LockedRequest::hold_bus), this port may
    // still use the bus.
    void lock_in_cache(ProcessorId port, Address line, Time at) override;
    void release(ProcessorId port, Address line, bool on_bus, Time at) override;
    // Grants one request or puts one reply on the bus, if possible.
    void advance(Time at) override;
    // Reports the time for which a blocked request has held the bus.
    void close(Time end) override {
        if (candidates_.locks.all_held()) report_hold(end);
    }

  private:
    void on_head_dropped(ProcessorId port) override;
    // The turn that was kept for a lock may continue.
    void on_locks_changed() override { arbiter_.locks_changed(); }

    void arbitrate(Time at);
    bool grant(ProcessorId port, Time at);
    void reply(Time at);
    void report(BusUse& use);
    void report_hold(Time until);

    void reschedule_edge(Time at);
    // The next edge after `at` at which the bus has something to do, not before the edge `soonest`;
    // or kNever.
    Time find_next_edge(Time at, Time soonest) const;
    Time earliest_use(Time soonest) const;
    Time earliest_use_with_waits(Time at, Time soonest) const;

    Observer& observer_;
    Arbiter arbiter_;
    Time held_until_ = 0;  // blocked requests have been reported to hold the bus up to here
};

}  // namespace symsim
