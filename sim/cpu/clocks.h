// SPDX-License-Identifier: MIT
// The manual's clock counts. They assume no wait states, aligned operands and a full prefetch
// queue: what the memory system adds is added by it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/cpu/handlers.h"
#include "sim/cpu/op.h"

namespace symsim {

// The part known when an instruction is decoded; of a branch as if it were not taken, without m.
// `level` is enter's second operand. Empty: the table has no such instruction.
std::optional<std::uint8_t> static_clocks(const Shape& shape, unsigned level);

// Base, index and displacement together take one clock more (nand2mario, "80386 Early Start").
constexpr std::uint8_t kLongAddressClocks = 1;

// jcc and jecxz: 7+m and 9+m taken, 3 and 5 not. m belongs to the target.
constexpr unsigned kTakenJumpClocks = 4;

// mul, imul: 6 (static), plus log2 of the multiplier rounded up, at least 3: it stops early.
unsigned multiplier_clocks(std::uint32_t multiplier);

// bsf, bsr: 10 (static) and 3 for each bit passed over.
unsigned scan_clocks(unsigned passed);

// A repeated string instruction takes 5, and n for each element. It is executed once an element,
// and Op::clocks may not be more than any of these executions takes, so it is the smaller of 5 and
// n; these are the rest.
constexpr unsigned kRepeatClocks = 5;
struct RepeatClocks {
    unsigned empty;    // count 0: nothing done
    unsigned element;  // not the last
    unsigned last;
};
RepeatClocks repeat_clocks(const Op& op);
// n, for Op::extra.
std::uint8_t element_clocks(ZydisMnemonic mnemonic);

}  // namespace symsim
