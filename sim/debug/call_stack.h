// SPDX-License-Identifier: MIT
// The backtrace of a processor: where it executes, and the calls that have not returned. For crash
// reports and the profile.
#pragma once

#include <vector>

#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/image/image.h"

namespace symsim {

// The linear address of the instruction that the processor is at.
Address linear_eip(const Processor& processor);

// Linear return addresses of the calls that have not returned, innermost first. walk_stack()
// says how they are found and when one may be wrong.
std::vector<Address> calls_of(const Processor& processor, const CacheController& cache,
                              const Image& image);

}  // namespace symsim
