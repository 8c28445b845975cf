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
    // Where those at an address stand, by a hash of it: there, or in the next slots up to a free
    // one.
    struct Slot {
        Address address = 0;
        std::uint32_t first = 0;
        std::uint32_t last = 0;  // first: the slot is free
    };
    std::size_t hash(Address address) const {
        return static_cast<std::size_t>(std::uint64_t{address * kScatter} * slots_.size() >> 32);
    }
    std::size_t behind(std::size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }
    void fill_slots();

    static constexpr std::uint32_t kScatter = 2'654'435'769;  // 2^32 by the golden ratio
    std::vector<Probe> probes_;                               // sorted by address
    std::vector<Slot> slots_{1};                              // at least half of them free
};

}  // namespace symsim
