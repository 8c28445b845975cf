// SPDX-License-Identifier: MIT

#include "kernel.h"
#include "spinlock.h"

static struct spinlock devices_lock;

void device_write(uintptr_t device, const char* text, unsigned bytes) {
    const uint32_t flags = interrupts_save();  // they are on in the harness of signals/
    spinlock_acquire(&devices_lock);
    for (unsigned i = 0; i < bytes; i++) *(volatile char*)device = text[i];
    spinlock_release(&devices_lock);
    interrupts_restore(flags);
}
