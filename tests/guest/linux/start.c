// SPDX-License-Identifier: MIT
//
// What a program finds at its start: arguments, environment, auxiliary vector, variables, the
// state of the 80387, and a machine that was not just switched on.

#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

static char zeros[100000];
static int set = 42;
static __thread int mine = 7, none;

int main(int count, char** arguments) {
    unsigned short control;
    struct timespec age;
    clock_gettime(CLOCK_MONOTONIC, &age);
    for (int i = 1; i < count; i++) printf("%d %s\n", i, arguments[i]);
    printf("%s %s\n", getenv("NAME"), getenv("OTHER") == NULL ? "none" : "some");
    printf("page %lu entry %d random %d secure %lu headers %d\n", getauxval(AT_PAGESZ),
           getauxval(AT_ENTRY) != 0, getauxval(AT_RANDOM) != 0, getauxval(AT_SECURE),
           getauxval(AT_PHDR) != 0 && getauxval(AT_PHNUM) > 0);
    for (unsigned i = 0; i < sizeof zeros; i++)
        if (zeros[i] != 0) puts("not zero");
    __asm__ volatile("fnstcw %0" : "=m"(control));
    printf("%d %d %d %x %g\n", set, mine, none, control, 1.0 / 3);
    printf("%d %d\n", isatty(1), age.tv_sec > 0);
    fflush(stdout);
    return 200;
}
