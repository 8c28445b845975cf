// SPDX-License-Identifier: MIT
// How processors report to a debugger (sim/debug/gdb_session.h) and to the log of accesses
// (sim/run/access_log.h). Only processors that execute nothing speculatively have a hook: those of
// the reference engine, and those whose Schedule is active. So the state at a call is the state at
// that time.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

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

}  // namespace symsim
