// SPDX-License-Identifier: MIT
// Finds arguments of the config that a guest has never looked up: most are misspelt.
#pragma once

#include <vector>

#include "sim/config/config.h"
#include "sim/image/image.h"
#include "sim/machine/systemc/machine.h"
#include "sim/observe/report.h"

namespace symsim {

// Of the guest that has run on the machine. An argument that guest.image contains as {name}
// counts as used. Empty for an image whose lookups have no probe points: nothing is known of it.
std::vector<UnusedArgument> unused_arguments(const Image& image, const Config& config,
                                             const Machine& machine);

}  // namespace symsim
