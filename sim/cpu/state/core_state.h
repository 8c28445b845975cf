// SPDX-License-Identifier: MIT
// CoreState: the state that every instruction needs. The interpreter and the fast path both work on
// it, and so does each unit of the processor. Its members are adjacent, to occupy few lines of the
// host's cache.
//
// Three times bound what is executed. Up to `commit_time` the bus has been simulated: an access up
// to then can be made, a later one is speculative. No access is made at or after `limit`. An
// instruction that begins at `stop` or later first calls Interrupts::may_begin(); that is at the
// limit, or always if something must happen between two instructions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/base/options.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cpu/state/context.h"
#include "sim/cpu/state/system.h"

namespace symsim {

// The reasons why Processor::run() returns.
enum class StopReason : std::uint8_t {
    retry,    // ask again when commit time is at `next_time()`, or the limit is reached
    waiting,  // for the cache controller, which calls its Waiter
    looping,  // in a loop that only another processor's store can end
    halted,   // by hlt, until an interrupt comes
    failed,   // the guest did what no program may do; see failure()
    raised,   // never returned: an exception is to be delivered
};

struct Op;

// The progress of one execution of an instruction. If an access cannot be made now, the instruction
// is executed again from its start, and its Execution is reset. Progress that must survive is in
// UnderWay (context.h).
struct Execution {
    std::uint16_t loads = 0;
    std::uint16_t stores = 0;
    std::uint16_t splits = 0;  // operands across two dwords: one more bus cycle each
    // The number of the next access; lower than UnderWay::accesses while accesses are repeated.
    std::uint32_t next_access = 0;
    std::uint32_t extra_clocks = 0;
    Arrival arrival = Arrival::in_sequence;  // at the next instruction
    bool at_port = false;  // the access under way is one of in, out, ins, outs to a port
    bool repeating = false;
    bool non_speculative = false;
    bool eventful = false;  // arrival, extra_clocks, repeating or non_speculative is set
};

// The progress of a walk through the page tables (sim/cpu/mmu/paging_unit.cpp). The log of the
// walk's own accesses is like LoadStore::AccessLog for those of an instruction.
struct PageWalk {
    std::array<std::uint32_t, 8> log{};
    unsigned made = 0;
    unsigned next = 0;
    Time offset = 0;  // of the access that needs the walk, from the start of the instruction
};

struct CoreState {
    static constexpr Time kCheckAlways = -1;

    CoreState(ProcessorId number, Time clock_period, Isa instruction_set)
        : id(number), clock(clock_period), isa(instruction_set), system(System::flat()) {}

    // --- between two instructions ----------------------------------------------------------------
    bool nmi_ready() const { return nmi && !system.nmi_blocked; }
    bool line_ready() const { return line && context.flags.system & Flags::kInterrupt; }
    // Whether the processor, if halted, would continue now.
    bool wakes() const { return nmi_ready() || line_ready(); }
    // Whether something must happen between two instructions: an interrupt, a trap, a halt, or a
    // deferred exception.
    bool attention() const {
        return system.deferred.active || nmi_ready() || line_ready() || context.halted ||
               context.stepping || context.flags.system & (Flags::kTrap | Flags::kResume);
    }
    // To be called whenever the answer of attention() may have changed.
    void set_stop() { stop = attention() || watched ? kCheckAlways : limit; }
    // Moves the limit. A `stop` of kCheckAlways stays. The reasons for attention cannot change
    // during speculative execution, except for the flags, whose handlers call set_stop().
    void set_limit(Time later) {
        limit = later;
        if (stop != kCheckAlways) stop = later;
    }
    // Stops the processor. Always returns false.
    bool pause(Time at, StopReason reason) {
        next_time = at;
        stop_reason = reason;
        return false;
    }

    // Whether commit time has reached the time of the instruction. If not, the processor stops.
    bool committed() {
        return context.time <= commit_time || pause(context.time, StopReason::retry);
    }

    // --- one instruction -------------------------------------------------------------------------
    void start_execution(unsigned length) {
        next_eip = context.eip + length;
        execution = {};
    }
    // Clocks beyond Op::clocks that depend on data.
    void add_clocks(unsigned n) {
        execution.extra_clocks += n;
        execution.eventful = true;
    }
    // Takes a branch whose target has already been checked against the code segment's limit.
    void go_to(Offset target, Arrival arrival) {
        next_eip = target;
        execution.arrival = arrival;
        execution.eventful = true;
    }
    bool branched() const { return execution.arrival != Arrival::in_sequence; }
    // Whether the next access has been made in an earlier execution of the instruction.
    bool again() const { return execution.next_access < context.accesses; }
    // An operand across two dwords takes one more bus cycle.
    void split() {
        ++execution.splits;
        add_clocks(2);
    }
    bool out_of_time(Time at) const {
        return at >= limit || (execution.non_speculative && at > commit_time);
    }
    // Offset in time of the next load within the instruction.
    Time load_offset() const {
        const Execution& e = execution;
        return clock.cycles(2 * (e.loads + e.splits + (e.non_speculative ? e.stores : 0)));
    }
    // Time at which the instruction has made its last access, or began.
    Time now() const { return std::max(context.time, context.last_access); }
    // State other than registers and flags has changed: a loop does not repeat with the same state.
    void changed() { ++context.changes; }
    // A store was posted that commit time has not reached. It cannot be made again, so the engine
    // is asked right after it whether the run continues. A loop with a store does not repeat with
    // the same state.
    void posted_ahead(Time at) {
        set_limit(at + 1);
        changed();
    }
    // The instruction is complete, except for time and eip.
    void complete() {
        ++context.instructions;
        static_cast<UnderWay&>(context) = {};
    }
    // The instruction under way will not be completed: forgets its progress.
    void abandon() {
        const Arrival arrival = context.arrival;
        static_cast<UnderWay&>(context) = {};
        context.arrival = arrival;
        walk.made = 0;
    }
    // The code window no longer holds: a segment or a translation may have changed.
    void close_window() {
        context.window = {};
        paused_at = nullptr;
    }

    const ProcessorId id;
    const Clock clock;
    const Isa isa;
    Context context;
    Offset next_eip = 0;
    Execution execution;
    Time commit_time = 0;
    Time limit = 0;
    Time stop = kCheckAlways;
    Time next_time = 0;  // of the access or instruction at which the last run stopped
    StopReason stop_reason = StopReason::retry;
    bool line = false;     // from the interrupt controller
    bool nmi = false;      // signalled, and not taken yet
    bool watched = false;  // a debugger or the schedule looks at each instruction
    // When the current run of fast-path instructions must end.
    Time fast_stop = 0;
    // The instruction at which that run ended; null if the processor stops.
    const Op* fast_end = nullptr;
    // The instruction at which the processor last stopped on the fast path; null if it did not.
    const Op* paused_at = nullptr;
    System system;
    PageWalk walk;
};

}  // namespace symsim
