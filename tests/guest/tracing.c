// SPDX-License-Identifier: MIT

// Traps and faults that a program causes: single-step traps by the trap flag, breakpoints, into,
// bound and divide errors. Checks whether each is raised before or after its instruction, and with
// which flags (PRM chapters 9 and 12).

#include "faults.h"

static volatile unsigned steps;
static volatile uintptr_t step_eip[64];
static volatile uint32_t last_flags;

static void step(struct trap_frame* frame) {
    uint32_t dr6;
    __asm__ volatile("movl %%dr6, %0; movl %1, %%dr6" : "=&r"(dr6) : "r"(0));
    CHECK_EQUAL(dr6 & 0xe00f, 0x4000);  // BS
    CHECK_EQUAL(read_flags() & FLAG_TRAP, 0);
    if (steps < 64) step_eip[steps] = frame->eip;
    steps++;
    last_flags = frame->flags;
}

#define TRACE_ON "pushfl; orl $0x100, (%%esp); popfl\n\t"
#define TRACE_OFF "pushfl; andl $~0x100, (%%esp); popfl\n\t"
#define STEPPED_AT(n, label)                        \
    do {                                            \
        extern char label[];                        \
        CHECK_EQUAL(step_eip[n], (uintptr_t)label); \
    } while (0)

// The instruction that sets the trap flag is not followed by a trap; the one that clears it is.
static void single_step(void) {
    steps = 0;
    uint32_t count = 3;
    __asm__ volatile(TRACE_ON
                     ".globl traced_0, traced_1, traced_2, traced_3, traced_4\n"
                     "traced_0: nop\n"
                     "traced_1: decl %0\n"
                     "traced_2: jnz traced_1\n"
                     "traced_3: " TRACE_OFF "traced_4: nop"
                     : "+r"(count)
                     :
                     : "memory", "cc");
    CHECK_EQUAL(steps, 1 + 3 * 2 + 3);
    STEPPED_AT(0, traced_1);
    STEPPED_AT(1, traced_2);
    STEPPED_AT(2, traced_1);
    STEPPED_AT(6, traced_3);
    STEPPED_AT(9, traced_4);
    CHECK_EQUAL(last_flags & FLAG_RESUME, 0);
}

// A repeated instruction traps after each element; eip stays at the instruction until the last.
static void repeated(void) {
    static char from[8] = "abcdefg", to[8];
    steps = 0;
    const char* source = from;
    char* target = to;
    unsigned count = 8;
    __asm__ volatile(TRACE_ON
                     ".globl repeated_0, repeated_1\n"
                     "repeated_0: rep movsb\n"
                     "repeated_1: " TRACE_OFF
                     : "+S"(source), "+D"(target), "+c"(count)
                     :
                     : "memory", "cc");
    CHECK_EQUAL(steps, 8 + 3);
    for (unsigned i = 0; i < 7; i++) STEPPED_AT(i, repeated_0);
    STEPPED_AT(7, repeated_1);
    for (unsigned i = 0; i < 8; i++) CHECK_EQUAL(to[i], from[i]);
}

// A load of ss by mov or pop delays the trap until after the next instruction (PRM 9.2.4): one trap
// for both. lss loads ss and esp together and does not delay the trap.
static void behind_a_stack_load(void) {
    uint32_t selector = KERNEL_DATA, esp;
    struct {
        uint32_t esp;
        uint16_t ss;
    } __attribute__((packed)) pointer = {0, KERNEL_DATA};
    steps = 0;
    __asm__ volatile(TRACE_ON
                     ".globl loaded_0, loaded_1, loaded_2\n"
                     "movl %1, %%ss\n"
                     "movl %%esp, %0\n"
                     "loaded_0: pushl %1\n"
                     "loaded_1: popl %%ss\n"
                     "movl %%esp, %0\n"
                     "loaded_2: " TRACE_OFF
                     : "=&r"(esp)
                     : "r"(selector)
                     : "memory", "cc");
    CHECK_EQUAL(steps, 3 + 3);
    STEPPED_AT(0, loaded_0);
    STEPPED_AT(1, loaded_1);
    STEPPED_AT(2, loaded_2);
    steps = 0;
    __asm__ volatile("movl %%esp, %0\n\t" TRACE_ON
                     ".globl pointed_0\n"
                     "lss %0, %%esp\n"
                     "pointed_0: " TRACE_OFF
                     : "+m"(pointer)
                     :
                     : "memory", "cc");
    CHECK_EQUAL(steps, 1 + 3);
    STEPPED_AT(0, pointed_0);
}

// int clears the trap flag before its handler starts, so neither the handler nor the int traps.
static volatile unsigned entered;
static volatile uint32_t entered_flags;
static void software(struct trap_frame* frame) {
    entered++;
    CHECK_EQUAL(read_flags() & FLAG_TRAP, 0);
    entered_flags = frame->flags;
}

static void over_interrupts(void) {
    on_interrupt(0x91, software);
    steps = entered = 0;
    __asm__ volatile(TRACE_ON
                     ".globl over_0\n"
                     "int $0x91\n"
                     "nop\n"
                     "over_0: " TRACE_OFF
                     :
                     :
                     : "memory", "cc");
    CHECK_EQUAL(entered, 1);
    CHECK(entered_flags & FLAG_TRAP);
    CHECK_EQUAL(steps, 1 + 3);
    STEPPED_AT(0, over_0);
}

// A trap pushes the next eip, a fault its own. Faults push flags with RF set, so that a breakpoint
// there is not raised again (PRM 12.3.1.1). RF is cleared after the next instruction.
static volatile unsigned traps;
static volatile uintptr_t trap_eip;
static void trap(struct trap_frame* frame) {
    traps++;
    trap_eip = frame->eip;
    last_flags = frame->flags;
}

static unsigned faults_left;
static void retried(struct trap_frame* frame) {
    CHECK_EQUAL(frame->flags & FLAG_RESUME, FLAG_RESUME);
    if (--faults_left == 0) {
        frame->ecx = 7;  // the divisor
    }
}

static void traps_and_faults(void) {
    on_interrupt(BREAKPOINT, trap);
    on_interrupt(OVERFLOW, trap);
    traps = 0;
    __asm__ volatile(".globl behind_int3\nint3\nbehind_int3:" : : : "memory");
    extern char behind_int3[], behind_into[];
    CHECK(traps == 1 && trap_eip == (uintptr_t)behind_int3);
    CHECK_EQUAL(last_flags & FLAG_RESUME, 0);
    __asm__ volatile(
        "movl $0x7fffffff, %%eax; into; addl $1, %%eax\n"
        ".globl behind_into\n"
        "into\nbehind_into:"
        :
        :
        : "eax", "cc", "memory");
    CHECK(traps == 2 && trap_eip == (uintptr_t)behind_into);

    static const int32_t bounds[] = {-5, 10};
    NO_FAULT(__asm__ volatile("boundl %0, %1" : : "r"(10), "m"(bounds)));
    NO_FAULT(__asm__ volatile("boundl %0, %1" : : "r"(-5), "m"(bounds)));
    FAULT(BOUNDS_CHECK, 0, __asm__ volatile("bound_high: boundl %0, %1" : : "r"(11), "m"(bounds)));
    FAULT_AT(bound_high);
    CHECK_EQUAL(fault.flags & FLAG_RESUME, FLAG_RESUME);
    FAULT(BOUNDS_CHECK, 0, __asm__ volatile("boundl %0, %1" : : "r"(-6), "m"(bounds)));
    static const int16_t words[] = {-5, 10};
    FAULT(BOUNDS_CHECK, 0, __asm__ volatile("boundw %w0, %1" : : "r"(0xfff0), "m"(words)));
    static const uint8_t ud2[] = {0x0f, 0x0b}, lock_nop[] = {0xf0, 0x90};
    FAULT(INVALID_OPCODE, 0, ((void (*)(void))ud2)());
    CHECK_EQUAL(fault.eip, (uintptr_t)ud2);
    FAULT(INVALID_OPCODE, 0, ((void (*)(void))lock_nop)());
    CHECK_EQUAL(fault.eip, (uintptr_t)lock_nop);

    // The division is retried after each divide error. The third handler call sets the divisor.
    on_interrupt(DIVIDE_ERROR, retried);
    on_interrupt(0x92, software);
    faults_left = 3;
    uint32_t quotient;
    __asm__ volatile(
        "movl $100, %%eax; xorl %%edx, %%edx; xorl %%ecx, %%ecx\n\t"
        "divl %%ecx\n\t"
        "int $0x92"
        : "=a"(quotient)
        :
        : "ecx", "edx", "cc", "memory");
    CHECK_EQUAL(quotient, 14);
    CHECK_EQUAL(faults_left, 0);
    CHECK_EQUAL(entered_flags & FLAG_RESUME, 0);
}

int main(void) {
    descriptors_load();
    catch_faults();
    on_interrupt(DEBUG_EXCEPTION, step);
    single_step();
    repeated();
    behind_a_stack_load();
    over_interrupts();
    traps_and_faults();
    return 0;
}
