// SPDX-License-Identifier: MIT

// Quicksort with threads, for every strategy. A part longer than the grain is split in two: one
// half gets a new thread, the creator continues with the other. The thread that has a shorter part
// sorts it alone.
//
// Arguments  count       random numbers to sort; default 20000
//            grain       parts up to this length get no new thread; default 400
// Results    elapsed_us  from the first split until all is sorted
//            threads     number created
// Checks     the result is sorted, and a permutation of the input: sums of two functions agree

#include "quicksort.h"
#include "stdlib.h"
#include "symsim.h"
#include "threads.h"

static unsigned grain;
static struct part all;
static uint32_t elapsed_us;

// Data shared by all threads.
static struct thread_mutex mutex = THREAD_MUTEX_INIT;
static unsigned threads, unsorted;
static struct thread_semaphore all_sorted = THREAD_SEMAPHORE_INIT(0);

// The argument is stored in the thread itself (thread_create_copy).
static void sort(void* argument) {
    struct part part = *(const struct part*)argument;
    unsigned made = 0;
    for (; length(part) > grain; made++) {
        struct part upper = split(&part);
        thread_create_copy(sort, &upper, sizeof upper);
    }
    sort_alone(part);

    thread_mutex_lock(&mutex);
    threads += made;
    unsorted -= length(part);
    bool last = unsorted == 0;
    thread_mutex_unlock(&mutex);
    if (last) thread_semaphore_post(&all_sorted);
}

static void first_thread(void* unused) {
    (void)unused;
    uint32_t start_us = clock_us();
    thread_create_copy(sort, &all, sizeof all);
    thread_semaphore_wait(&all_sorted);
    elapsed_us = clock_us() - start_us;
}

// Equal for any order of the same numbers, and most likely different for other numbers.
struct checksum {
    uint32_t sum;
    uint32_t of_squares;
};

static struct checksum checksum_of(struct part part) {
    struct checksum checksum = {0, 0};
    for (unsigned* number = part.first; number < part.end; number++) {
        checksum.sum += *number;
        checksum.of_squares += *number * *number;
    }
    return checksum;
}

static bool check(struct checksum before) {
    struct checksum after = checksum_of(all);
    if (after.sum != before.sum || after.of_squares != before.of_squares) {
        printf("these are not the numbers that were to be sorted\n");
        return false;
    }
    for (unsigned* number = all.first + 1; number < all.end; number++)
        if (number[-1] > number[0]) {
            printf("number %u is larger than the next\n", (unsigned)(number - 1 - all.first));
            return false;
        }
    return true;
}

int main(void) {
    unsigned count = arg_unsigned("count", 20000);
    grain = arg_unsigned("grain", 400);
    if (count == 0 || grain == 0) panic("count and grain must be at least 1");
    all.first = malloc(count * sizeof(unsigned));
    if (all.first == NULL) panic("no memory for %u numbers", count);
    all.end = all.first + count;
    for (unsigned* number = all.first; number < all.end; number++) *number = random_next();
    struct checksum before = checksum_of(all);

    threads = 1;
    unsorted = count;
    threads_run(first_thread, NULL);
    report("elapsed_us", elapsed_us);
    report("threads", threads);
    return check(before) ? 0 : 1;
}
