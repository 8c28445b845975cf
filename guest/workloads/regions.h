// SPDX-License-Identifier: MIT
#pragma once

// Regions of memory from which footprints.c and reload_misses.c load, to fill a direct-mapped cache
// as the equations of Steckermeier & Bellosa (1995) assume: each load misses, and falls on any line
// of the cache with the same probability.

#include "monitor.h"
#include "stdlib.h"
#include "symsim.h"

#define TAGS 256  // caches that a region is long; a random load takes the next

struct region {
    char* memory;  // begins where the cache's first set does
    uint32_t bytes;
    unsigned tag;
};

static unsigned cache_lines, line_bytes;  // of the machine

static unsigned cache_bytes(void) {
    return cache_lines * line_bytes;
}

// Arguments cache_lines and line_bytes.
static void cache_arguments(void) {
    cache_lines = arg_unsigned("cache_lines", 2048);
    line_bytes = arg_unsigned("line_bytes", 32);
    if (cache_lines == 0 || line_bytes < sizeof(uint32_t))
        panic("cache_lines must be at least 1, line_bytes at least 4");
}

static struct region new_region(unsigned caches) {
    const uint32_t bytes = caches * cache_bytes();
    const uintptr_t memory = (uintptr_t)malloc(bytes + cache_bytes());
    if (memory == 0) panic("no memory for %u caches", caches);
    const uintptr_t first = (memory + cache_bytes() - 1) / cache_bytes() * cache_bytes();
    return (struct region){(char*)first, bytes, 0};
}

static void load(const char* address) {
    (void)*(const volatile uint32_t*)address;
}

// On any line of the cache. It finds its line there only if the last load of the region on this
// line of the cache was of the same tag, a multiple of TAGS loads ago.
static void load_random(struct region* region) {
    load(region->memory + region->tag * cache_bytes() + random_below(cache_lines) * line_bytes);
    region->tag = (region->tag + 1) % TAGS;
}

// One load into each line of the cache: nobody else has any.
static void fill_cache(const struct region* region) {
    for (unsigned i = 0; i < cache_lines; i++) load(region->memory + i * line_bytes);
}

static uint32_t lines_of(const struct region* region) {
    return monitor_lines_of(region->memory, region->bytes);
}
