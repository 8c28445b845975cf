// SPDX-License-Identifier: MIT

// Page protection, page fault error codes, accessed and dirty bits, and the translations that the
// TLB keeps (PRM 5.2, 5.3 and 9.8.14).

#include "faults.h"

#define REGION 0x40000000u  // used by nothing else
#define TABLE_SPAN 0x400000u

static struct space* space;
static char *one, *two;  // pages
static uint32_t* user_stack;

static volatile uint32_t* word_at(uintptr_t address) {
    return (volatile uint32_t*)address;
}
static uint32_t load(uint32_t address) {
    return *word_at(address);
}
static uint32_t store(uint32_t address) {
    return *word_at(address) = 0x5a5a5a5a;
}
static uint32_t jump(uint32_t address) {
    return ((uint32_t(*)(void))address)();
}
static uint32_t in_user(uint32_t (*function)(uint32_t), uint32_t argument) {
    return run_user(function, argument, user_stack + PAGE_BYTES / 4);
}

static uint32_t reload_es(uint32_t unused) {
    uint32_t selector = unused;
    __asm__ volatile("movl %%es, %0; movl %0, %%es" : "=r"(selector));
    return selector & 0xffff;
}

static void map_both(unsigned flags) {
    map_page(space, REGION, (uintptr_t)one, flags);
    map_page(space, REGION + PAGE_BYTES, (uintptr_t)two, flags);
    flush_pages();
}

static void error_codes(void) {
    FAULT(PAGE_FAULT, 0, load(REGION));
    CHECK_EQUAL(fault_cr2, REGION);
    FAULT(PAGE_FAULT, FAULT_WRITE, store(REGION + 8));
    CHECK_EQUAL(fault_cr2, REGION + 8);
    FAULT(PAGE_FAULT, FAULT_USER, in_user(load, REGION));
    FAULT(PAGE_FAULT, FAULT_USER | FAULT_WRITE, in_user(store, REGION));
    FAULT(PAGE_FAULT, 0, jump(REGION + 1));
    CHECK_EQUAL(fault_cr2, REGION + 1);
    CHECK_EQUAL(fault.eip, REGION + 1);
    FAULT(PAGE_FAULT, 0, load(0));  // page 0 is never present
    CHECK_EQUAL(fault_cr2, 0);

    // An operand within the first page; then operands that cross into a page that is not present.
    map_page(space, REGION, (uintptr_t)one, PAGE_WRITABLE);
    NO_FAULT(store(REGION + PAGE_BYTES - 4));
    FAULT(PAGE_FAULT, 0, load(REGION + PAGE_BYTES - 2));
    CHECK_EQUAL(fault_cr2, REGION + PAGE_BYTES);
    FAULT(PAGE_FAULT, FAULT_WRITE, store(REGION + PAGE_BYTES - 1));
    CHECK_EQUAL(fault_cr2, REGION + PAGE_BYTES);
    CHECK_EQUAL(load(REGION + PAGE_BYTES - 4), 0x5a5a5a5a);  // neither half was written
    FAULT(PAGE_FAULT, FAULT_WRITE,
          __asm__ volatile("incl (%0)"
                           :
                           : "r"(REGION + PAGE_BYTES - 3)
                           : "memory"));
    FAULT(PAGE_FAULT, FAULT_WRITE,
          __asm__ volatile("lock incl (%0)"
                           :
                           : "r"(REGION + PAGE_BYTES - 3)
                           : "memory"));
    CHECK_EQUAL(load(REGION + PAGE_BYTES - 4), 0x5a5a5a5a);
}

static void protection(void) {
    map_both(PAGE_WRITABLE);
    NO_FAULT(store(REGION));
    FAULT(PAGE_FAULT, FAULT_PRESENT | FAULT_USER, in_user(load, REGION));
    FAULT(PAGE_FAULT, FAULT_PRESENT | FAULT_USER | FAULT_WRITE, in_user(store, REGION));
    FAULT(PAGE_FAULT, FAULT_PRESENT | FAULT_USER, in_user(jump, REGION));
    CHECK_EQUAL(fault.eip, REGION);

    map_both(PAGE_USER);
    NO_FAULT(in_user(load, REGION));
    FAULT(PAGE_FAULT, FAULT_PRESENT | FAULT_USER | FAULT_WRITE, in_user(store, REGION));
    FAULT(PAGE_FAULT, FAULT_PRESENT | FAULT_USER | FAULT_WRITE,
          in_user(store, REGION + PAGE_BYTES - 1));
    CHECK_EQUAL(fault_cr2, REGION + PAGE_BYTES - 1);
    NO_FAULT(store(REGION));  // a 386 does not protect pages from ring 0

    map_both(PAGE_USER | PAGE_WRITABLE);
    NO_FAULT(in_user(store, REGION));

    // The rights of the directory entry apply too.
    page_entry* upper = &space->directory[REGION >> 22];
    *upper &= ~PAGE_WRITABLE;
    flush_pages();
    NO_FAULT(in_user(load, REGION));
    FAULT(PAGE_FAULT, FAULT_PRESENT | FAULT_USER | FAULT_WRITE, in_user(store, REGION));
    *upper = (*upper | PAGE_WRITABLE) & ~PAGE_USER;
    flush_pages();
    FAULT(PAGE_FAULT, FAULT_PRESENT | FAULT_USER, in_user(load, REGION));
    NO_FAULT(store(REGION));
    *upper |= PAGE_USER;
    flush_pages();

    // The processor reads descriptor tables with the rights of ring 0, whatever ring the program is
    // in: loading a segment register in ring 3 reads the GDT, which ring 3 itself could not read.
    NO_FAULT(CHECK_EQUAL(in_user(reload_es, 0), USER_DATA));
}

static unsigned bits(uintptr_t address) {
    return *page_entry_of(space, address) & (PAGE_ACCESSED | PAGE_DIRTY);
}

static void accessed_and_dirty(void) {
    map_both(PAGE_WRITABLE);
    page_entry* upper = &space->directory[REGION >> 22];
    *upper &= ~PAGE_ACCESSED;
    flush_pages();
    CHECK_EQUAL(bits(REGION), 0);
    load(REGION);
    CHECK_EQUAL(bits(REGION), PAGE_ACCESSED);
    CHECK_EQUAL(*upper & (PAGE_ACCESSED | PAGE_DIRTY), PAGE_ACCESSED);
    CHECK_EQUAL(bits(REGION + PAGE_BYTES), 0);
    store(REGION);
    CHECK_EQUAL(bits(REGION), PAGE_ACCESSED | PAGE_DIRTY);
    CHECK_EQUAL(*upper & PAGE_DIRTY, 0);
    // The TLB still has the page as dirty, so the processor does not set the dirty bit again.
    *page_entry_of(space, REGION) &= ~(PAGE_ACCESSED | PAGE_DIRTY);
    store(REGION);
    CHECK_EQUAL(bits(REGION), 0);
    flush_pages();
    store(REGION);
    CHECK_EQUAL(bits(REGION), PAGE_ACCESSED | PAGE_DIRTY);
    // A store into both pages, and a read-modify-write that changes nothing.
    store(REGION + PAGE_BYTES - 2);
    CHECK_EQUAL(bits(REGION + PAGE_BYTES), PAGE_ACCESSED | PAGE_DIRTY);
    map_both(PAGE_WRITABLE);
    __asm__ volatile("orl $0, (%0)" : : "r"(REGION) : "memory", "cc");
    CHECK_EQUAL(bits(REGION), PAGE_ACCESSED | PAGE_DIRTY);
    map_both(PAGE_WRITABLE);
    __asm__ volatile("cmpl $0, (%0)" : : "r"(REGION) : "memory", "cc");
    CHECK_EQUAL(bits(REGION), PAGE_ACCESSED);
    // Executing code sets only the accessed bit.
    one[0] = (char)0xc3;
    map_both(PAGE_WRITABLE);
    jump(REGION);
    CHECK_EQUAL(bits(REGION), PAGE_ACCESSED);
    // A walk that faults leaves the accessed bit of the directory's entry as it was.
    unmap_page(space, REGION);
    *upper &= ~PAGE_ACCESSED;
    flush_pages();
    FAULT(PAGE_FAULT, 0, load(REGION));
    CHECK_EQUAL(*upper & PAGE_ACCESSED, 0);
}

// The TLB keeps translations until cr3 is written. It does not keep that a page is not present.
static void stale_translations(void) {
    *word_at((uintptr_t)one) = 1;
    *word_at((uintptr_t)two) = 2;
    unmap_page(space, REGION);
    flush_pages();
    FAULT(PAGE_FAULT, 0, load(REGION));
    map_page(space, REGION, (uintptr_t)one, PAGE_WRITABLE);
    CHECK_EQUAL(load(REGION), 1);
    map_page(space, REGION, (uintptr_t)two, PAGE_WRITABLE);
    CHECK_EQUAL(load(REGION), 1);
    flush_pages();
    CHECK_EQUAL(load(REGION), 2);
    unmap_page(space, REGION);
    CHECK_EQUAL(load(REGION), 2);
    // Five pages of one set of the TLB (8 sets of 4): the first translation is evicted.
    for (unsigned i = 1; i <= 4; i++) {
        map_page(space, REGION + i * 8 * PAGE_BYTES, (uintptr_t)one, 0);
        CHECK_EQUAL(load(REGION + i * 8 * PAGE_BYTES), 1);
    }
    FAULT(PAGE_FAULT, 0, load(REGION));
}

static void two_mappings(void) {
    const uintptr_t other = REGION + TABLE_SPAN + 5 * PAGE_BYTES;
    map_page(space, REGION, (uintptr_t)one, PAGE_WRITABLE);
    map_page(space, other, (uintptr_t)one, PAGE_WRITABLE);
    flush_pages();
    for (uint32_t i = 0; i < 100; i++) {
        *word_at(REGION + 4 * i) = i;
        CHECK_EQUAL(load(other + 4 * i), i);
        *word_at(other + 4 * i) = ~i;
        CHECK_EQUAL(load(REGION + 4 * i), ~i);
        CHECK_EQUAL(((volatile uint32_t*)one)[i], ~i);
    }
    map_page(space, REGION, (uintptr_t)one, PAGE_WRITABLE);
    map_page(space, other, (uintptr_t)one, PAGE_WRITABLE);
    flush_pages();
    store(other);
    load(REGION);
    CHECK_EQUAL(bits(REGION), PAGE_ACCESSED);
    CHECK_EQUAL(bits(other), PAGE_ACCESSED | PAGE_DIRTY);
}

// A second space maps another page at the same address. Loading cr3 is enough to switch.
static void two_spaces(void) {
    struct space* second = space_create();
    map_page(space, REGION, (uintptr_t)one, PAGE_WRITABLE);
    map_page(second, REGION, (uintptr_t)two, PAGE_WRITABLE);
    *word_at((uintptr_t)one) = 1;
    *word_at((uintptr_t)two) = 2;
    for (unsigned i = 0; i < 3; i++) {
        use_space(second);
        CHECK_EQUAL(load(REGION), 2);
        use_space(space);
        CHECK_EQUAL(load(REGION), 1);
    }
    // Paging is turned off and on again: no earlier translation is kept.
    map_page(space, REGION, (uintptr_t)two, PAGE_WRITABLE);
    __asm__ volatile("movl %%cr0, %%eax; andl $0x7fffffff, %%eax; movl %%eax, %%cr0; jmp 1f; 1:"
                     :
                     :
                     : "eax", "memory");
    CHECK_EQUAL(*word_at((uintptr_t)one), 1);
    use_space(space);
    CHECK_EQUAL(load(REGION), 2);
}

int main(void) {
    descriptors_load();
    catch_faults();
    one = page_allocate();
    page_allocate();  // so that `one` and `two` are not adjacent
    two = page_allocate();
    user_stack = page_allocate();
    space = space_create();
    // Ring 3 executes this program's functions.
    map_identity(space, 0x100000, 0x110000, PAGE_USER | PAGE_WRITABLE);
    map_page(space, (uintptr_t)user_stack, (uintptr_t)user_stack, PAGE_USER | PAGE_WRITABLE);
    use_space(space);
    error_codes();
    protection();
    accessed_and_dirty();
    stale_translations();
    two_mappings();
    two_spaces();
    return 0;
}
