// SPDX-License-Identifier: MIT

// Transitions from ring 3 to ring 0 and back, by interrupt and by call gate with parameters, and
// the operations that ring 3 may not execute (PRM chapters 6, 8 and 9).

#include "descriptors.h"
#include "faults.h"

enum {
    SYSTEM_CALL = 0x80,
    SECRET_CALL = 0x81,
    GATE = FREE_SELECTOR,
    INNER_GATE = GATE + 8,  // only ring 0 may use it
    CONFORMING = INNER_GATE + 8,
    RING_1_CODE = CONFORMING + 8,
    RING_1_GATE = RING_1_CODE + 8,
    RING_1_DATA = RING_1_GATE + 8,
};
#define STRING(x) #x
#define TEXT(x) STRING(x)

static uint32_t user_stack[512];
#define USER_STACK_TOP (user_stack + sizeof user_stack / sizeof user_stack[0])

static uint32_t in_user(uint32_t (*function)(uint32_t), uint32_t argument) {
    return run_user(function, argument, USER_STACK_TOP);
}

static uint32_t add_ring(uint32_t argument) {
    return argument * 10 + ring();
}

// --- interrupts

static uintptr_t user_esp;

static void system_call(struct trap_frame* frame) {
    CHECK_EQUAL(ring(), 0);
    CHECK_EQUAL(frame->cs, USER_CODE);
    CHECK_EQUAL(frame->ss, USER_DATA);
    CHECK_EQUAL(frame->ds & 0xffff, USER_DATA);
    user_esp = frame->esp;
    frame->eax += frame->ebx;
}

static uint32_t call_system(uint32_t argument) {
    uint32_t result, esp;
    __asm__ volatile("movl %%esp, %1; int $" TEXT(0x80)
                     : "=a"(result), "=&r"(esp)
                     : "0"(argument), "b"(5));
    return user_esp == esp ? result : 0;
}

static uint32_t call_secret(uint32_t argument) {
    __asm__ volatile("int $0x81");
    return argument;
}

static void interrupts(void) {
    on_interrupt(SYSTEM_CALL, system_call);
    allow_user_interrupt(SYSTEM_CALL);
    CHECK_EQUAL(in_user(add_ring, 4), 43);
    CHECK_EQUAL(add_ring(4), 40);
    CHECK_EQUAL(in_user(call_system, 37), 42);
    // The error code names the gate: its index, and the bit for the interrupt table.
    FAULT(GENERAL_PROTECTION, SECRET_CALL * 8 + 2, in_user(call_secret, 0));
    CHECK_EQUAL(fault.cs, USER_CODE);
    CHECK_EQUAL(*(const uint16_t*)fault.eip, 0x81cd);  // int $0x81: eip is the int itself
}

// --- instructions reserved for ring 0

#define FORBIDDEN(name, ...)                  \
    static uint32_t name(uint32_t argument) { \
        __asm__ volatile(__VA_ARGS__);        \
        return argument;                      \
    }
static uint64_t anything;
FORBIDDEN(do_cli, "cli")
FORBIDDEN(do_sti, "sti")
FORBIDDEN(do_hlt, "hlt")
FORBIDDEN(do_clts, "clts")
FORBIDDEN(do_lgdt, "lgdt %0" : : "m"(anything))
FORBIDDEN(do_lidt, "lidt %0" : : "m"(anything))
FORBIDDEN(do_lldt, "lldt %w0" : : "r"(0))
FORBIDDEN(do_ltr, "ltr %w0" : : "r"(THIS_TASK))
FORBIDDEN(do_lmsw, "lmsw %w0" : : "r"(1))
FORBIDDEN(read_cr0, "movl %%cr0, %%eax" : : : "eax")
FORBIDDEN(write_cr3, "movl %0, %%cr3" : : "r"(0))
FORBIDDEN(read_dr7, "movl %%dr7, %%eax" : : : "eax")
FORBIDDEN(read_port, "inb $0x10, %%al" : : : "eax")
FORBIDDEN(write_port, "outb %%al, $0x10" : :)
FORBIDDEN(load_inner_data, "movl %0, %%fs" : : "r"(KERNEL_DATA))
FORBIDDEN(load_inner_stack, "movl %0, %%ss" : : "r"(KERNEL_DATA))
FORBIDDEN(call_inner_code, "lcall $" TEXT(KERNEL_CODE) ", $0")

// In ring 3 popf does not change IF and IOPL, and does not fault.
static uint32_t change_flags(uint32_t argument) {
    uint32_t before = read_flags(), after;
    __asm__ volatile("pushl %1; popfl; pushfl; popl %0" : "=r"(after) : "r"(argument) : "cc");
    return (before ^ after) & (FLAG_INTERRUPT | 3 << 12);
}

static void privileged_instructions(void) {
    static uint32_t (*const zero[])(uint32_t) = {
        do_cli, do_sti,  do_hlt,   do_clts,   do_lgdt,  do_lidt,   do_lldt,
        do_ltr, do_lmsw, read_cr0, write_cr3, read_dr7, read_port, write_port};
    for (volatile unsigned i = 0; i < sizeof zero / sizeof zero[0]; i++) {
        FAULT(GENERAL_PROTECTION, 0, in_user(zero[i], 0));
        CHECK_EQUAL(fault.cs, USER_CODE);
    }
    FAULT(GENERAL_PROTECTION, KERNEL_DATA, in_user(load_inner_data, 0));
    FAULT(GENERAL_PROTECTION, KERNEL_DATA, in_user(load_inner_stack, 0));
    FAULT(GENERAL_PROTECTION, KERNEL_CODE, in_user(call_inner_code, 0));
    CHECK_EQUAL(in_user(change_flags, FLAG_INTERRUPT | 3 << 12), 0);
    CHECK_EQUAL(read_flags() & FLAG_INTERRUPT, 0);
}

// --- call gates

struct {
    uint32_t cs, ss, parameters[3], user_esp, user_ss;
} seen;

// On its stack: eip, cs, three parameters, esp, ss. It leaves a ring 0 selector in fs, which the
// return to ring 3 must clear, and a ring 3 selector in gs, which must remain.
void gate_target(void);
__asm__(
    "    .globl gate_target\n"
    "gate_target:\n"
    "    movw %cs, seen\n"
    "    movw %ss, seen + 4\n"
    "    movl 8(%esp), %eax\n"
    "    movl %eax, seen + 8\n"
    "    movl 12(%esp), %eax\n"
    "    movl %eax, seen + 12\n"
    "    movl 16(%esp), %eax\n"
    "    movl %eax, seen + 16\n"
    "    movl 20(%esp), %eax\n"
    "    movl %eax, seen + 20\n"
    "    movl 24(%esp), %eax\n"
    "    movl %eax, seen + 24\n"
    "    movl $0x10, %eax\n"
    "    movl %eax, %fs\n"
    "    movl $77, %eax\n"
    "    lret $12\n");

static uint32_t call_gate(uint32_t argument) {
    uint32_t result, esp_before, esp_after, fs_after, gs_after;
    __asm__ volatile(
        "movl %%esp, %1\n\t"
        "pushl %5; pushl $22; pushl $33\n\t"
        "lcall $0x30, $0xdead\n\t"
        "movl %%esp, %2\n\t"
        "movl %%fs, %3\n\t"
        "movl %%gs, %4"
        : "=&a"(result), "=&r"(esp_before), "=&r"(esp_after), "=&r"(fs_after), "=&r"(gs_after)
        : "r"(argument)
        : "memory", "cc");
    return esp_before == esp_after && (fs_after & 0xffff) == 0 && (gs_after & 0xffff) == USER_DATA
               ? result
               : 0;
}
_Static_assert(GATE == 0x30, "the constant in call_gate");
FORBIDDEN(call_inner_gate, "lcall $0x38, $0")
FORBIDDEN(call_ring_1, "lcall $0x50, $0")

static void call_gates(void) {
    set_descriptor(GATE, gate_descriptor(GATE_CALL, 3, KERNEL_CODE, (uintptr_t)gate_target, 3));
    set_descriptor(INNER_GATE, gate_descriptor(GATE_CALL, 0, KERNEL_CODE, 0, 0));
    CHECK_EQUAL(in_user(call_gate, 11), 77);
    CHECK_EQUAL(seen.cs & 0xffff, KERNEL_CODE);
    CHECK_EQUAL(seen.ss & 0xffff, KERNEL_DATA);
    CHECK_EQUAL(seen.parameters[0], 33);
    CHECK_EQUAL(seen.parameters[1], 22);
    CHECK_EQUAL(seen.parameters[2], 11);
    CHECK_EQUAL(seen.user_ss & 0xffff, USER_DATA);
    FAULT(GENERAL_PROTECTION, INNER_GATE, in_user(call_inner_gate, 0));

    // The stack of ring 1 is invalid: the fault's error code is its selector.
    set_descriptor(RING_1_CODE, segment_descriptor(SEGMENT_CODE, 1, 0, 0xffffffff));
    set_descriptor(RING_1_DATA, segment_descriptor(SEGMENT_DATA, 1, 0, 0xffffffff));
    set_descriptor(RING_1_GATE, gate_descriptor(GATE_CALL, 3, RING_1_CODE, 0x100, 0));
    this_task_state()->inner[1].esp = 0x1000;
    this_task_state()->inner[1].ss = KERNEL_DATA | 1;  // a segment of ring 0
    FAULT(INVALID_TASK, KERNEL_DATA, in_user(call_ring_1, 0));
    this_task_state()->inner[1].ss = RING_1_DATA;  // RPL 0
    FAULT(INVALID_TASK, RING_1_DATA, in_user(call_ring_1, 0));
    this_task_state()->inner[1].ss = 0;
    FAULT(INVALID_TASK, 0, in_user(call_ring_1, 0));
    struct descriptor data = get_descriptor(RING_1_DATA);
    data.high &= ~0x8000u;
    set_descriptor(RING_1_DATA, data);
    this_task_state()->inner[1].ss = RING_1_DATA | 1;
    FAULT(STACK_FAULT, RING_1_DATA, in_user(call_ring_1, 0));
    CHECK_EQUAL(fault.cs, USER_CODE);
}

// Conforming code runs in the ring of its caller.
void conforming_target(void);
__asm__(
    "conforming_target:\n"
    "    movl %cs, %eax\n"
    "    lret\n");
static uint32_t call_conforming(uint32_t argument) {
    struct {
        uint32_t offset;
        uint16_t selector;
    } __attribute__((packed)) target = {argument, CONFORMING};
    uint32_t result;
    __asm__ volatile("lcall *%1" : "=a"(result) : "m"(target) : "memory");
    return result & 0xffff;
}

static void conforming_code(void) {
    set_descriptor(CONFORMING, segment_descriptor(SEGMENT_CONFORMING, 0, 0, 0xffffffff));
    CHECK_EQUAL(in_user(call_conforming, (uintptr_t)conforming_target), CONFORMING | 3);
    CHECK_EQUAL(call_conforming((uintptr_t)conforming_target), CONFORMING);
}

// --- ports

static struct {
    struct task_state task;
    uint8_t map[5];  // ports 0 to 31, then the terminating byte of ones (PRM 8.3.2)
} ports;

static uint32_t read_byte_port(uint32_t port) {
    uint8_t value;
    __asm__ volatile("inb %%dx, %0" : "=a"(value) : "d"(port));
    return value;
}
static uint32_t read_dword_port(uint32_t port) {
    uint32_t value;
    __asm__ volatile("inl %%dx, %0" : "=a"(value) : "d"(port));
    return value;
}
static uint32_t write_word_port(uint32_t port) {
    __asm__ volatile("outw %%ax, %%dx" : : "a"(1), "d"(port));
    return 1;
}
static uint32_t allowed_ports(uint32_t unused) {  // no device answers: reads give ones
    (void)unused;
    return read_byte_port(8) == 0xff && read_dword_port(16) == 0xffffffff &&
           read_byte_port(22) == 0xff && write_word_port(24);
}
static uint32_t any_port(uint32_t port) {
    __asm__ volatile("sti; cli");
    return read_byte_port(port);
}

static void port_permissions(void) {
    ports.task = *this_task_state();
    ports.task.port_map = sizeof ports.task;
    ports.map[0] = 0xff;
    ports.map[1] = 0x02;  // port 9 is denied
    ports.map[2] = 0x80;  // port 23 is denied
    ports.map[4] = 0xff;
    use_task(&ports.task, sizeof ports.task + sizeof ports.map);

    CHECK_EQUAL(in_user(allowed_ports, 0), 1);
    FAULT(GENERAL_PROTECTION, 0, in_user(read_byte_port, 7));
    FAULT(GENERAL_PROTECTION, 0, in_user(read_byte_port, 9));
    FAULT(GENERAL_PROTECTION, 0, in_user(read_dword_port, 6));
    FAULT(GENERAL_PROTECTION, 0, in_user(read_dword_port, 20));
    FAULT(GENERAL_PROTECTION, 0, in_user(write_word_port, 22));
    FAULT(GENERAL_PROTECTION, 0, in_user(read_dword_port, 29));  // port 32 is in the last byte
    FAULT(GENERAL_PROTECTION, 0, in_user(read_byte_port, 40));
    FAULT(GENERAL_PROTECTION, 0, in_user(read_byte_port, 0xffff));

    // With IOPL 3, ring 3 may use all ports and change the interrupt flag.
    __asm__ volatile("pushfl; orl $0x3000, (%%esp); popfl" : : : "memory", "cc");
    CHECK_EQUAL(in_user(any_port, 0x1234), 0xff);
    __asm__ volatile("pushfl; andl $~0x3000, (%%esp); popfl" : : : "memory", "cc");
    FAULT(GENERAL_PROTECTION, 0, in_user(any_port, 0x1234));
}

int main(void) {
    descriptors_load();
    catch_faults();
    interrupts();
    privileged_instructions();
    call_gates();
    conforming_code();
    port_permissions();
    return 0;
}
