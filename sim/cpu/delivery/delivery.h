// SPDX-License-Identifier: MIT
// The delivery of an exception or interrupt: from the event to the first instruction of its
// handler.
#pragma once

#include "sim/cpu/state/system.h"

namespace symsim {

class SegmentationUnit;

// Delivers the event through the interrupt vector table in real mode, else through a gate of the
// IDT. The processor's state changes only at the end. False: an access cannot be made now, or
// another exception was raised. Interrupts::deliver() then calls deliver_event() again, from
// the start or with the new event.
bool deliver_event(SegmentationUnit& cpu, const Event& event);

}  // namespace symsim
