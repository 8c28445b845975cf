// SPDX-License-Identifier: MIT
#pragma once

// Ticket lock with proportional backoff for processes (paper: ticket.h).
// Idea: as ticket.h, but numbers are taken by compare_and_swap. So nobody waits for a process that
// is preempted while it takes its number, as with the small lock of number.h.
//
// ticket-proportional-7 pauses for 7 us for each number ahead; alone for 20, a section of WKS and
// the handoff.
//
// Who waits for whom: each waiter for all that have lower numbers, even if they are preempted.
// Fairness: by number. Limits: none. Order: ordering.h rules 4 (number), 1 (wait), 2 (release).

#ifndef LOCK_NAME
#define LOCK_NAME "ticket-proportional"
#endif
#define LOCK_KERNEL 1
#define LOCK_SPECIAL "needs a program of processes"
#define LOCK_FIFO numbers
#define LOCK_PARAMETER LOCK_PAUSE_US 20
#ifndef LOCK_PAUSE_US
#define LOCK_PAUSE_US 20
#endif

#define NUMBER_COMPARE_AND_SWAP
#define TICKET_PAUSE_TURNS (16 * LOCK_PAUSE_US / DELAY_TURN_CLOCKS)  // 16 clocks in 1 us

#include "ticket.h"
