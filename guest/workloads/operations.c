// SPDX-License-Identifier: MIT

// The four operations of ALL Table 3.1 (claims ALL-01 to ALL-04), with which the machine is
// calibrated: an iteration of an empty loop, a procedure call, each of its arguments, and
// acquisition plus release of a free lock. Each is repeated in a loop, with the clock read before
// and after. The time of the empty loop is subtracted.
//
// Arguments   repetitions  of each loop; default 1000000
// Results     lock_pair_us, call_us, call_argument_us, null_loop_us: per operation, as in the table
//             loop_elapsed_us, lock_elapsed_us, call_0_elapsed_us ... call_4_elapsed_us: of each
//             loop with all its repetitions
// Checks      the lock is free at the end
//
// Compiled with -O0: variables are in memory, as with the paper's compiler, and an iteration is
// four instructions. Each loop and procedure begins a cache line, so that its time does not depend
// on the code before it.

#include "ordering.h"
#include "symsim.h"

#define TIMED __attribute__((aligned(LINE_BYTES)))

#define MOST_ARGUMENTS 4

static struct { LINE_ALIGNED volatile unsigned char word; } lock;

static void TIMED call_0(void) {}
static void TIMED call_1(int) {}
static void TIMED call_2(int, int) {}
static void TIMED call_3(int, int, int) {}
static void TIMED call_4(int, int, int, int) {}

// Defines NAME(repetitions), which returns the microseconds that its loop took.
#define TIMED_LOOP(name, operation)                    \
    static uint32_t TIMED name(unsigned repetitions) { \
        uint32_t start_us = clock_us();                \
        for (unsigned i = 0; i < repetitions; i++) {   \
            operation;                                 \
        }                                              \
        return clock_us() - start_us;                  \
    }

TIMED_LOOP(loop_us, )
TIMED_LOOP(call_0_us, call_0())
TIMED_LOOP(call_1_us, call_1(1))
TIMED_LOOP(call_2_us, call_2(1, 2))
TIMED_LOOP(call_3_us, call_3(1, 2, 3))
TIMED_LOOP(call_4_us, call_4(1, 2, 3, 4))

// As in the machine's library (Sequent, parallel.h, 1990): inline, address in a register, a taken
// branch past the waiting loop if the lock was free, release by another xchgb.
#define LOCK(address)           \
    __asm__ volatile(           \
        "1: movb $1, %%al\n\t"  \
        "xchgb %%al, (%0)\n\t"  \
        "testb %%al, %%al\n\t"  \
        "jz 3f\n\t"             \
        "2: testb $1, (%0)\n\t" \
        "jnz 2b\n\t"            \
        "jmp 1b\n"              \
        "3:"                    \
        :                       \
        : "r"(address)          \
        : "eax", "cc", "memory")
#define UNLOCK(address)     \
    __asm__ volatile(       \
        "movb $0, %%al\n\t" \
        "xchgb %%al, (%0)"  \
        :                   \
        : "r"(address)      \
        : "eax", "memory")

TIMED_LOOP(lock_us, LOCK(&lock.word); UNLOCK(&lock.word))

// (elapsed_us - base_us) per repetition, in nanoseconds.
static int64_t each_ns(uint32_t elapsed_us, uint32_t base_us, unsigned repetitions) {
    return ((int64_t)elapsed_us - base_us) * 1000 / repetitions;
}

int main(void) {
    unsigned n = arg_unsigned("repetitions", 1000000);
    if (n == 0) panic("repetitions must be at least 1");
    uint32_t loop = loop_us(n);
    uint32_t lock_pair = lock_us(n);
    uint32_t call[] = {call_0_us(n), call_1_us(n), call_2_us(n), call_3_us(n), call_4_us(n)};
    // Ten times the slope of the least-squares line through the calls with 0 to 4 arguments.
    uint32_t more = 2 * call[4] + call[3], less = 2 * call[0] + call[1];

    report_thousandths("null_loop_us", each_ns(loop, 0, n));
    report_thousandths("lock_pair_us", each_ns(lock_pair, loop, n));
    report_thousandths("call_us", each_ns(call[0], loop, n));
    report_thousandths("call_argument_us", each_ns(more, less, n) / 10);
    report("loop_elapsed_us", loop);
    report("lock_elapsed_us", lock_pair);
    for (unsigned i = 0; i <= MOST_ARGUMENTS; i++) {
        char name[] = "call_0_elapsed_us";
        name[5] = (char)('0' + i);
        report(name, call[i]);
    }
    return lock.word == 0 ? 0 : 1;
}
