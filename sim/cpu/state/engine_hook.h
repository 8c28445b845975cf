// SPDX-License-Identifier: MIT
// What a processor asks its engine during a run: whether the run continues at its limit, and
// whether a loop must be executed iteration by iteration. So a long run is one call of
// Processor::run(). Implemented in sim/engine/speculation. The reference engine has no hook: its
// runs end at their limit, and it executes every iteration.
#pragma once

#include "sim/base/time.h"

namespace symsim {

struct Op;

class EngineHook {
  public:
    virtual ~EngineHook() = default;
    // The processor has executed everything before `reached`, the limit of its run. Returns a later
    // limit, or `reached` if the processor must stop.
    virtual Time extend(Time reached) = 0;
    // The processor has taken `jump`, which closes a delay loop (delay_loop.h). The engine may add
    // whole iterations to the processor's context. They must end before `limit`.
    virtual void skip_iterations(const Op& jump, Time limit) = 0;
    // A backward jump has led to what LoopWatch asks for. True: the loop repeats with the same
    // state, and the processor stops for the reason StopReason::looping.
    virtual bool repeats_state() = 0;
};

}  // namespace symsim
