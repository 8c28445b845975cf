// SPDX-License-Identifier: MIT
// What the loader and the kernel of Linux programs hand each other in the guest's memory.
#pragma once

#include <stdint.h>

namespace symsim::handoff {
#include "guest/linux/program.h"
}  // namespace symsim::handoff
