// SPDX-License-Identifier: MIT

// The other spaces of the image attack; each of them ends, and this one keeps what it has.

#include "space.h"
#include "spaces_attacks.h"
#include "test.h"
#include "threads.h"

static volatile uint32_t secret = SECRET;
static struct meeting* meetings[MAX_SPACES];

static void* any_but(unsigned attacker) {
    for (unsigned i = 1; i < spaces(); i++)
        if (i != attacker && meetings[i] != NULL) return meetings[i];
    return NULL;
}

// Maps the meeting when the attacker has asked for it too.
static void meet(unsigned attacker) {
    void* memory;
    CHECK(space_share((int)attacker, OTHER_PAGES, 2, &memory) != SHARE_MAPPED);
    if (space_share((int)attacker, CHANNEL, 1, &memory) != SHARE_MAPPED) return;
    meetings[attacker] = memory;
    meetings[attacker]->secret = &secret;
    meetings[attacker]->another = any_but(attacker);
    meetings[attacker]->code = (uintptr_t)meet;
    meetings[attacker]->told = true;
}

static bool ended(unsigned attacker) {
    return space_info((int)attacker)->state == SPACE_ENDED;
}

static void check(unsigned attacker) {
    CHECK(meetings[attacker] != NULL);
    CHECK(meetings[attacker]->attacks);
    CHECK(!meetings[attacker]->survived);
    CHECK_EQUAL(secret, SECRET);
}

int main(void) {
    for (unsigned left = spaces() - 1; left > 0;) {
        left = 0;
        for (unsigned i = 1; i < spaces(); i++) {
            if (meetings[i] == NULL && !ended(i)) meet(i);
            left += !ended(i);
        }
        thread_yield();
    }
    for (unsigned i = 1; i < spaces(); i++) check(i);
    report("attacks", spaces() - 1);
    return 0;
}
