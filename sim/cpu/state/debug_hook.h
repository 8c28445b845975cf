// SPDX-License-Identifier: MIT
// How processors report to a debugger (sim/debug/gdb_session.h). Only the reference engine runs
// under a debugger. It executes nothing speculatively, so the state seen at a stop is the state at
// that time.
#pragma once

#include "sim/base/types.h"

namespace symsim {

class DebugHook {
  public:
    virtual ~DebugHook() = default;
    // The instruction at eip is about to begin. False: the debugger has changed registers or
    // memory, so the processor must look for the instruction again.
    virtual bool begins(ProcessorId processor) = 0;
    // The instruction under way has accessed its operand at a physical address.
    virtual void accessed(ProcessorId processor, Address address, unsigned size, bool write) = 0;
    // The guest did what no program may do, and the run ends.
    virtual void failed(ProcessorId processor) = 0;
};

}  // namespace symsim
