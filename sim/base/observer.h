// SPDX-License-Identifier: MIT
// The interface through which the machine reports events to its observer. Only committed events are
// reported: a processor that runs ahead reports an event when it can no longer be rolled back.
// Events of one processor come in order of time, and so do those of the bus. Events of different
// processors need not come in order of time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "sim/base/processor_set.h"
#include "sim/base/time.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"

namespace symsim {

// A point that a processor passed while it executed: a change of activity, a probe point; or, if
// that is asked for (DecodeCache::tell_calls), a call or return within a segment.
struct Mark {
    enum class What : std::uint8_t { activity, probe, call, call_end };
    Time time = 0;
    What what = What::activity;
    Activity activity = Activity::boot;  // the new one; of a probe point: of its code's section
    ProbeKind probe = ProbeKind::message;
    std::uint32_t value = 0;  // the probe's operand: address of the lock, number of the process;
                              // of a call or return the linear esp after it
    Address address = 0;      // of the probe point; of a call the linear return address

    bool is_call() const { return what == What::call || what == What::call_end; }
};

constexpr unsigned kMaxResources = 256;

// One use of a resource of the interconnect. A resource has one use at a time; the System Bus is
// the only resource of its machine. A read uses it twice: for its request, and later for the reply.
struct BusUse {
    Time start = 0;     // the edge at which it was granted
    Time duration = 0;  // how long it occupies the bus
    Time posted = 0;    // when the request was posted; for a reply: when memory had the data
    ProcessorId processor = 0;
    TransactionKind kind = TransactionKind::read;
    Activity activity = Activity::boot;  // of the processor when it posted the request
    bool reply = false;
    Address address = 0;
    std::uint8_t size = 0;  // bytes
    bool locked = false;    // a locked read, or a request of a port that owns a lock
    std::uint8_t resource = 0;
};

// A message between interrupt controllers (SLICs), reported when it arrives.
struct InterruptMessage {
    std::uint32_t number = 0;  // in order of arrival, from 1
    ProcessorId sender = 0;
    Time sent = 0;     // when the sender gave the command
    Time start = 0;    // when the message won the SLIC bus
    Time arrived = 0;  // when it left the SLIC bus
    std::uint8_t bin = 0;
    bool nmi = false;
    ProcessorSet receivers;  // processors that have accepted the message
};

// A processor's wait for a bus transaction: it begins at `from` and ends at `until`. The
// transaction is granted at `granted`, which may be before `from`. kNever: has not happened yet.
struct BusWait {
    Time from = 0;
    Time granted = kNever;
    Time until = kNever;
};
// Calls enter(state, at) for each state that the processor enters in a wait that is over, and for
// its return to executing.
template <class Enter>
void for_each_state(const BusWait& wait, Enter&& enter) {
    if (wait.from < wait.granted) enter(ProcessorState::waiting, wait.from);
    enter(ProcessorState::served, std::max(wait.from, wait.granted));
    enter(ProcessorState::executing, wait.until);
}

// A miss of a processor on a machine of nodes: a transaction that brings it a line. Reported when
// the line is there.
struct Miss {
    Time posted = 0;   // when the request was posted
    Time arrived = 0;  // when its line was at the processor
    ProcessorId processor = 0;
    TransactionKind kind = TransactionKind::read;
    Activity activity = Activity::boot;  // of the processor when it posted the request
    Supplier supplier = Supplier::own_memory;
    std::uint8_t links = 0;  // of rings, which messages took for it one after the other
    std::uint8_t home = 0;   // node of the line's memory
    Address line = 0;
};

class Observer {
  public:
    virtual ~Observer() = default;

    virtual void passed(ProcessorId processor, const std::vector<Mark>& marks) = 0;
    virtual void entered(ProcessorId processor, ProcessorState state, Time at) = 0;
    // From `at` on the processor waits for a transaction that has not been granted.
    void waiting(ProcessorId processor, Time at) {
        entered(processor, ProcessorState::waiting, at);
    }
    // From `at` on the processor waits for a transaction that has been granted.
    void served(ProcessorId processor, Time at) { entered(processor, ProcessorState::served, at); }
    void resumed(ProcessorId processor, Time at) {
        entered(processor, ProcessorState::executing, at);
    }
    void halted(ProcessorId processor, Time at) { entered(processor, ProcessorState::halted, at); }
    // A whole wait that is over; no part of it has been reported before.
    virtual void waited(ProcessorId processor, const BusWait& wait) {
        for_each_state(wait, [&](ProcessorState state, Time at) { entered(processor, state, at); });
    }

    // Uses come in order of their starts, those of all resources together.
    virtual void used(const BusUse& use) = 0;
    // A blocked request, not granted yet, has held the bus from `start` on for `duration`. Nobody
    // else could use the bus meanwhile (LockedRequest::hold_bus). In order of time with used().
    virtual void held(const BusUse& /*hold*/) {}

    // Only on machines of nodes. Misses come in order of time, and so do uses of links. A link has
    // carried a message in this use, which has just been reported to used().
    virtual void missed(const Miss&) {}
    virtual void carried(const BusUse& /*link*/) {}

    // Events that only traces show. Messages are reported in order of arrival. An interrupt is
    // reported when the processor acknowledges it, with the number of the message that announced
    // it, or 0 if none did.
    virtual void messaged(const InterruptMessage&) {}
    virtual void interrupted(ProcessorId, Time /*at*/, std::uint8_t /*vector*/,
                             std::uint32_t /*message*/) {}
    // Whether the observer wants calls of reached() every simulated millisecond.
    virtual bool wants_progress() const { return false; }
    // Every event before `at` has been reported.
    virtual void reached(Time /*at*/) {}
};

}  // namespace symsim
