// SPDX-License-Identifier: MIT
#pragma once

// Marks a point in the code for the simulator to notice, in the manner of SystemTap's static
// probes: a label here, and a record in the section .symsim.probes that is never loaded. No
// instruction and no byte in the code; a test compares images with and without.
//
// A record is: address of the label, kind, then as text where the operand is at that point
// ("%ebx", "$counter_lock", "8(%esp)"), padded to four bytes.
//
// The event takes place when the processor begins the instruction after the label. A probe that
// must sit on one very instruction goes into that instruction's own asm statement: PROBE_RECORD.
//
// An asm statement with a record in it is `asm inline`: gcc estimates the size of code by the lines
// of its text, and would arrange the code around a probe differently. For the same reason an image
// without probes keeps the empty statement.
//
// The operand should be something the surrounding code has at hand anyway, else the compiler
// fetches it for the probe's sake. Constraint "ior" is SystemTap's "nor" and the address of a
// variable.

#define PROBE_LOCK_ATTEMPT 1
#define PROBE_LOCK_ACQUIRED 2
#define PROBE_LOCK_RELEASE 3
#define PROBE_REGION_BEGIN 4
#define PROBE_REGION_END 5
#define PROBE_THREAD_CREATE 16
#define PROBE_THREAD_START 17
#define PROBE_THREAD_FINISH 18
#define PROBE_THREAD_BLOCK 19
#define PROBE_THREAD_RESUME 20
#define PROBE_MESSAGE 32

#define PROBE_TEXT_(x) #x
#define PROBE_TEXT(x) PROBE_TEXT_(x)

#ifdef SYMSIM_NO_PROBES

#define PROBE_RECORD(kind, operand) ""
#define PROBE(kind, operand) __asm__ inline volatile("" : : "ior"(operand))

#else

// Assembler text; `operand` names an operand of the asm statement it stands in, such as "%[lock]".
#define PROBE_RECORD(kind, operand) \
    "990:\n"                                     \
    "\t.pushsection .symsim.probes,\"\",@progbits\n" \
    "\t.balign 4\n"                              \
    "\t.long 990b, " PROBE_TEXT(kind) "\n"       \
    "\t.asciz \"" operand "\"\n"                 \
    "\t.balign 4\n"                              \
    "\t.popsection\n"

#define PROBE(kind, operand) \
    __asm__ inline volatile(PROBE_RECORD(kind, "%[op]") : : [op] "ior"(operand))

#endif
