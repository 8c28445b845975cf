// SPDX-License-Identifier: MIT

// How many lines a thread has in a direct-mapped cache after misses of its own and after misses of
// others (Steckermeier & Bellosa 1995, Equations 7 and 9, claims MTH-19 and MTH-20). The two
// threads are two regions of memory that one processor loads from; the performance monitor counts
// misses and lines. A round:
//
//   clear   a third region fills the cache: the thread has no line
//   own     `loads` loads from the thread's region; then its lines are counted
//   others  as many from the region of the others; then what the thread has left is counted
//
// Patterns of loads, from a random line on:
//   random   as the equations assume (regions.h)
//   sweep    line after line, as a thread that works through its rows
//   stride   every `stride`-th line, again and again through four times the cache
//
// Arguments   pattern       default random
//             loads         default 1024
//             rounds        default 16
//             stride        default 4
//             cache_lines, line_bytes   of the machine's cache; default 2048 lines of 32 bytes
// Results     own_misses, held_lines, foreign_misses, left_lines   means of a round
// Checks      no more lines than the cache has

#include "image_argument.h"
#include "regions.h"

static unsigned loads, stride;

typedef void pattern(struct region*);

static void loads_random(struct region* region) {
    for (unsigned i = 0; i < loads; i++) load_random(region);
}

static void loads_each(struct region* region, unsigned step_bytes, uint32_t end_bytes) {
    uint32_t offset = random_below(cache_lines) * line_bytes;
    for (unsigned i = 0; i < loads; i++) {
        load(region->memory + offset);
        offset += step_bytes;
        if (offset >= end_bytes) offset -= end_bytes;
    }
}

static void loads_sweep(struct region* region) {
    loads_each(region, line_bytes, region->bytes);
}

static void loads_stride(struct region* region) {
    loads_each(region, stride * line_bytes, 4 * cache_bytes());
}

static const struct {
    const char* name;
    pattern* loads;
} patterns[] = {{"random", loads_random}, {"sweep", loads_sweep}, {"stride", loads_stride}};

static pattern* pattern_argument(void) {
    const char* name = arg_string("pattern", "random");
    for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (strcmp(patterns[i].name, name) == 0) return patterns[i].loads;
    panic("pattern %s; there are random, sweep and stride", name);
}

static uint32_t misses_of(pattern* loads_of_pattern, struct region* region) {
    const uint32_t before = monitor_cache_misses();
    loads_of_pattern(region);
    return monitor_cache_misses() - before;
}

static void report_mean(const char* name, uint64_t sum, unsigned rounds) {
    report_thousandths(name, (int64_t)(sum * 1000 / rounds));
}

int main(void) {
    pattern* const loads_of_pattern = pattern_argument();
    loads = arg_unsigned("loads", 1024);
    stride = arg_unsigned("stride", 4);
    const unsigned rounds = arg_unsigned("rounds", 16);
    if (rounds == 0 || stride == 0) panic("rounds and stride must be at least 1");
    cache_arguments();
    struct region own = new_region(TAGS), others = new_region(TAGS), third = new_region(1);
    uint64_t own_misses = 0, held = 0, foreign_misses = 0, left = 0;
    uint32_t most = 0;
    for (unsigned round = 0; round < rounds; round++) {
        fill_cache(&third);
        own_misses += misses_of(loads_of_pattern, &own);
        const uint32_t now = lines_of(&own);
        if (most < now) most = now;
        held += now;
        foreign_misses += misses_of(loads_of_pattern, &others);
        left += lines_of(&own);
    }
    report_mean("own_misses", own_misses, rounds);
    report_mean("held_lines", held, rounds);
    report_mean("foreign_misses", foreign_misses, rounds);
    report_mean("left_lines", left, rounds);
    return most <= cache_lines ? 0 : 1;
}
