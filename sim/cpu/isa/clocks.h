// SPDX-License-Identifier: MIT
// The clock counts of the 80386 Programmer's Reference Manual, 1986 (PRM), chapter 17. They assume
// no wait states, aligned operands and a full prefetch queue. Waits for the memory system are added
// at execution.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/cpu/isa/handlers.h"
#include "sim/cpu/isa/op.h"

namespace symsim {

// The part of the count that is known when the instruction is decoded. For a conditional jump it is
// the count if not taken; m is never included. `level` is enter's second operand. Empty: the tables
// have no such instruction.
std::optional<std::uint8_t> static_clocks(const Shape& shape, unsigned level);

// An address with base, index and displacement takes one clock more (nand2mario, "80386 Early
// Start").
constexpr std::uint8_t kLongAddressClocks = 1;

// jcc takes 7+m clocks if taken and 3 if not, jecxz 9+m and 5. m is that of the target instruction
// (Op::components).
constexpr unsigned kTakenJumpClocks = 4;

// mul and imul take 6 clocks (static) plus log2 of the multiplier, rounded up and at least 3: the
// multiplication stops early.
unsigned multiplier_clocks(std::uint32_t multiplier);

// bsf and bsr take 10 clocks (static) plus 3 for each bit that they pass over.
unsigned scan_clocks(unsigned passed);

// The clocks of a page table walk beside its two reads of two clocks each. In all a walk takes
// about 20 clocks with good memory (nand2mario, "80386 Memory Pipeline").
constexpr int kPageWalkClocks = 16;

// Entry to the handler of an interrupt or exception, and return from it (PRM, INT and IRET). The
// manual gives 217 to 314 clocks for a task switch, by kinds of tasks and by what switches. Each
// takes those of an interrupt from a 386 task to another.
constexpr unsigned kInterruptClocks = 59;
constexpr unsigned kInterruptInnerClocks = 99;
constexpr unsigned kInterruptFrom8086Clocks = 119;
constexpr unsigned kRealInterruptClocks = 37;
constexpr unsigned kRealBreakpointClocks = 33;  // int3
constexpr unsigned kRealOverflowClocks = 35;    // into
constexpr unsigned kInterruptReturnClocks = 38;
constexpr unsigned kInterruptReturnOuterClocks = 82;
constexpr unsigned kReturnTo8086Clocks = 60;
constexpr unsigned kReturnRealClocks = 22;
constexpr unsigned kTaskSwitchClocks = 309;

// Far transfers (PRM, JMP, CALL and RET), each plus m. A pointer in memory takes 4 clocks more,
// which static_clocks() includes, but not in real mode.
constexpr unsigned kFarPointerClocks = 4;
constexpr unsigned kFarJumpRealClocks = 12;
constexpr unsigned kFarJumpRealPointerClocks = 43;  // in all
constexpr unsigned kFarJumpClocks = 27;
constexpr unsigned kFarCallRealClocks = 17;
constexpr unsigned kFarCallRealPointerClocks = 22;  // in all
constexpr unsigned kFarCallClocks = 34;
constexpr unsigned kGateJumpClocks = 45;
constexpr unsigned kGateClocks = 52;
constexpr unsigned kGateInnerClocks = 86;
constexpr unsigned kGateInnerParametersClocks = 94;  // plus 4 for each parameter
constexpr unsigned kFarReturnRealClocks = 18;
constexpr unsigned kFarReturnClocks = 32;
constexpr unsigned kFarReturnOuterClocks = 68;

// Additional clocks of loading a segment register in protected mode. mov takes 18 (from a register)
// and 19 (from memory) instead of 2 and 5, pop 21 instead of 7; lds, les and lss 22, lfs and lgs 25
// instead of 7 (PRM, MOV, POP and LGS).
constexpr unsigned kProtectedMovClocks = 16;
constexpr unsigned kProtectedMovMemoryClocks = 14;
constexpr unsigned kProtectedPopClocks = 14;
constexpr unsigned kProtectedPointerClocks = 15;
constexpr unsigned kProtectedPointerFsGsClocks = 18;

// Additional clocks of smsw to memory in real mode, and of lsl if the limit counts pages (PRM).
constexpr unsigned kRealSmswClocks = 1;
constexpr unsigned kPageLimitClocks = 5;

// Additional clocks of in, out, ins and outs if the I/O permission bit map must be checked, and in
// real mode (PRM, IN, OUT, INS and OUTS).
constexpr unsigned kPortAboveIoplClocks = 20;
constexpr unsigned kPortRealClocks = 6;
// If repeated, they take the additional clocks once, and ins 2, outs 1 more. In real mode rep outs
// takes 12 clocks for each element, and only the usual 5 beside (PRM, REP).
constexpr unsigned kRepeatInsClocks = 2;
constexpr unsigned kRepeatOutsClocks = 1;
constexpr unsigned kRealOutsElementClocks = 7;

// A repeated string instruction takes 5 clocks, plus n for each element. The handler is executed
// once for each element. Op::clocks must not exceed the clocks of any of these executions, so it is
// the smaller of 5 and n. RepeatClocks has the clocks beyond Op::clocks.
constexpr unsigned kRepeatClocks = 5;
struct RepeatClocks {
    unsigned empty;    // the count is 0: no element
    unsigned element;  // an element that is not the last
    unsigned last;     // the last element, and the 5 clocks
};
RepeatClocks repeat_clocks(const Op& op);
// The n of a string instruction, which is in Op::extra if it is repeated; 0 for other instructions.
std::uint8_t element_clocks(ZydisMnemonic mnemonic);

}  // namespace symsim
