// SPDX-License-Identifier: MIT
#pragma once

// The interrupt by which a processor asks another one to look what it should run.

#include "slic.h"

#define RESCHEDULE 0x40  // the software bit of DYNIX for this

// False if the other one's SLIC rejects it.
static inline bool reschedule(unsigned processor) {
    return slic_send(SLIC_PROCESSOR(processor), 0, RESCHEDULE);
}

// For the handler of SLIC_VECTORS: clears the bit.
static inline void take_reschedule(void) {
    slic_software_bits();
}
