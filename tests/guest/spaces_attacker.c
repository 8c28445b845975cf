// SPDX-License-Identifier: MIT

// Attacks the witness, the kernel or the devices; which attack, says the number of the space.

#include "cpu.h"
#include "kernel/spaces/user/user_space.h"
#include "paging.h"
#include "slic.h"
#include "space.h"
#include "spaces_attacks.h"
#include "test.h"
#include "threads.h"

#ifndef ATTACKS_BEFORE  // those of other images
#define ATTACKS_BEFORE 0
#endif

#define KERNEL_BEGIN 0x100000
static volatile uint32_t seen;

static void read_from(uintptr_t address) {
    seen = *(volatile uint32_t*)address;
}
static void write_to(uintptr_t address) {
    *(volatile uint32_t*)address = 1;
}

// The memory of a witness's meeting with a third space; one that has none takes its secret.
static uintptr_t another(const struct meeting* meeting) {
    return (uintptr_t)(meeting->another != NULL ? meeting->another : meeting->secret);
}

static void attack(unsigned number, const struct meeting* meeting) {
    switch (number) {
        case 1:
            read_from((uintptr_t)meeting->secret);
            break;
        case 2:
            write_to((uintptr_t)meeting->secret);
            break;
        case 3:
            read_from(another(meeting));
            break;
        case 4:
            read_from(KERNEL_BEGIN);
            break;
        case 5:
            ((void (*)(void))KERNEL_BEGIN)();
            break;
        case 6:
            write_to((uintptr_t)space_info(0));
            break;
        case 7:
            read_from(16u << 20);  // beyond memory
            break;
        case 8:
            write_to(BOARD_PROCESSOR);
            break;
        case 9:
            write_to(SLIC_REGISTERS + SLIC_COMMAND);
            break;
        case 10:
            write_to(POWER_OFF);
            break;
        case 11:
            write_to(BOARD_CLOCK_US);
            break;
        case 12:
            __asm__ volatile("cli");
            break;
        case 13:
            __asm__ volatile("int %0" : : "i"(USER_RETURN));
            break;
        case 14:
            __asm__ volatile("movl %0, %%cr3" : : "r"(0));
            break;
        case 15:
            write_to((uintptr_t)attack);  // its own code
            break;
        case 16:
            read_from(meeting->code);
            break;
        case 17:
            write_to(((uintptr_t)meeting | 0xff000) + 0x1000 - PAGE_BYTES);  // kernel's pages
            break;
        case 18:
            write_to((uintptr_t)space_given.on);
            break;
        case 19:
            __asm__ volatile("outb %%al, $0x20" : : "a"(0));
            break;
        case 20:
            __asm__ volatile("hlt");
            break;
        default:
            __asm__ volatile("int %0" : : "i"(SLIC_VECTORS + SLIC_CLOCK_BIN));
    }
}

static struct meeting* meet(void) {
    void* memory;
    CHECK_EQUAL(space_share(space_self(), CHANNEL, 1, &memory), SHARE_REFUSED);
    CHECK_EQUAL(space_share(MAX_SPACES, CHANNEL, 1, &memory), SHARE_REFUSED);
    CHECK_EQUAL(space_share(WITNESS, CHANNEL, SHARED_PAGES_MOST + 1, &memory), SHARE_REFUSED);
    for (unsigned i = 0; i < 3; i++)
        CHECK_EQUAL(space_share(WITNESS, NOBODYS_CHANNEL, 1, &memory), SHARE_ASKED);
    while (space_share(WITNESS, CHANNEL, 1, &memory) != SHARE_MAPPED) thread_yield();
    CHECK(space_share(WITNESS, OTHER_PAGES, 1, &(void*){NULL}) != SHARE_MAPPED);
    return memory;
}

int main(void) {
    struct meeting* meeting = meet();
    while (!meeting->told) thread_yield();
    meeting->attacks = true;
    attack((unsigned)space_self() + ATTACKS_BEFORE, meeting);
    meeting->survived = true;
    return 0;
}
