// SPDX-License-Identifier: MIT
// The interrupt controller as a processor sees it when it takes an interrupt.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

class InterruptSource {
  public:
    virtual ~InterruptSource() = default;
    // The processor acknowledges the interrupt its line announces, and gets its vector. Its line
    // is set anew before this returns.
    virtual std::uint8_t acknowledge(ProcessorId processor, Time at) = 0;
    // The processor takes a non-maskable interrupt, which it does not acknowledge.
    virtual void nmi_taken(ProcessorId, Time) {}
};

}  // namespace symsim
