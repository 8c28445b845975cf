// SPDX-License-Identifier: MIT
// What the machine tells its observers. Everything told is final: a processor that runs ahead
// tells only what can no longer be taken back. Events of one processor come in order of time,
// and so do those of the bus; events of different processors need not.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// Kinds of probe points; the numbers stand in the guest's probe records (guest/include/probes.h).
enum class ProbeKind : std::uint32_t {
    lock_attempt = 1,
    lock_acquired = 2,
    lock_release = 3,
    region_begin = 4,
    region_end = 5,
    thread_create = 16,
    thread_start = 17,
    thread_finish = 18,
    thread_block = 19,
    thread_resume = 20,
    message = 32,
};
struct ProbePoint {
    ProbeKind kind;
    std::string_view name;
    std::string_view operand;
    std::string_view meaning;
};
constexpr std::array<ProbePoint, 11> kProbePoints = {{
    {ProbeKind::lock_attempt, "lock_attempt", "address of the lock",
     "a processor is about to try for a lock; its wait begins"},
    {ProbeKind::lock_acquired, "lock_acquired", "address of the lock",
     "it has the lock: its wait ends and its hold begins, as does the activity critical"},
    {ProbeKind::lock_release, "lock_release", "address of the lock",
     "it is about to give the lock back; its hold ends"},
    {ProbeKind::region_begin, "region_begin", "number of the region",
     "a region begins on this processor, such as the part that is timed"},
    {ProbeKind::region_end, "region_end", "number of the region", "the region ends"},
    {ProbeKind::thread_create, "thread_create", "address of the thread", "a thread has been made"},
    {ProbeKind::thread_start, "thread_start", "address of the thread",
     "a processor begins to run a thread that is new"},
    {ProbeKind::thread_finish, "thread_finish", "address of the thread",
     "the thread that runs here has come to its end"},
    {ProbeKind::thread_block, "thread_block", "address of the thread",
     "the thread that runs here stops to wait for something"},
    {ProbeKind::thread_resume, "thread_resume", "address of the thread",
     "a processor goes on with a thread that had blocked"},
    {ProbeKind::message, "message", "a value of the guest's own",
     "whatever the guest wants to be seen in a trace"},
}};

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
    Kind kind = Kind::read;
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
    if (wait.from < wait.granted) enter(State::waiting, wait.from);
    enter(State::served, std::max(wait.from, wait.granted));
    enter(State::executing, wait.until);
}

class Observer {
  public:
    virtual ~Observer() = default;

    virtual void passed(ProcessorId processor, const std::vector<Mark>& marks) = 0;
    virtual void entered(ProcessorId processor, State state, Time at) = 0;
    // It waits from `at` for a transaction that has not been granted ...
    void waiting(ProcessorId processor, Time at) { entered(processor, State::waiting, at); }
    // ... or, from `at`, for one that has been.
    void served(ProcessorId processor, Time at) { entered(processor, State::served, at); }
    void resumed(ProcessorId processor, Time at) { entered(processor, State::executing, at); }
    void halted(ProcessorId processor, Time at) { entered(processor, State::halted, at); }
    // All of a wait that is over, and that nothing has been told of.
    virtual void waited(ProcessorId processor, const BusWait& wait) {
        for_each_state(wait, [&](State state, Time at) { entered(processor, state, at); });
    }

    virtual void used(const BusUse& use) = 0;

    // What only traces show. Messages come in order of arrival; an interrupt when the processor
    // acknowledges it, with the number of the message that announced it, or 0 if none did.
    virtual void messaged(const InterruptMessage&) {}
    virtual void interrupted(ProcessorId, Time /*at*/, std::uint8_t /*vector*/,
                             std::uint32_t /*message*/) {}
    // Whether it wants to be told, every so often, that all before `at` has been told.
    virtual bool follows() const { return false; }
    virtual void reached(Time /*at*/) {}
};

}  // namespace symsim
