// SPDX-License-Identifier: MIT
// Which events of a run matter to the order in which processors access shared memory.
#pragma once

#include <vector>

#include "sim/base/types.h"
#include "sim/observe/logged_event.h"

namespace symsim {

// Keeps probe points, and accesses to lines of `line_bytes` that several processors have accessed,
// one of them with a store. Leaves out what repeats in a spin loop: a load, or an exchange that
// writes what it has read, of the same instruction, address and value as the processor's previous
// one there, if nobody has changed the bytes in between and the processor itself has neither stored
// nor passed a probe point. Returns the events by time; at one time probe points come first.
std::vector<LoggedEvent> shared_accesses(std::vector<LoggedEvent> events, unsigned line_bytes);

}  // namespace symsim
