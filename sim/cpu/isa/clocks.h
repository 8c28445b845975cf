// SPDX-License-Identifier: MIT
// The manual's clock counts. They assume no wait states, aligned operands and a full prefetch
// queue: what the memory system adds is added by it.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/cpu/isa/handlers.h"
#include "sim/cpu/isa/op.h"

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

// What a page table walk takes beside its reads of two clocks each: about 20 clocks in all with
// good memory (nand2mario, "80386 Memory Pipeline").
constexpr int kPageWalkClocks = 16;

// Entries to handlers, and returns (PRM, INT and IRET). Those marked "memory" are from memory.
constexpr unsigned kInterruptClocks = 59;
constexpr unsigned kInterruptInnerClocks = 99;
constexpr unsigned kInterruptFrom8086Clocks = 119;  // memory
constexpr unsigned kRealInterruptClocks = 37;       // memory
constexpr unsigned kInterruptReturnClocks = 38;
constexpr unsigned kInterruptReturnOuterClocks = 82;
constexpr unsigned kReturnTo8086Clocks = 60;  // memory
constexpr unsigned kReturnRealClocks = 22;    // memory
constexpr unsigned kTaskSwitchClocks = 309;

// Far transfers (PRM, JMP, CALL and RET), all plus m; 4 more with the pointer in memory, which
// static_clocks has. Those marked "memory" are from memory.
constexpr unsigned kFarJumpRealClocks = 12;  // memory
constexpr unsigned kFarJumpClocks = 27;      // memory
constexpr unsigned kFarCallRealClocks = 17;  // memory
constexpr unsigned kFarCallClocks = 34;      // memory
constexpr unsigned kGateJumpClocks = 45;     // memory
constexpr unsigned kGateClocks = 52;
constexpr unsigned kGateInnerClocks = 86;
constexpr unsigned kGateInnerParametersClocks = 94;  // and 4 for each
constexpr unsigned kFarReturnRealClocks = 18;        // memory
constexpr unsigned kFarReturnClocks = 32;
constexpr unsigned kFarReturnOuterClocks = 68;

// What the loads of segment registers take more in protected mode: 18 and 19 instead of 2 and 5
// for mov, 21 instead of 7 for pop (PRM), 22 or 25 instead of 7 for lds and its like (memory).
constexpr unsigned kProtectedMovClocks = 16;
constexpr unsigned kProtectedMovMemoryClocks = 14;
constexpr unsigned kProtectedPopClocks = 14;
constexpr unsigned kProtectedPointerClocks = 15;
constexpr unsigned kProtectedPointerFsGsClocks = 18;

// in and out where the permission map has to be asked.
constexpr unsigned kPortAboveIoplClocks = 20;

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
