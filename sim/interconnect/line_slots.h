// SPDX-License-Identifier: MIT
// Slots of lines: a line's slot is its number modulo 64. Lines in different slots differ, so a set
// or a count of slots answers most questions about lines without a search.
#pragma once

#include <cstdint>

#include "sim/base/types.h"

namespace symsim {

constexpr unsigned kLineSlots = 64;

class LineSlots {
  public:
    constexpr explicit LineSlots(std::uint32_t line_bytes)
        : line_shift_(static_cast<unsigned>(__builtin_ctz(line_bytes))) {}
    constexpr unsigned of(Address address) const { return (address >> line_shift_) % kLineSlots; }
    // As a set of slots: bit n is slot n.
    constexpr std::uint64_t bit(Address address) const { return std::uint64_t{1} << of(address); }

  private:
    unsigned line_shift_;
};

}  // namespace symsim
