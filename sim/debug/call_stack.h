// SPDX-License-Identifier: MIT
// The calls a processor is in, as it stands.
#pragma once

#include <vector>

#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/image/image.h"

namespace symsim {

// Where it is, as a linear address.
Address linear_eip(const Processor& processor);

// Return addresses, linear, innermost first; see walk_stack() for what can be known of them.
std::vector<Address> calls_of(const Processor& processor, const CacheController& cache,
                              const Image& image);

}  // namespace symsim
