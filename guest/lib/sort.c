// SPDX-License-Identifier: MIT

#include "stdlib.h"

static void exchange(char* a, char* b, size_t bytes) {
    while (bytes-- != 0) {
        char byte = *a;
        *a++ = *b;
        *b++ = byte;
    }
}

// Moves the element at `root` down the heap of `count` elements until its children are not larger.
static void sink(char* base, size_t root, size_t count, size_t bytes, symsim_comparison* compare) {
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count) return;
        if (child + 1 < count && compare(base + child * bytes, base + (child + 1) * bytes) < 0)
            child++;
        if (compare(base + root * bytes, base + child * bytes) >= 0) return;
        exchange(base + root * bytes, base + child * bytes, bytes);
        root = child;
    }
}

// Heapsort (J. W. J. Williams, CACM 7, 1964): no quadratic worst case, extra memory or recursion.
void qsort(void* base, size_t count, size_t bytes, symsim_comparison* compare) {
    for (size_t root = count / 2; root-- != 0;) sink(base, root, count, bytes, compare);
    for (size_t last = count; last-- > 1;) {
        exchange(base, (char*)base + last * bytes, bytes);
        sink(base, 0, last, bytes, compare);
    }
}

void* bsearch(const void* key, const void* base, size_t count, size_t bytes,
              symsim_comparison* compare) {
    const char* from = base;
    while (count != 0) {
        const char* middle = from + count / 2 * bytes;
        int order = compare(key, middle);
        if (order == 0) return (void*)middle;
        if (order > 0) {
            from = middle + bytes;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return NULL;
}
