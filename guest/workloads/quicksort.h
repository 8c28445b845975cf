// SPDX-License-Identifier: MIT
#pragma once

// Quicksort of a part of an array, for programs that sort several parts in parallel.

// The numbers from `first` to before `end`.
struct part {
    unsigned *first, *end;
};

static unsigned length(struct part part) {
    return part.end - part.first;
}

// Hoare's partition: keeps the lower half in `part` and returns the upper half, which has no
// smaller number. If `part` has at least two numbers, neither half is empty.
static struct part split(struct part* part) {
    unsigned *low = part->first, *high = part->end - 1;
    unsigned pivot = part->first[(length(*part) - 1) / 2];
    for (;; low++, high--) {
        while (*low < pivot) low++;
        while (*high > pivot) high--;
        if (low >= high) break;
        unsigned swapped = *low;
        *low = *high;
        *high = swapped;
    }
    struct part upper = {high + 1, part->end};
    part->end = upper.first;
    return upper;
}

static void sort_alone(struct part part) {
    while (length(part) > 1) {
        struct part upper = split(&part);
        sort_alone(upper);
    }
}
