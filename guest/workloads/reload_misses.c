// SPDX-License-Identifier: MIT

// How many misses it takes until a thread has its footprint in a direct-mapped cache again
// (Steckermeier & Bellosa 1995, Equation 10, claims MTH-21 and MTH-22). The thread and the others
// are two regions of memory that one processor loads from at random (regions.h). A round:
//
//   clear    a third region fills the cache: the thread has no line
//   run      the thread loads until it has `footprint` lines
//   stopped  the others load until it has `left` lines, then cause `foreign` misses more
//   reload   the thread loads until it has `footprint` lines again; its misses are counted
//
// Arguments   footprint     default 500
//             left          default footprint
//             foreign       default 100
//             rounds        default 16
//             cache_lines, line_bytes   of the machine's cache; default 2048 lines of 32 bytes
// Results     reload_misses   mean of a round
//             remaining_lines   of the thread before it reloads, mean of a round
// Checks      footprint and left are less than the cache has, left is not more than footprint

#include "regions.h"

static unsigned footprint;

static uint32_t misses_to_footprint(struct region* own) {
    const uint32_t before = monitor_cache_misses();
    while (lines_of(own) < footprint) load_random(own);
    return monitor_cache_misses() - before;
}

int main(void) {
    footprint = arg_unsigned("footprint", 500);
    const unsigned left = arg_unsigned("left", footprint);
    const unsigned foreign = arg_unsigned("foreign", 100);
    const unsigned rounds = arg_unsigned("rounds", 16);
    cache_arguments();
    if (footprint >= cache_lines || left > footprint || rounds == 0)
        panic("footprint must be less than cache_lines, left not more, rounds at least 1");
    struct region own = new_region(TAGS), others = new_region(TAGS), third = new_region(1);
    uint64_t reload = 0, remaining = 0;
    for (unsigned round = 0; round < rounds; round++) {
        fill_cache(&third);
        misses_to_footprint(&own);
        while (lines_of(&own) > left) load_random(&others);
        const uint32_t stopped = monitor_cache_misses();
        while (monitor_cache_misses() - stopped < foreign) load_random(&others);
        remaining += lines_of(&own);
        reload += misses_to_footprint(&own);
    }
    report_thousandths("reload_misses", (int64_t)(reload * 1000 / rounds));
    report_thousandths("remaining_lines", (int64_t)(remaining * 1000 / rounds));
    return 0;
}
