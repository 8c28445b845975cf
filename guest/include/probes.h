// SPDX-License-Identifier: MIT
#pragma once

// A probe marks a point in the code for the simulator, as SystemTap's static probes do: a label in
// the code, and a record in the section .symsim.probes, which is never loaded. It adds no
// instruction and no byte of code; a test compares images with and without probes.
//
// A record is: address of the label, kind of probe, and the place of the operand at that point as
// text ("%ebx", "$counter_lock", "8(%esp)"), padded to four bytes.
//
// The event occurs when the processor begins the instruction after the label. To mark one
// particular instruction, put PROBE_RECORD into that instruction's own asm statement.
//
// A probe that is the last statement of a branch can mark the instruction where branches join. All
// of them then pass it. Put it before other code of its branch.
//
// An asm statement with a record is `asm inline`, because gcc estimates code size by the lines of
// asm text, and would lay out the code around a probe differently. For the same reason the empty
// statement stays in an image without probes.
//
// The operand should be a value that the surrounding code has in a register or in memory anyway,
// else the compiler loads it only for the probe. Constraint "ior" is SystemTap's "nor" plus the
// address of a variable.

// RELEASED is optional: the release that began with RELEASE is complete. Between the two there is
// no other probe of a lock.
#define PROBE_LOCK_ATTEMPT 1
#define PROBE_LOCK_ACQUIRED 2
#define PROBE_LOCK_RELEASE 3
#define PROBE_REGION_BEGIN 4
#define PROBE_REGION_END 5
#define PROBE_LOCK_RELEASED 6
#define PROBE_THREAD_CREATE 16
#define PROBE_THREAD_START 17
#define PROBE_THREAD_FINISH 18
#define PROBE_THREAD_BLOCK 19
#define PROBE_THREAD_RESUME 20

// Threads of pthread.h: what each waits for, and who holds each mutex. The operand of HANDLE, with
// which a thread begins, is the address of two words, its function and its number. JOIN has what
// HANDLE of the other thread has. WAIT_END ends a wait of JOIN, CONDITION_WAIT or BARRIER_WAIT.
#define PROBE_THREAD_HANDLE 21
#define PROBE_MUTEX_ATTEMPT 22
#define PROBE_MUTEX_ACQUIRED 23
#define PROBE_MUTEX_RELEASE 24
#define PROBE_THREAD_JOIN 25
#define PROBE_CONDITION_WAIT 26
#define PROBE_BARRIER_WAIT 27
#define PROBE_WAIT_END 28

#define PROBE_MESSAGE 32
#define PROBE_ARGUMENT 33  // operand: address of the name of an argument that the guest looks up

// The operand is the address of an object that only its owner may touch from FREE to USED
// (checked.h).
#define PROBE_MEMORY_FREE 34
#define PROBE_MEMORY_USED 35

// The operand is an address in a page. The page below a stack is closed: the stack has run over if
// anything accesses the page, and the run ends.
#define PROBE_PAGE_CLOSED 36
#define PROBE_PAGE_OPENED 37

// The operand is the address of a text, up to 256 bytes: an error that the program has made. The
// run ends as a failure with that text.
#define PROBE_FAILURE 38

// Processes of a kernel. The operand is the process's number, which no other process of the run
// has. An order that is not possible ends the run as a failure of the guest.
//
//   CREATE   the process exists, and is ready to run
//   RUN      this processor begins to run it
//   PREEMPT  this processor stops running it against its will; it is ready
//   YIELD    it has given up this processor itself; it is ready
//   BLOCK    it sleeps, and has given up this processor
//   WAKE     it is ready again; passed on any processor
//   EXIT     it has ended
//   WARN     its quantum is over, and the kernel extends it
//   FAULT    it has caused an exception for which the kernel ends it; the operand is its eip
//   UPCALL   it begins by an upcall; the operand is the reason (enum upcall_reason in space.h)
//
// PREEMPT, YIELD, BLOCK, EXIT, WARN and FAULT are passed on the processor that runs the process.
// Another processor may run a process as soon as it is in a run queue, so the probe comes before
// that.
#define PROBE_PROCESS_CREATE 48
#define PROBE_PROCESS_RUN 49
#define PROBE_PROCESS_PREEMPT 50
#define PROBE_PROCESS_YIELD 51
#define PROBE_PROCESS_BLOCK 52
#define PROBE_PROCESS_WAKE 53
#define PROBE_PROCESS_EXIT 54
#define PROBE_PROCESS_WARN 55
#define PROBE_PROCESS_FAULT 56
#define PROBE_PROCESS_UPCALL 57

// Calls between address spaces by messages. Each probe point ends what its processor did before, so
// that all time of a call is a part of it (docs/reference/outputs.md, calls.csv). The operand is
// the channel, the message, or any value.
//
//   CALL_BEGIN       client: a thread begins a call; the channel
//   CALL_SENT        client: the call is in the queue; the message
//   CALL_POLL        either: begins to look for messages
//   CALL_RECEIVED    server: has found a call; the message
//   CALL_DISPATCH    server: has copied it, and begins to make a thread
//   CALL_SERVED      server: enters the procedure
//   CALL_ANSWER      server: the procedure has returned
//   CALL_ANSWERED    server: the answer is in the queue; the message
//   ANSWER_RECEIVED  client: has found an answer; the message
//   ANSWER_DISPATCH  client: has copied it, and looks for the caller
//   CALL_END         client: returns to the caller; the channel
#define PROBE_CALL_BEGIN 64
#define PROBE_CALL_SENT 65
#define PROBE_CALL_POLL 66
#define PROBE_CALL_RECEIVED 67
#define PROBE_CALL_DISPATCH 68
#define PROBE_CALL_SERVED 69
#define PROBE_CALL_ANSWER 70
#define PROBE_CALL_ANSWERED 71
#define PROBE_ANSWER_RECEIVED 72
#define PROBE_ANSWER_DISPATCH 73
#define PROBE_CALL_END 74

// Threads of a kernel with Linux's system calls, besides the probes of processes, whose numbers are
// the threads'. The thread is the one that the processor runs, where nothing else is said.
//
//   SYSTEM_CALL      a system call begins; its number
//   PAGE_FAULT       the kernel begins to handle a page fault; the address
//   FUTEX_WAIT       the thread is about to sleep on a futex; the address of its word
//   THREAD_PROCESS   of the thread of the last PROCESS_CREATE; number of its process
//   THREAD_NAME      a thread gets a name; its number. Four NAME_PARTs follow
//   NAME_PART        four characters of the name
#define PROBE_SYSTEM_CALL 80
#define PROBE_PAGE_FAULT 81
#define PROBE_FUTEX_WAIT 82
#define PROBE_THREAD_PROCESS 83
#define PROBE_THREAD_NAME 84
#define PROBE_NAME_PART 85

#define PROBE_TEXT_(x) #x
#define PROBE_TEXT(x) PROBE_TEXT_(x)

#ifdef SYMSIM_NO_PROBES

#define PROBE_RECORD(kind, operand) ""
#define PROBE(kind, operand) __asm__ inline volatile("" : : "ior"(operand))

#else

// Assembler text. `operand` names an operand of the enclosing asm statement, such as "%[lock]".
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
