// SPDX-License-Identifier: MIT
#pragma once

// ticket.h without pauses: each waiter reads `serving` in its cache, each release makes all miss.

#define LOCK_NAME "ticket-plain"
#define TICKET_PAUSE_TURNS 0

#include "ticket.h"
