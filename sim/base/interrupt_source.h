// SPDX-License-Identifier: MIT
// The interface of the interrupt controller (SLIC) that a processor calls when it takes an
// interrupt.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

class InterruptSource {
  public:
    virtual ~InterruptSource() = default;
    // The processor acknowledges the interrupt that its interrupt line announces. Returns the
    // vector. The controller updates the interrupt line before it returns.
    virtual std::uint8_t acknowledge(ProcessorId processor, Time at) = 0;
    // The processor's timer runs out at `at`, whatever it counts: its interrupt is pending in the
    // controller from now on. The controller updates the interrupt line before it returns.
    virtual void run_out_timer(ProcessorId, Time) {}
    // The processor takes a non-maskable interrupt, which it does not acknowledge.
    virtual void nmi_taken(ProcessorId, Time) {}
};

}  // namespace symsim
