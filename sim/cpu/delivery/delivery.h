// SPDX-License-Identifier: MIT
// From an exception or interrupt to the first instruction of its handler.
#pragma once

#include "sim/cpu/state/system.h"

namespace symsim {

class Processor;

// Goes through the vector table or the gate, as the mode has it, and changes the processor's state
// at the end. False: could not go on; it will be called again from the start.
bool deliver_event(Processor& cpu, const Event& event);

}  // namespace symsim
