// SPDX-License-Identifier: MIT

#include "kernel.h"
#include "kernel/system_call.h"

// Pages of devices are beyond: an access where there is no register ends the run.
#define USER_END (PRIVATE_PAGE + PAGE_BYTES)

// The entry of a page that ring 3 may access, with `right`; NULL if it may not.
static page_entry* user_page(const struct space* space, uintptr_t address, unsigned right) {
    if (address >= USER_END) return NULL;
    page_entry* entry = page_entry_of((struct space*)space, address);
    const unsigned needed = PAGE_PRESENT | PAGE_USER | right;
    return entry != NULL && (*entry & needed) == needed ? entry : NULL;
}

bool user_range(const struct space* space, uintptr_t begin, uint32_t bytes, unsigned right) {
    if (begin + bytes < begin) return false;
    for (uintptr_t page = begin & PAGE_FRAME; page < begin + bytes; page += PAGE_BYTES)
        if (user_page(space, page, right) == NULL) return false;
    return true;
}

volatile unsigned* user_word(const struct space* space, uintptr_t address) {
    const page_entry* entry = address % 4 == 0 ? user_page(space, address, 0) : NULL;
    if (entry == NULL) return NULL;
    return (volatile unsigned*)((*entry & PAGE_FRAME) + address % PAGE_BYTES);
}

int user_write(const struct space* space, uint32_t device, uintptr_t text, uint32_t bytes) {
    if (device != CONSOLE_BYTE && device != RESULTS_BYTE) return -1;
    if (bytes > WRITE_MOST || !user_range(space, text, bytes, 0)) return -1;
    device_write(device, (const char*)text, bytes);
    return 0;
}
