// SPDX-License-Identifier: MIT

// Five sorts and the library's, compared on numbers in several initial orders; bsearch.

#include <string.h>

#include "check.h"

#define COUNT 300

typedef void sort(int* numbers, int count);

static void exchange(int* a, int* b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static void insertion_sort(int* n, int count) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && n[j - 1] > n[j]; j--) exchange(&n[j - 1], &n[j]);
}

static void shell_sort(int* n, int count) {
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; i++)
            for (int j = i; j >= gap && n[j - gap] > n[j]; j -= gap) exchange(&n[j - gap], &n[j]);
}

static void quick_sort(int* n, int count) {
    if (count < 2) return;
    int pivot = n[count / 2], i = 0, j = count - 1;
    while (i <= j) {
        while (n[i] < pivot) i++;
        while (n[j] > pivot) j--;
        if (i <= j) exchange(&n[i++], &n[j--]);
    }
    quick_sort(n, j + 1);
    quick_sort(n + i, count - i);
}

static void heap_sort(int* n, int count) {
    for (int begin = count / 2, end = count; end > 1;) {
        if (begin > 0)
            begin--;
        else
            exchange(&n[0], &n[--end]);
        for (int root = begin, child; (child = 2 * root + 1) < end; root = child) {
            if (child + 1 < end && n[child] < n[child + 1]) child++;
            if (n[root] >= n[child]) break;
            exchange(&n[root], &n[child]);
        }
    }
}

static void merge_sort(int* n, int count) {
    static int merged[COUNT];
    if (count < 2) return;
    int half = count / 2, a = 0, b = half;
    merge_sort(n, half);
    merge_sort(n + half, count - half);
    for (int i = 0; i < count; i++)
        merged[i] = b == count || (a < half && n[a] <= n[b]) ? n[a++] : n[b++];
    memcpy(n, merged, (size_t)count * sizeof *n);
}

static int compare(const void* a, const void* b) {
    int x = *(const int*)a, y = *(const int*)b;
    return (x > y) - (x < y);
}

static void library_sort(int* n, int count) {
    qsort(n, (size_t)count, sizeof *n, compare);
}

// Elements of unusual sizes, sorted by their last byte.
static int compare_last(const void* a, const void* b) {
    return ((const unsigned char*)a)[6] - ((const unsigned char*)b)[6];
}

static void sort_odd_elements(void) {
    unsigned char elements[50][7];
    unsigned sum = 0, sum_sorted = 0;
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 7; j++) sum += elements[i][j] = (unsigned char)random_word();
    qsort(elements, 50, 7, compare_last);
    for (int i = 0; i < 50; i++) {
        if (i > 0) REQUIRE(elements[i - 1][6] <= elements[i][6]);
        for (int j = 0; j < 7; j++) sum_sorted += elements[i][j];
    }
    REQUIRE(sum == sum_sorted);
    mix(sum);
}

static void fill(int* n, int order) {
    for (int i = 0; i < COUNT; i++) switch (order) {
            case 0:
                n[i] = (int)random_word();
                break;
            case 1:
                n[i] = i;
                break;
            case 2:
                n[i] = -i;
                break;
            default:
                n[i] = (int)(random_word() % 10);
                break;
        }
}

int main(void) {
    static sort* const sorts[] = {insertion_sort, shell_sort, quick_sort,
                                  heap_sort,      merge_sort, library_sort};
    static int original[COUNT], first[COUNT], numbers[COUNT];
    for (int order = 0; order < 4; order++) {
        fill(original, order);
        for (unsigned s = 0; s < sizeof sorts / sizeof *sorts; s++) {
            memcpy(numbers, original, sizeof numbers);
            sorts[s](numbers, COUNT);
            for (int i = 1; i < COUNT; i++) REQUIRE(numbers[i - 1] <= numbers[i]);
            if (s == 0) memcpy(first, numbers, sizeof first);
            REQUIRE(memcmp(first, numbers, sizeof first) == 0);
        }
        for (int i = 0; i < COUNT; i++) {
            int* found = bsearch(&original[i], numbers, COUNT, sizeof *numbers, compare);
            REQUIRE(found != NULL && *found == original[i]);
            mix((uint32_t)numbers[i]);
        }
        int absent = 0x7FFFFFF7;
        REQUIRE(bsearch(&absent, numbers, COUNT, sizeof *numbers, compare) == NULL);
    }
    sort_odd_elements();
    return finish("sorting");
}
