// SPDX-License-Identifier: MIT
#pragma once

// The interrupt controller on the processor's own board: messages between processors, and a timer.
// There are 8 bins. A processor is interrupted by the bins its mask lets through, the highest
// first, at vector SLIC_VECTORS + bin. Bin 0 holds eight bits, which are gathered until they are
// read; bin 7 is the timer's too; the others are queues of 256 messages, a byte each.

#include "cpu.h"
#include "interrupts.h"

#define SLIC_REGISTERS 0xC8000100
enum slic_register {
    SLIC_COMMAND = 0x00,      // write: what to do; read: SLIC_BUSY, SLIC_REJECTED
    SLIC_DESTINATION = 0x04,  // a processor, SLIC_GROUP + g, or SLIC_ALL
    SLIC_BIN = 0x08,
    SLIC_MESSAGE = 0x0c,   // write: to send; read: of the interrupt taken last
    SLIC_MASK = 0x10,      // bit n: bin n may interrupt
    SLIC_GROUPS = 0x14,    // bit g: belongs to group g
    SLIC_PRIORITY = 0x18,  // 0 to 31
    SLIC_PENDING = 0x1c,   // bit n: bin n has something
    SLIC_SOFTWARE = 0x20,  // bits of bin 0 that have interrupted; reading clears them
    SLIC_TIMER_RELOAD = 0x24,
    SLIC_TIMER_CONTROL = 0x28,
    SLIC_TIMER_COUNT = 0x2c,
    SLIC_VECTOR_BASE = 0x30,
};
enum slic_command { SLIC_SEND_INTERRUPT = 1, SLIC_SEND_NMI = 2 };
enum slic_status { SLIC_BUSY = 1, SLIC_REJECTED = 2 };
#define SLIC_GROUP 0x40
#define SLIC_ALL 0xff
#define SLIC_BINS 8
#define SLIC_CLOCK_BIN 7
#define SLIC_BIN_DEPTH 256

static inline uint32_t slic_read(enum slic_register which) {
    return read_register(SLIC_REGISTERS + which);
}
static inline void slic_write(enum slic_register which, uint32_t value) {
    *(volatile uint32_t*)(SLIC_REGISTERS + which) = value;
}

// Bins that may interrupt this processor; takes effect 500 ns later.
static inline void slic_mask(unsigned bins) {
    slic_write(SLIC_MASK, bins);
}
// Of a group's processors the one with the lowest number here is interrupted.
static inline void slic_priority(unsigned priority) {
    slic_write(SLIC_PRIORITY, priority);
}
static inline void slic_join_groups(unsigned bits) {
    slic_write(SLIC_GROUPS, bits);
}
// In a handler: the byte that came with the interrupt; of bin 0, the bits gathered.
static inline unsigned slic_message(void) {
    return slic_read(SLIC_MESSAGE);
}
static inline unsigned slic_software_bits(void) {
    return slic_read(SLIC_SOFTWARE);
}

// To a processor, SLIC_GROUP + g or SLIC_ALL (which is the sender too). They wait until the message
// has been delivered; false: a full bin has refused it. An interrupt handler that sends as well
// must not come in between: call with interrupts off.
bool slic_send(unsigned destination, unsigned bin, unsigned message);
bool slic_send_nmi(unsigned destination);

// An interrupt of bin 7 `hz` times a second, 40 to 5,000,000 (the nearest the timer has); 0 ends
// it.
void slic_timer(unsigned hz);
