// SPDX-License-Identifier: MIT
// The keys of [slic], the interrupt controllers.
#pragma once

#include <cstdint>

#include "sim/base/fields.h"

namespace symsim {

struct SlicConfig {
    std::uint32_t message_ns = 4000;  // estimate: 3 to 5 us
    std::uint32_t mask_ns = 500;      // Sequent's mutex.s, Mach 3.0, directory sqt
};

template <class Visit>
void for_each_field(SlicConfig& slic, Visit&& visit) {
    visit("message_ns", "ns", slic.message_ns, fits::Integers{1, 1000000},
          "Time for which a message occupies the bus of the interrupt controllers.");
    visit("mask_ns", "ns", slic.mask_ns, fits::Integers{1, 1000000},
          "Time from a write of the interrupt mask until the mask takes effect.");
}

}  // namespace symsim
