// SPDX-License-Identifier: MIT
// What the machine tells its observers. Everything told is final: a processor that runs ahead
// tells only what can no longer be taken back. Events of one processor come in order of time,
// and so do those of the bus; events of different processors need not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/events/probe_point.h"
#include "sim/interconnect/transaction_kind.h"
#include "sim/processor/activity.h"
#include "sim/processor/processor_state.h"

namespace symsim {

// Something a processor passed while it executed: a change of activity, or a probe point.
struct Mark {
    enum class What : std::uint8_t { activity, probe };
    Time time = 0;
    What what = What::activity;
    Activity activity = Activity::boot;  // the new one
    ProbeKind probe = ProbeKind::message;
    std::uint32_t value = 0;  // the probe's operand: address of the lock, number of the thread
    Address address = 0;      // where the probe point stands
};

// One use of the bus. A read uses it twice: for its request, and later for the reply.
struct BusUse {
    Time start = 0;     // the edge at which it was granted
    Time duration = 0;  // how long it holds the bus
    Time posted = 0;    // when the requester asked; of a reply, when memory had the data
    ProcessorId processor = 0;
    TransactionKind kind = TransactionKind::read;
    Activity activity = Activity::boot;  // what the processor was doing when it asked
    bool reply = false;
    Address address = 0;
    std::uint8_t size = 0;  // bytes
    bool locked = false;    // the address is locked while this goes over the bus

    template <class Archive>
    void serialize(Archive& archive) {
        archive(start, duration, posted, processor, kind, activity, reply, address, size, locked);
    }
};

// A message between interrupt controllers, told when it arrives.
struct InterruptMessage {
    std::uint32_t number = 0;  // in order of arrival, from 1
    ProcessorId sender = 0;
    Time sent = 0;     // the sender's command
    Time start = 0;    // when it won their bus
    Time arrived = 0;  // when it left it
    std::uint8_t bin = 0;
    bool nmi = false;
    std::uint64_t receivers = 0;  // bit p: processor p has taken it
};

// A processor waited `from` on for a transaction, which was granted at `granted`, perhaps before,
// and went on at `until`. kNever: not yet.
struct BusWait {
    Time from = 0;
    Time granted = kNever;
    Time until = kNever;
};
// Of one that is over.
template <class Enter>
void for_each_state(const BusWait& wait, Enter&& enter) {
    if (wait.from < wait.granted) enter(ProcessorState::waiting, wait.from);
    enter(ProcessorState::served, std::max(wait.from, wait.granted));
    enter(ProcessorState::executing, wait.until);
}

class Observer {
  public:
    virtual ~Observer() = default;

    virtual void passed(ProcessorId processor, const std::vector<Mark>& marks) = 0;
    virtual void entered(ProcessorId processor, ProcessorState state, Time at) = 0;
    // It waits from `at` for a transaction that has not been granted ...
    void waiting(ProcessorId processor, Time at) {
        entered(processor, ProcessorState::waiting, at);
    }
    // ... or, from `at`, for one that has been.
    void served(ProcessorId processor, Time at) { entered(processor, ProcessorState::served, at); }
    void resumed(ProcessorId processor, Time at) {
        entered(processor, ProcessorState::executing, at);
    }
    void halted(ProcessorId processor, Time at) { entered(processor, ProcessorState::halted, at); }
    // All of a wait that is over, and that nothing has been told of.
    virtual void waited(ProcessorId processor, const BusWait& wait) {
        for_each_state(wait, [&](ProcessorState state, Time at) { entered(processor, state, at); });
    }

    virtual void used(const BusUse& use) = 0;

    // What only traces show. Messages come in order of arrival; an interrupt when the processor
    // acknowledges it, with the number of the message that announced it, or 0 if none did.
    virtual void messaged(const InterruptMessage&) {}
    virtual void interrupted(ProcessorId, Time /*at*/, std::uint8_t /*vector*/,
                             std::uint32_t /*message*/) {}
    // Whether it wants to be told, every so often, that all before `at` has been told.
    virtual bool wants_progress() const { return false; }
    virtual void reached(Time /*at*/) {}
};

}  // namespace symsim
