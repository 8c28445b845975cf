// SPDX-License-Identifier: MIT

#include "slic.h"

#include "sections.h"
#include "symsim.h"

// The timer counts down from an 8-bit value, every 100 us or at 5 MHz (docs/how-it-works/model.md).
#define SLOW_HZ 10000u
#define FAST_HZ 5000000u
#define TIMER_RUNS 1
#define TIMER_FAST 2

static KERNEL_FUNCTION bool send(unsigned destination, unsigned bin, unsigned message,
                                 enum slic_command command) {
    slic_write(SLIC_DESTINATION, destination);
    slic_write(SLIC_BIN, bin);
    slic_write(SLIC_MESSAGE, message);
    slic_write(SLIC_COMMAND, command);
    while (slic_read(SLIC_COMMAND) & SLIC_BUSY) {
    }
    return !(slic_read(SLIC_COMMAND) & SLIC_REJECTED);
}

bool slic_send(unsigned destination, unsigned bin, unsigned message) {
    return send(destination, bin, message, SLIC_SEND_INTERRUPT);
}

bool slic_send_nmi(unsigned destination) {
    return send(destination, 0, 0, SLIC_SEND_NMI);
}

void slic_timer(unsigned hz) {
    if (hz == 0) {
        slic_write(SLIC_TIMER_CONTROL, 0);
        return;
    }
    bool fast = hz > FAST_HZ / 256;  // if the 5 MHz clock can count that far, it is more precise
    unsigned counts = (fast ? FAST_HZ : SLOW_HZ) / hz;
    if (counts == 0 || counts > 256) panic("slic_timer: %u Hz are not to be had", hz);
    slic_write(SLIC_TIMER_RELOAD, counts - 1);
    slic_write(SLIC_TIMER_CONTROL, fast ? TIMER_RUNS | TIMER_FAST : TIMER_RUNS);
}
