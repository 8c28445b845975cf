// SPDX-License-Identifier: MIT
//
// Memory: what mappings show after each change, and that pages come when they are used.

#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define ANYWHERE(bytes, rights) mmap(NULL, bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
#define BOTH (PROT_READ | PROT_WRITE)

static sigjmp_buf out;
static volatile char* address;

static void fault(int signal, siginfo_t* information, void* unused) {
    (void)unused;
    printf(" (signal %d, code %d, right place %d)", signal, information->si_code,
           information->si_addr == address);
    siglongjmp(out, 1);
}

static void look(const char* what, volatile char* at) {
    address = at;
    printf("%s:", what);
    if (sigsetjmp(out, 1) == 0) printf(" %d", *at);
    if (sigsetjmp(out, 1) == 0) {
        *at = *at + 1;
        printf(" written");
    }
    puts("");
}

int main(void) {
    struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);

    char* five = ANYWHERE(5 * PAGE, BOTH);
    memset(five, 1, 5 * PAGE);
    munmap(five + 2 * PAGE, PAGE);
    look("before the hole", five + 2 * PAGE - 1);
    look("in the hole", five + 2 * PAGE);
    look("after the hole", five + 3 * PAGE);
    mprotect(five, PAGE, PROT_READ);
    look("read only", five);
    mprotect(five, PAGE, PROT_NONE);
    look("closed", five + 7);
    mprotect(five, PAGE, BOTH);
    look("open again", five + 7);
    printf("over a hole: %d\n", mprotect(five, 5 * PAGE, PROT_READ));
    mprotect(five, 2 * PAGE, BOTH);
    madvise(five, PAGE, MADV_DONTNEED);
    look("not needed", five);
    munmap(five, 5 * PAGE);
    look("all gone", five);
    look("null", (char*)8);

    char* reserved = ANYWHERE(400 << 20, PROT_NONE);
    char* fixed = mmap(reserved + (100 << 20), 2 * PAGE, BOTH,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    printf("fixed %d\n", fixed == reserved + (100 << 20));
    look("fixed", fixed);
    look("reserved", reserved);
    fixed[0] = 77;
    mmap(fixed, PAGE, BOTH, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    look("fixed again", fixed);

    char* small = ANYWHERE(2 * PAGE, BOTH);
    for (int i = 0; i < 2 * PAGE; i++) small[i] = (char)(i / 100);
    char* grown = mremap(small, 2 * PAGE, 50 * PAGE, MREMAP_MAYMOVE);
    int differs = 0;
    for (int i = 0; i < 2 * PAGE; i++) differs += grown[i] != (char)(i / 100);
    printf("grown %d %d\n", differs, grown[49 * PAGE]);
    char* shrunk = mremap(grown, 50 * PAGE, PAGE, 0);
    printf("shrunk %d\n", shrunk == grown);
    look("what is left", shrunk + 5);
    look("what is not", shrunk + PAGE);

    char* end = sbrk(0);
    printf("break %d\n", sbrk(100000) == end);
    memset(end, 3, 100000);
    sbrk(-90000);
    printf("break %d\n", (char*)sbrk(0) == end + 10000);
    look("below the break", end + 9999);
    look("above the break", end + 99999);

    long sum = 0;
    for (int i = 0; i < 2000; i++) {  // more than the machine has, in turn
        char* block = malloc(100000);
        block[0] = block[99999] = 1;
        sum += block[0] + block[99999];
        free(block);
    }
    char* blocks[50];
    for (int i = 0; i < 50; i++) memset(blocks[i] = malloc(1 << i % 17), i, 1 << i % 17);
    for (int i = 0; i < 50; i++) sum += blocks[i][(1 << i % 17) - 1];
    printf("sum %ld\n", sum);
    fflush(stdout);
    return 0;
}
