// SPDX-License-Identifier: MIT
// The states of a processor as intervals that partition its time. An engine may report a state of
// zero length, or the same state twice in a row. These reports make no interval of their own, so
// all engines give the same intervals.
#pragma once

#include "sim/base/processor_state.h"
#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

struct StateInterval {
    Time start = 0;
    Time end = 0;
    ProcessorId processor = 0;
    ProcessorState state = ProcessorState::executing;
};

// TransactionLog calls enter() for each state in order of time, flush_before() at the end of each
// chunk, and open() where the log ends.
class StateIntervals {
  public:
    // The processor starts at time 0 in state executing.
    explicit StateIntervals(ProcessorId processor) : processor_(processor) {}

    // Passes the interval that ended before `at` to `take`, if there is one that has not been
    // passed yet. Call it when all events before `at` are known; enter() calls it as well.
    template <class Take>
    void flush_before(Time at, Take&& take) {
        if (at <= entered_ || next_ == state_) return;
        if (entered_ > start_) take(StateInterval{start_, entered_, processor_, state_});
        start_ = entered_;
        state_ = next_;
    }
    // The processor enters `state` at `at`.
    template <class Take>
    void enter(ProcessorState state, Time at, Take&& take) {
        flush_before(at, take);
        entered_ = at;
        next_ = state;
    }

    // The interval under way at `at`, cut off there. Call flush_before(at) before. Its length may
    // be zero.
    StateInterval open(Time at) const { return {start_, at, processor_, state_}; }

  private:
    ProcessorId processor_;
    // In state_ from start_ to entered_, in next_ from entered_ on.
    ProcessorState state_ = ProcessorState::executing;
    ProcessorState next_ = ProcessorState::executing;
    Time start_ = 0;
    Time entered_ = 0;
};

}  // namespace symsim
