// SPDX-License-Identifier: MIT
// What a processor reports to a debugger, and what it asks its engine.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

struct Op;

// An access that an instruction has made to its operand.
struct OperandAccess {
    Address address = 0;  // physical
    unsigned size = 0;    // bytes
    bool write = false;
    bool locked = false;
    bool buffered = false;    // a store that is in the write buffer
    std::uint32_t value = 0;  // read or written
    Time at = 0;
};

// How processors report to a debugger (sim/debug/gdb_session.h) and to the log of accesses
// (sim/run/access_log.h). Only processors that execute nothing speculatively have a hook: those of
// the reference engine, and those whose Schedule is active. So the state at a call is the state at
// that time.
class DebugHook {
  public:
    virtual ~DebugHook() = default;
    // The instruction at eip is about to begin. False: not yet, since the debugger has changed
    // registers or memory, or holds the processor. It must look for the instruction again.
    virtual bool begins(ProcessorId processor) = 0;
    // The instruction under way has accessed its operand.
    virtual void accessed(ProcessorId processor, const OperandAccess& access) = 0;
    // The guest did what no program may do, and the run ends.
    virtual void failed(ProcessorId processor) = 0;
};

// What a processor asks its engine during a run: whether the run continues at its limit, and
// whether a loop must be executed iteration by iteration. So a long run is one call of
// Processor::run(). Implemented in sim/engine/speculation. The reference engine has no hook: its
// runs end at their limit, and it executes every iteration.
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
