// SPDX-License-Identifier: MIT
// A guest's probe points by address, as the processors ask for them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/types.h"
#include "sim/cpu/probes.h"
#include "sim/machine/image.h"
#include "sim/machine/probe_operand.h"

namespace symsim {

struct Probe {
    Address address = 0;
    ProbeKind kind = ProbeKind::message;
    ProbeOperand operand;
};

class ProbeTable : public ProbePoints {
  public:
    ProbeTable() = default;
    // Throws UserError naming image and record for one that makes no sense.
    explicit ProbeTable(const Image& image);

    // All probes at an address, in the order of the records: that of the guest's source.
    struct Range {
        const Probe* first;
        const Probe* last;
        const Probe* begin() const { return first; }
        const Probe* end() const { return last; }
        bool empty() const { return first == last; }
    };
    Range at(Address address) const;

    bool stands_at(Address address) const override { return !at(address).empty(); }
    void fire(Address address, const Registers& regs, const Peek& peek,
              const Take& take) const override;

  private:
    std::vector<Probe> probes_;  // sorted by address
};

}  // namespace symsim
