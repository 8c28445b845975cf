// SPDX-License-Identifier: MIT

// Self-modifying code under paging: written through another linear address of its page, written on
// two pages that are not neighbours in memory, written by another processor, and replaced by
// mapping another page in its place.

#include "cpu.h"
#include "interrupts.h"
#include "paging.h"
#include "test.h"

#include "string.h"

#define REGION 0x40000000u
#define ALIAS 0x48000000u
#define ROUNDS 40

typedef uint32_t function(void);

static struct space* space;
static char *first, *second, *elsewhere;  // pages

// movl $value, %eax; ret
static void put_function(volatile char* at, uint32_t value) {
    at[0] = (char)0xb8;
    for (unsigned i = 0; i < 4; i++) at[1 + i] = (char)(value >> 8 * i);
    at[5] = (char)0xc3;
}

static void through_another_address(void) {
    for (uint32_t i = 0; i < ROUNDS; i++) {
        put_function((char*)ALIAS + 100, i * 0x01010101);
        CHECK_EQUAL(((function*)(REGION + 100))(), i * 0x01010101);
        put_function(first + 100, ~i);
        CHECK_EQUAL(((function*)(REGION + 100))(), ~i);
    }
}

// An instruction crosses the page border with 1 to 5 bytes on the first page. First its bytes on
// the second page are rewritten, then those on the first.
static void across_two_pages(void) {
    for (unsigned before = 1; before <= 5; before++) {
        char* begin = (char*)REGION + PAGE_BYTES - before;
        put_function(begin, 0x11111111);
        CHECK_EQUAL(((function*)begin)(), 0x11111111);
        for (uint32_t i = 0; i < ROUNDS; i++) {
            uint32_t value = i * 0x01020408 + before;
            char bytes[6];
            put_function(bytes, value);
            memcpy(second, bytes + before, sizeof bytes - before);
            memcpy(first + PAGE_BYTES - before, bytes, before);
            CHECK_EQUAL(((function*)begin)(), value);
        }
        memset(second, 0xf4, 16);
    }
    // The page that follows the first one in memory is never executed: it still contains hlt.
    CHECK_EQUAL((uint8_t)first[PAGE_BYTES], 0xf4);
}

static void another_page(void) {
    put_function(first + 200, 1);
    put_function(elsewhere + 200, 2);
    for (unsigned i = 0; i < ROUNDS; i++) {
        map_page(space, REGION, (uintptr_t)(i % 2 ? elsewhere : first), PAGE_WRITABLE);
        flush_pages();
        CHECK_EQUAL(((function*)(REGION + 200))(), i % 2 ? 2 : 1);
    }
    map_page(space, REGION, (uintptr_t)first, PAGE_WRITABLE);
    flush_pages();
}

// A loop without stores that ends only when its code is changed: processor 0 replaces the jump back
// by a jump to the next instruction.
static volatile uint32_t waiting[MAX_PROCESSORS] __attribute__((aligned(32)));

static void loop_on(unsigned cpu, void* unused) {
    (void)unused;
    if (cpu != 0) {
        descriptors_load();
        use_space(space);
        waiting[cpu] = 1;
        CHECK_EQUAL(((function*)(REGION + 300))(), 77);
        waiting[cpu] = 2;
        return;
    }
    for (unsigned i = 1; i < processors(); i++)
        while (waiting[i] != 1) {
        }
    uint32_t start = clock_us();
    while (clock_us() - start < 50) {
    }
    for (unsigned i = 1; i < processors(); i++) CHECK_EQUAL(waiting[i], 1);
    *(volatile char*)(ALIAS + 306) = 0;
}

static void by_another_processor(void) {
    static const uint8_t loop[] = {0xb8, 77,   0, 0, 0,  // movl $77, %eax
                                   0xeb, 0xfe,           // 1: jmp 1b
                                   0xc3};                // ret
    memcpy(first + 300, loop, sizeof loop);
    run_on_all(loop_on, NULL);
    for (unsigned i = 1; i < processors(); i++) CHECK_EQUAL(waiting[i], 2);
}

int main(void) {
    descriptors_load();
    // The pages in memory: second, first, a page of hlt, elsewhere.
    second = page_allocate();
    first = page_allocate();
    page_allocate();
    elsewhere = page_allocate();
    CHECK(first == second + PAGE_BYTES && elsewhere == first + 2 * PAGE_BYTES);
    memset(first + PAGE_BYTES, 0xf4, 16);
    space = space_create();
    map_page(space, REGION, (uintptr_t)first, PAGE_WRITABLE);
    map_page(space, REGION + PAGE_BYTES, (uintptr_t)second, PAGE_WRITABLE);
    map_page(space, ALIAS, (uintptr_t)first, PAGE_WRITABLE);
    use_space(space);
    through_another_address();
    across_two_pages();
    another_page();
    by_another_processor();
    return 0;
}
