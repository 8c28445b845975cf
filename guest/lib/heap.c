// SPDX-License-Identifier: MIT

#include "internal.h"
#include "symsim.h"

extern char symsim_image_end[];  // boot/guest.ld

// The loader writes here how many bytes of memory the machine has. In .data, so that it is part of
// the image.
uint32_t symsim_memory_bytes __attribute__((section(".data"))) = 0;

struct heap heap_bounds(void) {
    uint32_t end = *(volatile uint32_t*)&symsim_memory_bytes;
    if (end == 0) panic("malloc: the loader has not told how much memory there is");
    return (struct heap){symsim_image_end, (char*)(end & -16u)};
}
