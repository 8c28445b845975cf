// SPDX-License-Identifier: MIT
// Probe points of the guest as the processor sees them: places in the code, not in the
// instruction stream. They cost the guest nothing.
#pragma once

#include <cstdint>

#include "sim/base/function_ref.h"
#include "sim/base/types.h"
#include "sim/cpu/registers.h"
#include "sim/observe/events.h"

namespace symsim {

class ProbePoints {
  public:
    using Peek = FunctionRef<std::uint32_t(Address, unsigned size)>;
    using Take = FunctionRef<void(ProbeKind, std::uint32_t value)>;

    virtual ~ProbePoints() = default;
    virtual bool stands_at(Address address) const = 0;
    // Hands on all probe points at this address, with the operands they have now.
    virtual void fire(Address address, const Registers& regs, const Peek& peek,
                      const Take& take) const = 0;
};

}  // namespace symsim
