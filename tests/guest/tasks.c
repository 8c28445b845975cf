// SPDX-License-Identifier: MIT

// Hardware tasks (PRM chapter 7): entered by jmp, call, interrupt and iret, with the link, the busy
// bits and the NT flag that each leaves; a double fault handled by a task of its own, because the
// stack is invalid; and the conditions that make a task invalid.

#include "descriptors.h"
#include "faults.h"

enum {
    MAIN_TASK = THIS_TASK,
    OTHER_TASK = FREE_SELECTOR,
    FAULT_TASK = OTHER_TASK + 8,
    TASK_GATE = FAULT_TASK + 8,
    ABSENT_DATA = TASK_GATE + 8,
    SHORT_TASK = ABSENT_DATA + 8,
    TASK_VECTOR = 0x90,
};
#define BUSY 0x200u  // in the upper half of a descriptor
#define PRESENT 0x8000u
#define CR0_TASK_SWITCHED 8

static struct task_state other, fault_task;
static uint32_t other_stack[256], fault_stack[256];
static volatile uint32_t seen_flags, seen_link, seen_eax, seen_busy, runs;

static bool busy(unsigned selector) {
    return get_descriptor(selector).high & BUSY;
}

static void set_task(struct task_state* task, unsigned selector, void (*entry)(void),
                     uint32_t* stack_end) {
    *task = (struct task_state){.eip = (uintptr_t)entry,
                                .flags = 2,
                                .esp = (uintptr_t)stack_end,
                                .es = KERNEL_DATA,
                                .cs = KERNEL_CODE,
                                .ss = KERNEL_DATA,
                                .ds = KERNEL_DATA,
                                .fs = KERNEL_DATA,
                                .gs = 0,
                                .eax = 0x1234,
                                .port_map = sizeof *task};
    set_descriptor(selector,
                   segment_descriptor(SEGMENT_TASK, 0, (uintptr_t)task, sizeof *task - 1));
}

static void far_jump(unsigned selector) {
    struct {
        uint32_t offset;
        uint16_t selector;
    } __attribute__((packed)) target = {0xdeadbeef, (uint16_t)selector};
    __asm__ volatile("ljmp *%0" : : "m"(target) : "memory", "cc");
}
static void far_call(unsigned selector) {
    struct {
        uint32_t offset;
        uint16_t selector;
    } __attribute__((packed)) target = {0xdeadbeef, (uint16_t)selector};
    __asm__ volatile("lcall *%0" : : "m"(target) : "memory", "cc");
}
static void iret_to_link(void) {
    __asm__ volatile("iretl" : : : "memory", "cc");
}
static uint32_t read_cr0(void) {
    uint32_t value;
    __asm__ volatile("movl %%cr0, %0" : "=r"(value));
    return value;
}

static unsigned task_register(void) {
    uint16_t selector;
    __asm__ volatile("strw %0" : "=rm"(selector));
    return selector;
}

// The other task continues where it was each time it is entered. It does not run on a stack that
// processor() recognises, so it reads the descriptor table through a pointer of its own.
static volatile struct descriptor* table;
static void note(void) {
    runs = runs + 1;
    seen_flags = read_flags();
    seen_link = other.link & 0xffff;
    seen_busy =
        (table[MAIN_TASK / 8].high & BUSY ? 1 : 0) | (table[OTHER_TASK / 8].high & BUSY ? 2 : 0);
}
static void other_main(void) {
    __asm__ volatile("movl %%eax, %0" : "=m"(seen_eax));
    for (;;) {
        note();
        far_jump(MAIN_TASK);  // entered by jmp
        note();
        iret_to_link();  // entered by call
        note();
        iret_to_link();  // entered by an interrupt
    }
}

struct table_register {
    uint16_t limit;
    uint32_t base;
} __attribute__((packed));

static void switches(void) {
    struct table_register gdtr;
    __asm__ volatile("sgdt %0" : "=m"(gdtr));
    table = (volatile struct descriptor*)gdtr.base;
    set_task(&other, OTHER_TASK, other_main, other_stack + 256);
    set_descriptor(TASK_GATE, gate_descriptor(GATE_TASK, 0, OTHER_TASK, 0, 0));
    set_gate(TASK_VECTOR, gate_descriptor(GATE_TASK, 0, OTHER_TASK, 0, 0));
    CHECK(busy(MAIN_TASK) && !busy(OTHER_TASK));

    for (unsigned round = 0; round < 3; round++) {
        __asm__ volatile("clts");
        far_jump(round == 1 ? TASK_GATE : OTHER_TASK);
        CHECK_EQUAL(runs, 3 * round + 1);
        if (round == 0) CHECK_EQUAL(seen_eax, 0x1234);
        CHECK_EQUAL(seen_flags & FLAG_NESTED, 0);
        CHECK_EQUAL(seen_busy, 2);
        CHECK(busy(MAIN_TASK) && !busy(OTHER_TASK));
        CHECK_EQUAL(read_flags() & FLAG_NESTED, 0);
        CHECK_EQUAL(task_register(), MAIN_TASK);
        CHECK(read_cr0() & CR0_TASK_SWITCHED);

        far_call(round == 1 ? TASK_GATE : OTHER_TASK);
        CHECK_EQUAL(runs, 3 * round + 2);
        CHECK_EQUAL(seen_flags & FLAG_NESTED, FLAG_NESTED);
        CHECK_EQUAL(seen_link, MAIN_TASK);
        CHECK_EQUAL(seen_busy, 3);
        CHECK(busy(MAIN_TASK) && !busy(OTHER_TASK));
        CHECK_EQUAL(other.flags & FLAG_NESTED, 0);  // cleared by iret

        uint32_t flags = read_flags();
        __asm__ volatile("int %0" : : "i"(TASK_VECTOR) : "memory", "cc");
        CHECK_EQUAL(runs, 3 * round + 3);
        CHECK_EQUAL(seen_flags & FLAG_NESTED, FLAG_NESTED);
        CHECK_EQUAL(seen_busy, 3);
        CHECK(busy(MAIN_TASK) && !busy(OTHER_TASK));
        CHECK_EQUAL(read_flags(), flags);
    }
    // A task's registers are preserved across a switch.
    uint32_t b = 0xb0b0, s = 0x5151, d = 0xd1d1;
    __asm__ volatile("ljmp %3, $0" : "+b"(b), "+S"(s), "+D"(d) : "i"(OTHER_TASK) : "memory", "cc");
    CHECK(b == 0xb0b0 && s == 0x5151 && d == 0xd1d1);
}

static void refused(void) {
    FAULT(GENERAL_PROTECTION, MAIN_TASK, far_jump(MAIN_TASK));  // it is busy
    FAULT(GENERAL_PROTECTION, MAIN_TASK, far_call(MAIN_TASK));
    table[OTHER_TASK / 8].high &= ~PRESENT;
    FAULT(NOT_PRESENT, OTHER_TASK, far_jump(OTHER_TASK));
    set_descriptor(SHORT_TASK, segment_descriptor(SEGMENT_TASK, 0, (uintptr_t)&other, 0x66));
    FAULT(INVALID_TASK, SHORT_TASK, far_jump(SHORT_TASK));

    // iret with NT set: the link must name a busy task.
    this_task_state()->link = OTHER_TASK;
    table[OTHER_TASK / 8].high |= PRESENT;
    FAULT(INVALID_TASK, OTHER_TASK,
          __asm__ volatile("pushfl; orl $0x4000, (%%esp); popfl; iretl"
                           :
                           :
                           : "memory", "cc"));
    __asm__ volatile("pushfl; andl $~0x4000, (%%esp); popfl" : : : "memory", "cc");
}

// A task with an invalid stack or data segment: the fault is raised after the switch, in the new
// task. Its handler is a task too.
static volatile uint32_t caught_error, caught_link;
static void catcher(void) {
    for (;;) {
        uint32_t error;
        __asm__ volatile("popl %0" : "=r"(error) : : "memory");
        caught_error = error;
        caught_link = fault_task.link & 0xffff;
        // Returns to the main task. The busy bit of the failed task is cleared first.
        table[OTHER_TASK / 8].high &= ~BUSY;
        far_jump(MAIN_TASK);
    }
}

static void bad_stack_task(void) {}

static void fault_in_new_task(unsigned vector, uint16_t ss, uint16_t ds, uint32_t error) {
    set_task(&fault_task, FAULT_TASK, catcher, fault_stack + 256);
    set_task(&other, OTHER_TASK, bad_stack_task, other_stack + 256);
    other.ss = ss;
    other.ds = ds;
    set_gate(vector, gate_descriptor(GATE_TASK, 0, FAULT_TASK, 0, 0));
    caught_error = 0xffffffff;
    far_jump(OTHER_TASK);
    CHECK_EQUAL(caught_error, error);
    CHECK_EQUAL(caught_link, OTHER_TASK);
    CHECK_EQUAL(other.eip, (uintptr_t)bad_stack_task);
    CHECK(busy(MAIN_TASK));
}

static void invalid_tasks(void) {
    set_descriptor(ABSENT_DATA, segment_descriptor(SEGMENT_DATA, 0, 0, 0xffffffff));
    table[ABSENT_DATA / 8].high &= ~PRESENT;
    fault_in_new_task(INVALID_TASK, KERNEL_CODE, KERNEL_DATA, KERNEL_CODE);
    fault_in_new_task(INVALID_TASK, KERNEL_DATA | 3, KERNEL_DATA, KERNEL_DATA);
    fault_in_new_task(INVALID_TASK, 0, KERNEL_DATA, 0);
    fault_in_new_task(INVALID_TASK, KERNEL_DATA, 0xf00, 0xf00);
    fault_in_new_task(STACK_FAULT, ABSENT_DATA, KERNEL_DATA, ABSENT_DATA);
    fault_in_new_task(NOT_PRESENT, KERNEL_DATA, ABSENT_DATA, ABSENT_DATA);
}

// esp points to an unmapped page, so the page fault cannot push its frame and becomes a double
// fault. The double fault's task has a stack of its own; it repairs esp and returns to the program.
static struct space* space;
static volatile uint32_t double_faults;
static struct task_state* main_state;
static uint32_t good_esp;
static void on_double_fault(void) {
    for (;;) {
        uint32_t error;
        __asm__ volatile("popl %0" : "=r"(error) : : "memory");
        CHECK_EQUAL(error, 0);
        CHECK_EQUAL(main_state->esp, 0x40000000);
        double_faults = double_faults + 1;
        main_state->esp = good_esp;
        iret_to_link();
    }
}

static void double_fault(void) {
    space = space_create();
    use_space(space);
    main_state = this_task_state();
    main_state->cr3 = (uintptr_t)space;
    set_task(&fault_task, FAULT_TASK, on_double_fault, fault_stack + 256);
    fault_task.cr3 = (uintptr_t)space;
    set_gate(DOUBLE_FAULT, gate_descriptor(GATE_TASK, 0, FAULT_TASK, 0, 0));
    for (unsigned i = 1; i <= 3; i++) {
        // The push is executed again, now with a valid stack.
        __asm__ volatile(
            "movl %%esp, %0\n\t"
            "movl $0x40000000, %%esp\n\t"
            "pushl $5\n\t"
            "addl $4, %%esp"
            : "=m"(good_esp)
            :
            : "memory", "cc");
        CHECK_EQUAL(double_faults, i);
    }
}

int main(void) {
    descriptors_load();
    catch_faults();
    switches();
    refused();
    invalid_tasks();
    double_fault();
    return 0;
}
