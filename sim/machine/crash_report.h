// SPDX-License-Identifier: MIT
// What a user needs to find the guest's mistake: registers and how it came there.
#pragma once

#include <string>
#include <vector>

#include "sim/cache/controller.h"
#include "sim/cpu/context.h"
#include "sim/machine/image.h"

namespace symsim {

std::string registers_text(const Context& context);

// Innermost first. Guests are compiled without frame pointers, so the stack is searched for values
// that point behind a call instruction: an entry may be a call that has long returned.
std::vector<std::string> backtrace(const Context& context, const CacheController& cache,
                                   const Image& image);

}  // namespace symsim
