// SPDX-License-Identifier: MIT
#pragma once

// ticket.h without pauses: waiters spin on `serving` in their caches; each release makes all miss.

#define LOCK_NAME "ticket-plain"
#define LOCK_FIFO numbers
#define TICKET_PAUSE_TURNS 0

#include "ticket.h"
