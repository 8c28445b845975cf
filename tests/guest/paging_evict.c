// SPDX-License-Identifier: MIT

// Execution continues on a code page after the TLB has evicted it: instructions there need no new
// translation until a jump leaves the page. Each processor loads from pages that evict its code
// page from the TLB, reads a word that another processor writes at times, and jumps to another page
// and back. So a processor that has run ahead of the bus is rolled back on either page, and must
// return to the page where it was. Argument: turns, iterations per processor, default 200.

#include "cpu.h"
#include "interrupts.h"
#include "paging.h"
#include "test.h"

#include "string.h"

#define REGION 0x40000000u
#define SET_BYTES (8 * PAGE_BYTES)

static struct space* space;
static struct { LINE_ALIGNED volatile uint32_t word; } shared;
static struct { LINE_ALIGNED volatile unsigned processors; } finished;

// Arguments: esi: pages to load from; edi: &shared.word; ebx: address of the copy of evict_begin;
// ecx: number of iterations; edx: address of the copy of evict_other.
extern char evict_begin[], evict_other[], evict_end[];
__asm__(
    "evict_begin:\n"
    "    movl (%esi), %eax\n"
    "    movl 0x8000(%esi), %eax\n"
    "    movl 0x10000(%esi), %eax\n"
    "    movl 0x18000(%esi), %eax\n"
    "    .rept 12\n"
    "    movl (%edi), %eax\n"
    "    imull %eax, %eax\n"
    "    .endr\n"
    "    jmp *%edx\n"
    "evict_other:\n"
    "    .rept 12\n"
    "    movl (%edi), %eax\n"
    "    imull %eax, %eax\n"
    "    .endr\n"
    "    decl %ecx\n"
    "    jz 1f\n"
    "    jmp *%ebx\n"
    "1:  ret\n"
    "evict_end:\n");

static void turn_on(unsigned cpu, void* turns) {
    descriptors_load();
    use_space(space);
    barrier();
    if (cpu == processors() - 1 && cpu != 0) {
        while (finished.processors < cpu) {
            for (volatile unsigned i = 0; i < random_below(20); i++) {
            }
            shared.word = shared.word + 1;
        }
        return;
    }
    uintptr_t pages = REGION + SET_BYTES, word = (uintptr_t)&shared.word;
    uintptr_t begin = REGION, other = REGION + 3 * PAGE_BYTES, count = *(const unsigned*)turns;
    __asm__ volatile("call *%%ebx"
                     : "+S"(pages), "+D"(word), "+b"(begin), "+c"(count), "+d"(other)
                     :
                     : "eax", "memory", "cc");
    CHECK_EQUAL(count, 0);
    __asm__ volatile("lock incl %0" : "+m"(finished.processors) : : "cc");
}

int main(void) {
    unsigned turns = arg_unsigned("turns", 200);
    space = space_create();
    char* code = page_allocate();
    char* other = page_allocate();
    memcpy(code, evict_begin, (size_t)(evict_other - evict_begin));
    memcpy(other, evict_other, (size_t)(evict_end - evict_other));
    map_page(space, REGION, (uintptr_t)code, 0);
    map_page(space, REGION + 3 * PAGE_BYTES, (uintptr_t)other, 0);
    for (unsigned i = 1; i <= 4; i++)
        map_page(space, REGION + i * SET_BYTES, (uintptr_t)page_allocate(), 0);
    run_on_all(turn_on, &turns);
    return 0;
}
