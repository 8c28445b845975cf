// SPDX-License-Identifier: MIT
// The probe points of a guest, from the records in its image.
#pragma once

#include <string>
#include <vector>

#include "sim/cpu/core/probes.h"
#include "sim/image/image.h"

namespace symsim {

// Probe points at one address keep the order of their records, which is their order in the
// guest's source. Throws UserError naming image and record if a record is not valid.
ProbePoints probe_points(const Image& image);
// Whether the guest reports its processes.
bool has_processes(const Image& image);
// Whether it reports calls between address spaces.
bool has_calls(const Image& image);
// The names of its address spaces, by number; empty unless guest/spaces.cmake has built it.
std::vector<std::string> space_names(const Image& image);

}  // namespace symsim
