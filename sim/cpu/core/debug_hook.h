// SPDX-License-Identifier: MIT
// What a debugger is told by the processors. Only the reference engine is debugged: it executes
// nothing ahead of its time, so that what is seen at a stop is what is so at that time.
#pragma once

#include "sim/base/types.h"

namespace symsim {

class DebugHook {
  public:
    virtual ~DebugHook() = default;
    // The instruction at eip is about to begin. False: registers or memory have been changed, so
    // it must be looked for again.
    virtual bool begins(ProcessorId processor) = 0;
    // The instruction under way has accessed its operand at a physical address.
    virtual void accessed(ProcessorId processor, Address address, unsigned size, bool write) = 0;
    // It did what no program may do, and ends the run.
    virtual void failed(ProcessorId processor) = 0;
};

}  // namespace symsim
