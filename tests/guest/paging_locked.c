// SPDX-License-Identifier: MIT

// Locked instructions with operands on pages that are not in the TLB. The page walk sets bits in
// the tables by locked updates of its own, before the instruction locks its line or meanwhile.
// No count is lost, nor a bit that another processor sets in a table entry between two accesses of
// the walk. Some counters cross a border of two pages that are not neighbours in memory.
// Argument: turns, iterations per processor, default 30.

#include "cpu.h"
#include "interrupts.h"
#include "paging.h"
#include "test.h"

#define REGION 0x40000000u
#define SET_BYTES (8 * PAGE_BYTES)  // pages this far apart share a set of the TLB, which has 4 ways
#define PLACES 6
#define ACROSS (PAGE_BYTES - 2)  // half on each page
#define SOFTWARE_BIT 0x200       // bits 9 to 11 of an entry are for programs (PRM 5.2.4)

static struct space* space;

static char* place(unsigned i) {
    return (char*)(REGION + i * SET_BYTES);
}

static void count_on(unsigned cpu, void* turns_given) {
    const unsigned turns = *(const unsigned*)turns_given;
    descriptors_load();
    use_space(space);
    barrier();
    for (unsigned turn = 0; turn < turns; turn++) {
        for (unsigned i = 0; i < PLACES; i++) {
            char* page = place(i);
            __asm__ volatile("lock incl (%0)" : : "r"(page + 16) : "memory", "cc");
            __asm__ volatile("lock addl $3, (%0)" : : "r"(page + ACROSS) : "memory", "cc");
            // Takes the whole count, leaves 1, and adds the count to another word.
            uint32_t taken = 1;
            __asm__ volatile("xchgl %0, (%1)" : "+r"(taken) : "r"(page + 32) : "memory");
            __asm__ volatile("lock addl %0, (%1)" : : "r"(taken), "r"(page + 48) : "memory", "cc");
            // Each processor flips its own bit in a string of bits.
            __asm__ volatile("lock btcl %0, (%1)" : : "r"(cpu), "r"(page + 64) : "memory", "cc");
            page_entry* entry = page_entry_of(space, (uintptr_t)page);
            if ((turn + cpu) % 2 == 0)
                __asm__ volatile("lock xorl %1, %0" : "+m"(*entry) : "i"(SOFTWARE_BIT) : "cc");
            if ((turn + i) % 3 == 0)
                __asm__ volatile("lock andl %1, %0"
                                 : "+m"(*entry)
                                 : "i"(~(PAGE_ACCESSED | PAGE_DIRTY))
                                 : "cc");
        }
        if ((turn + cpu) % 4 == 3) flush_pages();
    }
    // From here on nobody clears accessed and dirty bits: the stores below set them for good.
    barrier();
    flush_pages();
    barrier();
    for (unsigned i = 0; i < PLACES; i++)
        __asm__ volatile("lock addl $1, (%0)" : : "r"(place(i) + 80) : "memory", "cc");
}

static uint32_t word(unsigned i, unsigned offset) {
    uint32_t value;
    __asm__("movl (%1), %0" : "=r"(value) : "r"(place(i) + offset) : "memory");
    return value;
}

int main(void) {
    unsigned turns = arg_unsigned("turns", 30);
    space = space_create();
    uintptr_t frames[2 * PLACES];
    for (unsigned i = 2 * PLACES; i-- > 0;) frames[i] = (uintptr_t)page_allocate();
    for (unsigned i = 0; i < PLACES; i++) {
        uintptr_t page = (uintptr_t)place(i);
        map_page(space, page, frames[2 * i], PAGE_WRITABLE);
        map_page(space, page + PAGE_BYTES, frames[2 * i + 1], PAGE_WRITABLE);
        space->directory[page >> 22] &= ~PAGE_ACCESSED;
    }
    run_on_all(count_on, &turns);

    unsigned n = processors();
    unsigned flips = 0;
    for (unsigned cpu = 0; cpu < n; cpu++)
        for (unsigned turn = 0; turn < turns; turn++) flips += (turn + cpu) % 2 == 0;
    for (unsigned i = 0; i < PLACES; i++) {
        CHECK_EQUAL(word(i, 16), n * turns);
        CHECK_EQUAL(word(i, ACROSS), n * turns * 3);
        CHECK_EQUAL(word(i, 32) + word(i, 48), n * turns);
        CHECK_EQUAL(word(i, 64), turns % 2 ? n >= 32 ? ~0u : (1u << n) - 1 : 0);
        CHECK_EQUAL(word(i, 80), n);
        uint32_t entry = *page_entry_of(space, (uintptr_t)place(i));
        CHECK_EQUAL(entry, frames[2 * i] | (flips & 1 ? SOFTWARE_BIT : 0) | PAGE_ACCESSED |
                               PAGE_DIRTY | PAGE_WRITABLE | PAGE_PRESENT);
        CHECK(space->directory[REGION >> 22] & PAGE_ACCESSED);
    }
    return 0;
}
