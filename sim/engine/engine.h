// SPDX-License-Identifier: MIT
// What the machine asks of an engine, whichever it is.
#pragma once

#include "sim/base/time.h"

namespace symsim {

class Engine {
  public:
    virtual ~Engine() = default;
    // Takes processors that ran ahead back to `at`, up to where everything has been executed.
    virtual void settle(Time at) = 0;
    // Whether at `at`, with nothing on the bus, every processor is halted or loops for ever.
    virtual bool stuck(Time at) = 0;
    // A device access has just been made, and the device may have something pending.
    virtual void device_accessed() = 0;
};

}  // namespace symsim
