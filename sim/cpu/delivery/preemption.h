// SPDX-License-Identifier: MIT
// A preemption at a given instruction (config keys preempt.*): the timer's interrupt arrives at one
// processor once, when the processor has retired a given number of instructions. The count begins
// at the start of the run, or at the first region_begin probe point with a given number. A guest's
// scheduler can so be entered at every instruction of a path.
//
// While a preemption is pending, the processor asks may_begin() before each instruction, and begins
// each one only when commit time has reached it. So nothing of a window has to be undone, and
// processors without a preemption do nothing more than before.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

struct Preemption {
    enum class State : std::uint8_t { none, awaits_region, counts, done };
    State state = State::none;
    std::uint32_t region = 0;        // number of the region whose beginning is awaited
    std::uint64_t instructions = 0;  // to retire from there on
    std::uint64_t at = 0;            // Context::instructions at which the interrupt arrives
    Time time = 0;                   // done: when it arrived
    Offset eip = 0;                  // done: the instruction before which it arrived

    bool pending() const { return state == State::awaits_region || state == State::counts; }
    void count_from(std::uint64_t retired) {
        state = State::counts;
        at = retired + instructions;
    }
    bool due(std::uint64_t retired) const { return state == State::counts && retired >= at; }
    void arrive(Time now, Offset before) {
        state = State::done;
        time = now;
        eip = before;
    }

    // `region` and `instructions` are in the config of the run.
    template <class Archive>
    void serialize(Archive& archive) {
        archive(state, at, time, eip);
    }
};

}  // namespace symsim
