// SPDX-License-Identifier: MIT

// Segments in ring 0: limits, types, presence, and the instructions that query selectors (PRM
// chapter 6). The vector and the error code of each fault are checked.

#include "descriptors.h"
#include "faults.h"

enum {
    SMALL = FREE_SELECTOR,
    READ_ONLY = SMALL + 8,
    DOWN = READ_ONLY + 8,
    ABSENT = DOWN + 8,
    EXECUTE_ONLY = ABSENT + 8,
    PAGES = EXECUTE_ONLY + 8,
    SHORT_CODE = PAGES + 8,
    TABLE = SHORT_CODE + 8,
    OUTER = TABLE + 8,
    CONFORMING = OUTER + 8,
    GATE = CONFORMING + 8,
    HIGH_STACK = GATE + 8,
    ABSENT_STACK = HIGH_STACK + 8,
};

static uint8_t bytes[0x2000] __attribute__((aligned(4096)));

static inline void load_fs(unsigned selector) {
    __asm__ volatile("movl %0, %%fs" : : "r"(selector));
}
static inline uint32_t read_fs(uint32_t offset) {
    uint32_t value;
    __asm__ volatile("movl %%fs:(%1), %0" : "=r"(value) : "r"(offset) : "memory");
    return value;
}
static inline uint8_t read_fs_byte(uint32_t offset) {
    uint8_t value;
    __asm__ volatile("movb %%fs:(%1), %0" : "=q"(value) : "r"(offset) : "memory");
    return value;
}
static inline void write_fs(uint32_t offset, uint32_t value) {
    __asm__ volatile("movl %1, %%fs:(%0)" : : "r"(offset), "r"(value) : "memory");
}

static struct descriptor absent(struct descriptor descriptor) {
    descriptor.high &= ~0x8000u;
    return descriptor;
}

static void set_up(void) {
    uintptr_t base = (uintptr_t)bytes;
    set_descriptor(SMALL, segment_descriptor(SEGMENT_DATA, 0, base, 0xff));
    set_descriptor(READ_ONLY, segment_descriptor(SEGMENT_READ_ONLY, 0, base, 0xff));
    set_descriptor(DOWN, segment_descriptor(SEGMENT_STACK, 0, base, 0xfff));
    set_descriptor(ABSENT, absent(segment_descriptor(SEGMENT_DATA, 0, base, 0xff)));
    set_descriptor(EXECUTE_ONLY, segment_descriptor(SEGMENT_EXECUTE_ONLY, 0, base, 0xff));
    set_descriptor(PAGES, segment_descriptor(SEGMENT_DATA, 0, base - 0x100000, 0x100fff));
    set_descriptor(OUTER, segment_descriptor(SEGMENT_DATA, 3, base, 0xff));
    set_descriptor(CONFORMING, segment_descriptor(SEGMENT_CONFORMING, 0, 0, 0xffffffff));
    set_descriptor(GATE, gate_descriptor(GATE_CALL, 0, KERNEL_CODE, 0, 0));
    set_descriptor(HIGH_STACK, segment_descriptor(SEGMENT_STACK, 0, 0, 0xffff));
    set_descriptor(ABSENT_STACK, absent(segment_descriptor(SEGMENT_DATA, 0, 0, 0xffffffff)));
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * 7);
}

static uint32_t dword_at(unsigned offset) {
    return *(const uint32_t*)(bytes + offset);
}

static void limits(void) {
    load_fs(SMALL);
    NO_FAULT(CHECK_EQUAL(read_fs(0xfc), dword_at(0xfc)));
    NO_FAULT(CHECK_EQUAL(read_fs_byte(0xff), bytes[0xff]));
    FAULT(GENERAL_PROTECTION, 0, read_fs(0xfd));
    FAULT(GENERAL_PROTECTION, 0, read_fs(0xffffffff));
    FAULT(GENERAL_PROTECTION, 0, read_fs(0xfffffffd));
    FAULT(GENERAL_PROTECTION, 0, read_fs_byte(0x100));
    FAULT(GENERAL_PROTECTION, 0, write_fs(0xfe, 1));
    CHECK_EQUAL(bytes[0xfe], (uint8_t)(0xfe * 7));
    NO_FAULT(write_fs(0x10, 0x12345678));
    CHECK_EQUAL(dword_at(0x10), 0x12345678);
    bytes[0x10] = 0;

    load_fs(DOWN);  // valid above 0xfff
    FAULT(GENERAL_PROTECTION, 0, read_fs(0xfff));
    FAULT(GENERAL_PROTECTION, 0, read_fs(0));
    NO_FAULT(CHECK_EQUAL(read_fs(0x1000), dword_at(0x1000)));
    FAULT(GENERAL_PROTECTION, 0, read_fs(0xfffffffe));

    load_fs(PAGES);  // limit in pages: the last offset is 0x100fff
    NO_FAULT(CHECK_EQUAL(read_fs(0x100ffc), dword_at(0xffc)));
    FAULT(GENERAL_PROTECTION, 0, read_fs(0x100ffd));
}

static void kinds(void) {
    load_fs(READ_ONLY);
    NO_FAULT(read_fs(0));
    FAULT(GENERAL_PROTECTION, 0, write_fs(0, 1));
    FAULT(GENERAL_PROTECTION, 0, __asm__ volatile("movl %0, %%cs:(%1)" : : "r"(1), "r"(bytes)));
    FAULT(GENERAL_PROTECTION, EXECUTE_ONLY, load_fs(EXECUTE_ONLY));
    FAULT(GENERAL_PROTECTION, THIS_TASK, load_fs(THIS_TASK));
    FAULT(GENERAL_PROTECTION, GATE, load_fs(GATE));
    FAULT(NOT_PRESENT, ABSENT, load_fs(ABSENT));
    FAULT(GENERAL_PROTECTION, SMALL, load_fs(SMALL | 3));  // RPL 3 is not allowed
    NO_FAULT(load_fs(OUTER | 3));
    FAULT(GENERAL_PROTECTION, 0xfff8, load_fs(0xfff8));  // beyond the table
    FAULT(GENERAL_PROTECTION, 0x14, load_fs(0x14));      // no local table
    NO_FAULT(load_fs(0));
    FAULT(GENERAL_PROTECTION, 0, read_fs(0));
    FAULT(GENERAL_PROTECTION, 0, write_fs(0, 0));

    // The first load of a descriptor sets its accessed bit.
    set_descriptor(SMALL, segment_descriptor(SEGMENT_DATA, 0, (uintptr_t)bytes, 0xff));
    CHECK_EQUAL(get_descriptor(SMALL).high >> 8 & 1, 0);
    load_fs(SMALL);
    CHECK_EQUAL(get_descriptor(SMALL).high >> 8 & 1, 1);
}

static inline void load_ss(unsigned selector) {
    __asm__ volatile("movl %0, %%ss" : : "r"(selector) : "memory");
}

static void stacks(void) {
    FAULT(GENERAL_PROTECTION, 0, load_ss(0));
    FAULT(GENERAL_PROTECTION, READ_ONLY, load_ss(READ_ONLY));
    FAULT(GENERAL_PROTECTION, KERNEL_CODE, load_ss(KERNEL_CODE));
    FAULT(GENERAL_PROTECTION, OUTER, load_ss(OUTER));
    FAULT(GENERAL_PROTECTION, KERNEL_DATA, load_ss(KERNEL_DATA | 1));
    FAULT(STACK_FAULT, ABSENT_STACK, load_ss(ABSENT_STACK));
    // A stack segment that is valid from 64 KB on, where the stack is; lower addresses fault.
    static volatile uint32_t value;
    uint32_t answer;
    load_ss(HIGH_STACK);
    FAULT(STACK_FAULT, 0, __asm__ volatile("movl %%ss:0xfffd, %%eax" : : : "eax"));
    FAULT(STACK_FAULT, 0, __asm__ volatile("incl %%ss:0x8000" : : : "memory"));
    NO_FAULT(__asm__ volatile("movl %%ss:(%1), %0"
                              : "=r"(answer)
                              : "r"(bytes + 0x20));
             value = answer);
    CHECK_EQUAL(value, dword_at(0x20));
    load_ss(KERNEL_DATA);
}

#define QUESTION(name, instruction)                                \
    static inline bool name(unsigned selector, uint32_t* answer) { \
        uint8_t valid;                                             \
        __asm__ volatile(instruction " %2, %1; setz %0"            \
                         : "=q"(valid), "+r"(*answer)              \
                         : "r"(selector)                           \
                         : "cc");                                  \
        return valid;                                              \
    }
QUESTION(lar, "lar")
QUESTION(lsl, "lsl")
#define VERIFY(name, instruction)                                                           \
    static inline bool name(unsigned selector) {                                            \
        uint8_t valid;                                                                      \
        __asm__ volatile(instruction " %w1; setz %0" : "=q"(valid) : "r"(selector) : "cc"); \
        return valid;                                                                       \
    }
VERIFY(verr, "verr")
VERIFY(verw, "verw")

static void questions(void) {
    uint32_t answer = 0;
    CHECK(lar(KERNEL_CODE, &answer));
    CHECK_EQUAL(answer & 0xf0ff00, 0xc09b00);  // the bits in between, of the limit, are undefined
    CHECK(lar(OUTER | 3, &answer));
    CHECK_EQUAL(answer & 0xf0ff00, 0x40f300);
    CHECK(lar(GATE, &answer));
    CHECK_EQUAL(answer & 0xff00, 0x8c00);
    CHECK(lar(ABSENT, &answer));
    CHECK_EQUAL(answer & 0xff00, 0x1200);
    answer = 77;
    CHECK(!lar(0, &answer));
    CHECK(!lar(0xfff8, &answer));
    CHECK(!lar(SMALL | 3, &answer));
    CHECK_EQUAL(answer, 77);

    CHECK(lsl(SMALL, &answer));
    CHECK_EQUAL(answer, 0xff);
    CHECK(lsl(PAGES, &answer));
    CHECK_EQUAL(answer, 0x100fff);
    CHECK(lsl(KERNEL_DATA, &answer));
    CHECK_EQUAL(answer, 0xffffffff);
    CHECK(lsl(THIS_TASK, &answer));
    CHECK_EQUAL(answer, sizeof(struct task_state) - 1);
    CHECK(!lsl(GATE, &answer));
    CHECK(!lsl(SMALL | 1, &answer));

    CHECK(verr(SMALL) && verw(SMALL));
    CHECK(verr(READ_ONLY) && !verw(READ_ONLY));
    CHECK(!verr(EXECUTE_ONLY) && !verw(EXECUTE_ONLY));
    CHECK(verr(KERNEL_CODE) && !verw(KERNEL_CODE));
    CHECK(!verr(SMALL | 2) && verr(OUTER | 2) && verr(CONFORMING | 3));
    CHECK(!verr(THIS_TASK) && !verr(0) && !verr(0xfff8));

    uint16_t selector = 0x30;
    uint8_t adjusted;
    __asm__("arpl %w2, %0; setz %1" : "+m"(selector), "=q"(adjusted) : "r"(0x1b) : "cc");
    CHECK(adjusted && selector == 0x33);
    __asm__("arpl %w2, %0; setz %1" : "+r"(selector), "=q"(adjusted) : "r"(0x12) : "cc");
    CHECK(!adjusted && selector == 0x33);
}

// A local descriptor table: selectors with bit 2 set.
static void local_table(void) {
    static struct descriptor local[2];
    local[1] = segment_descriptor(SEGMENT_DATA, 0, (uintptr_t)bytes + 0x40, 0x3f);
    set_descriptor(TABLE, segment_descriptor(SEGMENT_LDT, 0, (uintptr_t)local, sizeof local - 1));
    FAULT(GENERAL_PROTECTION, SMALL, __asm__ volatile("lldt %w0" : : "r"(SMALL)));
    __asm__ volatile("lldt %w0" : : "r"(TABLE) : "memory");
    NO_FAULT(load_fs(0xc));
    CHECK_EQUAL(read_fs(0x3c), dword_at(0x7c));
    FAULT(GENERAL_PROTECTION, 0, read_fs(0x3d));
    FAULT(GENERAL_PROTECTION, 0x14, load_fs(0x14));
    __asm__ volatile("lldt %w0" : : "r"(0) : "memory");
    FAULT(GENERAL_PROTECTION, 0xc, load_fs(0xc));
    load_fs(0);
}

// A code segment with a base and a limit. `near_end`, a mov of five bytes, begins at its last byte.
static void code_limit(void) {
    extern char segment_begin[], near_end[], far_inside[];
    __asm__ volatile(
        "jmp 1f\n"
        ".globl segment_begin, near_end, far_inside\n"
        "segment_begin: nop\n"
        "far_inside: movl $5, %%eax; lret\n"
        "near_end: movl $6, %%eax; lret\n"
        "1:"
        :
        :
        : "eax");
    uint32_t limit = (uint32_t)(near_end - segment_begin);
    set_descriptor(SHORT_CODE,
                   segment_descriptor(SEGMENT_CODE, 0, (uintptr_t)segment_begin, limit));
    struct {
        uint32_t offset;
        uint16_t selector;
    } __attribute__((packed)) target = {(uint32_t)(far_inside - segment_begin), SHORT_CODE};
    uint32_t answer = 0;
    NO_FAULT(__asm__ volatile("lcall *%1" : "=a"(answer) : "m"(target) : "memory"));
    CHECK_EQUAL(answer, 5);
    target.offset = limit;  // its first byte is within the limit, its last is not
    FAULT(GENERAL_PROTECTION, 0, __asm__ volatile("lcall *%0" : : "m"(target) : "memory"));
    CHECK_EQUAL(fault.eip, limit);
    CHECK_EQUAL(fault.cs, SHORT_CODE);
    target.offset = limit + 1;  // the call itself faults
    FAULT(GENERAL_PROTECTION, 0, __asm__ volatile("lcall *%0" : : "m"(target) : "memory"));
    CHECK_EQUAL(fault.cs, KERNEL_CODE);
    target.selector = SMALL;
    FAULT(GENERAL_PROTECTION, SMALL, __asm__ volatile("lcall *%0" : : "m"(target) : "memory"));
    target.selector = 0;
    FAULT(GENERAL_PROTECTION, 0, __asm__ volatile("lcall *%0" : : "m"(target) : "memory"));
    struct descriptor gone = absent(get_descriptor(SHORT_CODE));
    set_descriptor(SHORT_CODE, gone);
    target.selector = SHORT_CODE;
    FAULT(NOT_PRESENT, SHORT_CODE, __asm__ volatile("lcall *%0" : : "m"(target) : "memory"));
}

int main(void) {
    descriptors_load();
    catch_faults();
    set_up();
    limits();
    kinds();
    stacks();
    questions();
    local_table();
    code_limit();
    return 0;
}
