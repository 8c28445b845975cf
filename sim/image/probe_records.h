// SPDX-License-Identifier: MIT
// The probe points of a guest, from the records in its image.
#pragma once

#include "sim/cpu/core/probes.h"
#include "sim/image/image.h"

namespace symsim {

// Those at one address in the order of the records: that of the guest's source. Throws UserError
// naming image and record for one that makes no sense.
ProbePoints probe_points(const Image& image);

}  // namespace symsim
