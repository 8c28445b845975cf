// SPDX-License-Identifier: MIT

// Demand paging: the page fault handler maps the missing page, and the instruction is executed
// again as if no fault had happened. Page frames are taken in descending order, so that adjacent
// pages are never adjacent in memory. Each processor works in 4 MB of its own of one common space,
// in ring 0 and, with its stack there, in ring 3.

#include "cpu.h"
#include "interrupts.h"
#include "paging.h"
#include "test.h"

#include "string.h"

#define REGION 0x40000000u
#define SPAN 0x400000u  // a page table each
#define REGION_PAGES 16
#define HLT 0xf4  // fills the first and the last EDGE bytes of each page that is brought in
#define EDGE 128

static struct space* space;
static struct {
    LINE_ALIGNED uintptr_t region;
    volatile unsigned faults;
    volatile uint32_t error, cr2, eip;
    char* pages[REGION_PAGES];  // free frames, used in descending order
    unsigned used;
    const uint8_t* content;  // code put on the page at `content_page`
    unsigned content_bytes;
    uintptr_t content_page;
} per[MAX_PROCESSORS];

static void bring_in(struct trap_frame* frame) {
    unsigned cpu = processor();
    uintptr_t address = read_cr2(), page = address & PAGE_FRAME;
    if (address - per[cpu].region >= REGION_PAGES * PAGE_BYTES || frame->error & FAULT_PRESENT)
        panic("page fault at 0x%x, error code 0x%x, eip 0x%x", address, frame->error, frame->eip);
    CHECK_EQUAL(frame->error >> 2, frame->cs & 1);
    per[cpu].faults++;
    per[cpu].error = frame->error;
    per[cpu].cr2 = address;
    per[cpu].eip = frame->eip;
    char* memory = per[cpu].pages[REGION_PAGES - 1 - per[cpu].used++];
    memset(memory, HLT, EDGE);
    memset(memory + PAGE_BYTES - EDGE, HLT, EDGE);
    if (per[cpu].content && page == per[cpu].content_page)
        memcpy(memory, per[cpu].content, per[cpu].content_bytes);
    map_page(space, page, (uintptr_t)memory, PAGE_WRITABLE | PAGE_USER);
}

// Unmaps all pages of the region.
static void forget(unsigned cpu) {
    for (unsigned i = 0; i < REGION_PAGES; i++) unmap_page(space, per[cpu].region + i * PAGE_BYTES);
    flush_pages();
    per[cpu].used = per[cpu].faults = 0;
    per[cpu].content = NULL;
}

static void strings(unsigned cpu, char* v) {
    static char text[3 * PAGE_BYTES];
    if (cpu == 0)
        for (unsigned i = 0; i < sizeof text; i++) text[i] = (char)(i ^ i >> 7);
    barrier();
    // Copies dwords to an odd address; the destination covers 4 pages, none of them present.
    forget(cpu);
    const char* from = text;
    char* to = v + 101;
    unsigned count = sizeof text / 4;
    __asm__ volatile("rep movsl" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
    CHECK_EQUAL(per[cpu].faults, 4);
    CHECK_EQUAL(count, 0);
    CHECK(to == v + 101 + sizeof text && from == text + sizeof text);
    CHECK(memcmp(v + 101, text, sizeof text) == 0);
    CHECK_EQUAL((uint8_t)v[100], HLT);
    // Copies bytes downwards; some pages are present, some are not.
    from = v + 101 + 2 * PAGE_BYTES;
    to = v + 7 * PAGE_BYTES + 10;
    count = 2 * PAGE_BYTES;
    __asm__ volatile("std; rep movsb; cld" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
    CHECK_EQUAL(per[cpu].faults, 7);
    CHECK(memcmp(v + 5 * PAGE_BYTES + 11, v + 102, 2 * PAGE_BYTES) == 0);
    // A scan that ends on a page that was not present.
    forget(cpu);
    uint8_t found = HLT;
    const char* place = v;
    count = 2 * PAGE_BYTES;
    for (unsigned i = 0; i < PAGE_BYTES; i++) v[i] = 0;
    __asm__ volatile("repne scasb" : "+D"(place), "+c"(count) : "a"(found) : "cc", "memory");
    CHECK(place == v + PAGE_BYTES + 1);
    CHECK_EQUAL(per[cpu].faults, 2);
}

// Operands across two pages: neither half is written before both pages are present.
static void across(unsigned cpu, char* v) {
    for (unsigned before = 1; before < 4; before++) {
        volatile uint32_t* word = (volatile uint32_t*)(v + PAGE_BYTES - before);
        forget(cpu);
        *word = 0x11223344;
        CHECK_EQUAL(per[cpu].faults, 2);
        CHECK_EQUAL(per[cpu].error, FAULT_WRITE);
        CHECK_EQUAL(per[cpu].cr2, per[cpu].region + PAGE_BYTES);
        CHECK_EQUAL(*word, 0x11223344);
        forget(cpu);
        uint32_t value = 0x55667788;
        __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*word) : : "memory");
        CHECK_EQUAL(value, 0xf4f4f4f4);
        CHECK_EQUAL(*word, 0x55667788);
        CHECK_EQUAL(per[cpu].faults, 2);
        __asm__ volatile("lock addl $0x11111111, %0" : "+m"(*word) : : "memory", "cc");
        CHECK_EQUAL(*word, 0x66778899);
        unmap_page(space, per[cpu].region + PAGE_BYTES);
        flush_pages();
        uint8_t low = (uint8_t)v[PAGE_BYTES - before];
        __asm__ volatile("stc; adcl $0, %0" : "+m"(*word) : : "memory", "cc");
        CHECK_EQUAL(per[cpu].faults, 3);
        CHECK_EQUAL((uint8_t)v[PAGE_BYTES - before], (uint8_t)(low + 1));
    }
}

// --- in ring 3, where the handler of a fault gets another stack

// Executes every instruction that pushes or pops, with esp just above a page border. The result is
// a sum of the values seen, which is wrong if any of the instructions failed.
uint32_t paging_stack_work(uint32_t rounds);
__asm__(
    "paging_stack_work:\n"
    "    pushl %ebp\n"
    "    movl %esp, %ebp\n"
    "    pushl %ebx\n"
    "    movl 8(%ebp), %ecx\n"
    "    xorl %ebx, %ebx\n"
    "1:  pushl $0x10203\n"
    "    pushal\n"
    "    addl $7, 28(%esp)\n"  // eax as popal will have it
    "    popal\n"
    "    addl (%esp), %ebx\n"
    "    popl %edx\n"
    "    cmpl $0x10203, %edx\n"
    "    jne 3f\n"
    "    call 2f\n"
    "    enter $40, $2\n"
    "    movl $5, -44(%ebp)\n"
    "    addl -44(%ebp), %ebx\n"
    "    leave\n"
    "    decl %ecx\n"
    "    jnz 1b\n"
    "    movl %ebx, %eax\n"
    "3:  popl %ebx\n"
    "    popl %ebp\n"
    "    ret\n"
    "2:  pushfl\n"
    "    popfl\n"
    "    pushl 4(%esp)\n"
    "    popl 4(%esp)\n"
    "    addl $1, %ebx\n"
    "    ret $0\n");

static void stack(unsigned cpu, char* v) {
    for (unsigned above = 0; above <= 68; above += 4) {
        forget(cpu);
        CHECK_EQUAL(run_user(paging_stack_work, 3, v + 4 * PAGE_BYTES + above),
                    3 * (0x10203 + 5 + 1));
        CHECK_EQUAL(per[cpu].faults, above == 0 || above == 68 ? 1 : 2);
    }
}

// Returns the distance of the final stack pointer from the new frame pointer.
uint32_t paging_frame_work(uint32_t unused);
__asm__(
    "paging_frame_work:\n"
    "    enter $8192, $1\n"
    "    movl %ebp, %eax\n"
    "    subl %esp, %eax\n"
    "    leave\n"
    "    ret\n");

// enter faults where a write at the final stack pointer would, although it pushes nothing there.
static void frame(unsigned cpu, char* v) {
    forget(cpu);
    char* top = v + 8 * PAGE_BYTES + 128;
    top[-1] = 0;
    CHECK_EQUAL(run_user(paging_frame_work, 0, top), 8192 + 4);
    CHECK_EQUAL(per[cpu].faults, 2);
    CHECK_EQUAL(per[cpu].error, FAULT_WRITE | FAULT_USER);
    CHECK_EQUAL(per[cpu].cr2, (uintptr_t)top - 16 - 8192);
    CHECK_EQUAL(per[cpu].eip, (uintptr_t)paging_frame_work);
}

// movl $0x12345678, %eax; addl $0x01010101, %eax; ret, at every position across a page border. The
// second page is brought in when its first byte is fetched.
static void code(unsigned cpu, char* v) {
    static const uint8_t instructions[] = {0xb8, 0x78, 0x56, 0x34, 0x12, 0x05,
                                           0x01, 0x01, 0x01, 0x01, 0xc3};
    for (unsigned before = 0; before <= sizeof instructions; before++) {
        forget(cpu);
        per[cpu].content = instructions + before;
        per[cpu].content_bytes = sizeof instructions - before;
        per[cpu].content_page = per[cpu].region + PAGE_BYTES;
        char* begin = v + PAGE_BYTES - before;
        memcpy(begin, instructions, before);
        unsigned faults = per[cpu].faults;
        uint32_t (*function)(uint32_t) = (uint32_t(*)(uint32_t))begin;
        CHECK_EQUAL(function(0), 0x13355779);
        CHECK_EQUAL(per[cpu].faults - faults, before < sizeof instructions ? 1 : 0);
        // cr2 is the address of the second page, eip the address of the instruction.
        if (before < sizeof instructions) {
            unsigned at = before >= 10 ? 10 : before >= 5 ? 5 : 0;
            CHECK_EQUAL(per[cpu].cr2, per[cpu].content_page);
            CHECK_EQUAL(per[cpu].eip, (uintptr_t)begin + at);
        }
        CHECK_EQUAL(run_user(function, 0, v + 9 * PAGE_BYTES), 0x13355779);
    }
}

static void work_on(unsigned cpu, void* unused) {
    (void)unused;
    descriptors_load();
    use_space(space);
    per[cpu].region = REGION + cpu * SPAN;
    char* v = (char*)per[cpu].region;
    for (unsigned i = 0; i < REGION_PAGES; i++) per[cpu].pages[i] = page_allocate();
    strings(cpu, v);
    across(cpu, v);
    stack(cpu, v);
    frame(cpu, v);
    code(cpu, v);
}

int main(void) {
    on_interrupt(PAGE_FAULT, bring_in);
    space = space_create();
    // Ring 3 executes this program's code.
    map_identity(space, 0x100000, 0x110000, PAGE_USER | PAGE_WRITABLE);
    run_on_all(work_on, NULL);
    return 0;
}
