// SPDX-License-Identifier: MIT
#pragma once

// SLIC, the interrupt controller on each processor's board: messages between processors, and a
// timer. It has 8 bins. Bins that the mask lets through interrupt the processor, the highest bin
// first, at vector SLIC_VECTORS + bin. Bin 0 is eight bits that accumulate until they are read.
// Bins 1 to 7 are queues of 256 messages of one byte; bin 7 also serves the timer.

#include "cpu.h"
#include "interrupts.h"

#define SLIC_REGISTERS 0xC8000100
enum slic_register {
    SLIC_COMMAND = 0x00,      // write: a slic_command; read: SLIC_BUSY, SLIC_REJECTED
    SLIC_DESTINATION = 0x04,  // SLIC_PROCESSOR(p), SLIC_GROUP + g, or SLIC_ALL
    SLIC_BIN = 0x08,
    SLIC_MESSAGE = 0x0c,   // write: to send; read: that of the last interrupt taken
    SLIC_MASK = 0x10,      // bit n: bin n may interrupt
    SLIC_GROUPS = 0x14,    // bit g: this processor belongs to group g
    SLIC_PRIORITY = 0x18,  // 0 to 31
    SLIC_PENDING = 0x1c,   // bit n: bin n is not empty
    SLIC_SOFTWARE = 0x20,  // bits of bin 0 that have interrupted; a read clears them
    SLIC_TIMER_RELOAD = 0x24,
    SLIC_TIMER_CONTROL = 0x28,
    SLIC_TIMER_COUNT = 0x2c,
    SLIC_VECTOR_BASE = 0x30,
};
enum slic_command { SLIC_SEND_INTERRUPT = 1, SLIC_SEND_NMI = 2 };
enum slic_status { SLIC_BUSY = 1, SLIC_REJECTED = 2 };
// From 64 on, a processor's number alone would be a group's.
#define SLIC_PROCESSOR(p) (MAX_PROCESSORS > 64 ? 0x100 + (p) : (p))
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

// Bins that may interrupt this processor; takes effect after 500 ns.
static inline void slic_mask(unsigned bins) {
    slic_write(SLIC_MASK, bins);
}
// An interrupt to a group goes to its processor with the lowest priority number.
static inline void slic_priority(unsigned priority) {
    slic_write(SLIC_PRIORITY, priority);
}
static inline void slic_join_groups(unsigned bits) {
    slic_write(SLIC_GROUPS, bits);
}
// For a handler: the byte that came with the interrupt; for bin 0, the accumulated bits.
static inline unsigned slic_message(void) {
    return slic_read(SLIC_MESSAGE);
}
static inline unsigned slic_software_bits(void) {
    return slic_read(SLIC_SOFTWARE);
}

// Sends to SLIC_PROCESSOR(p), to SLIC_GROUP + g, or to SLIC_ALL, which includes the sender. Returns
// after delivery; false if a full bin rejected the message. Call with interrupts off, so that no
// handler starts another send in between.
bool slic_send(unsigned destination, unsigned bin, unsigned message);
bool slic_send_nmi(unsigned destination);

// Timer interrupts in bin 7, `hz` times a second, 40 to 5,000,000 (the nearest rate that the timer
// has); 0 stops them.
void slic_timer(unsigned hz);
