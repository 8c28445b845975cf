// SPDX-License-Identifier: MIT

// Two locks, always acquired in one order (E. Coffman, M. Elphick and A. Shoshani, "System
// Deadlocks", Computing Surveys 3(2), 1971). Each processor moves an amount between two accounts.

#include "each.h"
#include "lock.h"

static struct account {
    struct lock lock;
    LINE_ALIGNED volatile unsigned amount;
} accounts[2] = {{LOCK_INIT, 10}, {LOCK_INIT, 10}};
CHECKED_GUARDED(accounts[0].lock, accounts[0].amount);
CHECKED_GUARDED(accounts[1].lock, accounts[1].amount);

static void move(unsigned from, unsigned to, unsigned cpu) {
    struct lock_slot first_slot, second_slot;
    const unsigned first = 0, second = 1;
    (void)cpu;
    lock_acquire(&accounts[first].lock, &first_slot);
    lock_acquire(&accounts[second].lock, &second_slot);
    accounts[from].amount = accounts[from].amount - 1;
    accounts[to].amount = accounts[to].amount + 1;
    lock_release(&accounts[second].lock, &second_slot);
    lock_release(&accounts[first].lock, &first_slot);
}

static void each(unsigned cpu) {
    move(cpu % 2, 1 - cpu % 2, cpu);
}

static bool check(void) {
    return accounts[0].amount + accounts[1].amount == 20;
}
