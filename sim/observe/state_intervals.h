// SPDX-License-Identifier: MIT
// The states of a processor as intervals that partition its time. Engines may tell a state that
// lasts no time, or one twice: such leave no trace here, so the intervals are the same for all.
#pragma once

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/processor/processor_state.h"

namespace symsim {

struct StateInterval {
    Time start = 0;
    Time end = 0;
    ProcessorId processor = 0;
    ProcessorState state = ProcessorState::executing;
};

class StateIntervals {
  public:
    // It starts at time 0, executing.
    explicit StateIntervals(ProcessorId processor) : processor_(processor) {}

    // Hands on the interval that ended before `at`, if one did and has not been handed on: to be
    // called when all earlier events are known, and by each event itself.
    template <class Take>
    void settle(Time at, Take&& take) {
        if (at <= entered_ || next_ == state_) return;
        if (entered_ > start_) take(StateInterval{start_, entered_, processor_, state_});
        start_ = entered_;
        state_ = next_;
    }
    template <class Take>
    void enter(ProcessorState state, Time at, Take&& take) {
        settle(at, take);
        entered_ = at;
        next_ = state;
    }

    // The interval that goes on at `at`, up to there, when settled so far. It may have no length.
    StateInterval open(Time at) const { return {start_, at, processor_, state_}; }

  private:
    ProcessorId processor_;
    ProcessorState state_ =
        ProcessorState::executing;  // from `start_` to `entered_`, then in `next_`
    ProcessorState next_ = ProcessorState::executing;
    Time start_ = 0;
    Time entered_ = 0;
};

}  // namespace symsim
