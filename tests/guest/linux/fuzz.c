// SPDX-License-Identifier: MIT
//
// Any system calls, with any arguments, in any order: fuzz SEED CALLS ROUNDS. In each round some
// children with threads make CALLS calls each, then all processes but the first one are killed.
// It passes if they end, and if the kernel has as much memory after the last round as after the
// middle one. Nothing here relies on the C library while calls are made: they change its memory.

#define _GNU_SOURCE
#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FIRST_PROCESS 100
#define CHILDREN 3
#define THREADS 2  // and the first one of each child
#define ARENA_PAGES 4
#define ARENA_BYTES (ARENA_PAGES * 4096)
#define STACK_BYTES 8192
#define ROUND_US 400000  // a child that sleeps longer is killed

static char* arena;
static char* stacks;
static uint32_t words[64];  // numbers of processes and threads, and what the arena is filled with
static unsigned calls_most;
static volatile unsigned* made;  // calls, by all processes

static long call6(long number, long a, long b, long c, long d, long e, long f) {
    const long six[] = {number, a, b, c, d, e, f};
    long result;
    __asm__ volatile(
        "push %%ebp; push %%ebx; push %%esi; push %%edi\n\t"
        "mov 4(%%eax), %%ebx; mov 8(%%eax), %%ecx; mov 12(%%eax), %%edx\n\t"
        "mov 16(%%eax), %%esi; mov 20(%%eax), %%edi; mov 24(%%eax), %%ebp\n\t"
        "mov (%%eax), %%eax; int $0x80\n\t"
        "pop %%edi; pop %%esi; pop %%ebx; pop %%ebp"
        : "=a"(result)
        : "a"(six)
        : "ecx", "edx", "memory");
    return result;
}
#define CALL(number, ...) CALL_OF(number, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define CALL_OF(number, a, b, c, d, e, f, ...) \
    call6(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

static uint32_t next(uint32_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void handler(int signal) {
    (void)signal;
}

// A thread that finds the arena gone, or closed, gets it back; others with a fault end.
static void map_arena(void) {
    CALL(192, arena, ARENA_BYTES, PROT_READ | PROT_WRITE, 0x32, -1, 0);
}
static void fault_handler(int signal, siginfo_t* information, void* unused) {
    const char* at = information->si_addr;
    (void)signal, (void)unused;
    if (at < arena || at >= arena + ARENA_BYTES) CALL(1, 0);
    map_arena();
}

// What has a meaning for some call: times, small numbers, addresses, names, handlers.
static uint32_t word(uint32_t* state) {
    const uint32_t which = next(state) % 16;
    switch (which) {
        case 0:
        case 1:
        case 2:
            return next(state) % 20;
        case 3:
            return next(state) % 2000000;
        case 4:
            return (uint32_t)(uintptr_t)arena + next(state) % ARENA_BYTES;
        case 5:
            return (uint32_t)(uintptr_t)handler;
        case 6:
            return 1u << next(state) % 32;
        case 7:
            return words[next(state) % 64];
        case 8:
            return next(state);
        default:
            return 0;
    }
}

static const char* const names[] = {"/tmp/a",    "/tmp/b",          "/tmp",     "/",
                                    "",          "/proc/self/maps", ".",        "/proc/self/exe",
                                    "/dev/null", "../tmp/a",        "/tmp/a/b", "fuzz"};

static uint32_t argument(uint32_t* state) {
    const uintptr_t page = (uintptr_t)arena + next(state) % ARENA_PAGES * 4096;
    switch (next(state) % 18) {
        case 0:
        case 1:
        case 2:
            return next(state) % 16;
        case 3:
            return 1u << next(state) % 32;
        case 4:
        case 5:
        case 6:
        case 7:
            return page + next(state) % 1024 * 4;
        case 8:
            return page + 4096 - next(state) % 16;
        case 9:
            return page;
        case 10:
            return next(state) % 20000;
        case 11:
            return (uint32_t)(uintptr_t)names[next(state) % (sizeof names / sizeof names[0])];
        case 12: {
            static const uint32_t hostile[] = {0xc8000000, 0x1000,     0xffffffff, 0xfffffffc,
                                               0x80000000, 0x7fffffff, 0xbfffffff, 0xc0000000,
                                               0x08000000, 0x07ffffff, 0xcc002000, 0xfffff000};
            return hostile[next(state) % 12];
        }
        case 13:
            return next(state);
        case 14:
            return words[next(state) % 64];
        case 15:
            return 0;
        default:
            return word(state);
    }
}

static int is_mine(uint32_t id) {
    for (int i = 0; i < 8; i++)
        if (id != 0 && words[i] == id) return 1;
    return 0;
}

static void work(uint32_t* state, unsigned calls);

// Calls that end a thread, or the test, are rare or never made.
static int is_wanted(uint32_t* state, uint32_t number, const uint32_t* a) {
    switch (number) {
        case 1:    // exit
        case 252:  // exit_group
        case 119:  // sigreturn
        case 173:  // rt_sigreturn
        case 11:   // execve
            return next(state) % 64 == 0;
        case 174:  // rt_sigaction: not of the handler that keeps the program alive
            return a[0] != SIGSEGV;
        case 29:   // pause
        case 179:  // rt_sigsuspend
            return next(state) % 8 == 0;
        case 37:   // kill
        case 238:  // tkill
        case 270:  // tgkill
        case 178:  // rt_sigqueueinfo
        case 335:  // rt_tgsigqueueinfo
            return is_mine(a[0]) && (number != 37 || a[1] != SIGKILL || next(state) % 8 == 0);
        case 2:    // fork
        case 120:  // clone
        case 190:  // vfork
            return next(state) % 8 == 0;
        default:
            return 1;
    }
}

static void thread_begins(uint32_t seed) {
    uint32_t state = seed | 1;
    words[seed % 4 + 2] = (uint32_t)CALL(224, 0);  // gettid
    work(&state, calls_most);
    for (;;) CALL(1, 0);
}

// clone() with a stack of its own, on which thread_begins() runs.
static void start_thread(uint32_t flags, char* stack, uint32_t seed) {
    uint32_t* top = (uint32_t*)(stack + STACK_BYTES) - 8;
    top[0] = 0;
    top[1] = seed;
    top[-1] = (uint32_t)(uintptr_t)thread_begins;
    __asm__ volatile(
        "int $0x80\n\t"
        "test %%eax, %%eax\n\t"
        "jnz 1f\n\t"
        "ret\n"
        "1:"
        :
        : "a"(120), "b"(flags), "c"(top - 1), "d"(arena), "S"(0), "D"(arena + 64)
        : "memory");
}

static void step(uint32_t* state, unsigned depth) {
    static const uint16_t common[] = {
        3,   4,   6,   41,  42,  45,  54,  90,  91,  102, 125, 140, 145, 146, 162, 163, 168, 174,
        175, 177, 192, 219, 221, 240, 254, 255, 256, 259, 260, 263, 265, 267, 295, 308, 309, 319,
        323, 328, 329, 330, 331, 340, 383, 104, 114, 284, 37,  270, 178, 335, 5,   19};
    uint32_t number = common[next(state) % (sizeof common / sizeof common[0])];
    if (next(state) % 2) number = next(state) % 450;
    uint32_t a[6];
    for (int i = 0; i < 6; i++) a[i] = argument(state);
    if (next(state) % 4 == 0)
        *(uint32_t*)(arena + next(state) % (ARENA_BYTES / 4) * 4) = word(state);
    if (!is_wanted(state, number, a)) return;
    if (number == 2 || number == 120 || number == 190) {
        static const uint32_t kinds[] = {17, 0x1200011, 0x3d0f00, 0x4111, 0x1d0f00, 0x10f00};
        const uint32_t flags = kinds[next(state) % 6];
        if (flags & 0x100)  // the same memory
            start_thread(flags, stacks + (next(state) % 16 + 8) * STACK_BYTES, next(state));
        else if (depth < 2 && CALL(120, flags, 0, arena, 0, arena + 64) == 0) {
            for (unsigned i = 0; i < calls_most / 4; i++) step(state, depth + 1);
            for (;;) CALL(252, 0);
        }
        return;
    }
    // The code and the stacks stay: else the program ends before long.
    if (number == 91 || number == 125 || number == 192 || number == 163 || number == 219) {
        a[0] = (uint32_t)(uintptr_t)arena + a[0] % ARENA_BYTES;
        if (next(state) % 4) a[0] &= ~4095u;
        if (number != 192 || next(state) % 4) a[1] = a[1] % (3 * 4096);
    }
    __asm__ volatile("lock incl %0" : "+m"(*made));
    call6((long)number, (long)a[0], (long)a[1], (long)a[2], (long)a[3], (long)a[4], (long)a[5]);
    if (next(state) % 8 == 0) map_arena();
}

static void work(uint32_t* state, unsigned calls) {
    for (unsigned i = 0; i < calls; i++) step(state, 0);
}

// Signals that interrupt what sleeps, again and again; a fault ends the process.
static void child(uint32_t seed) {
    const struct timeval period[2] = {{0, 15000}, {0, 15000}};
    uint32_t state = seed | 1;
    words[0] = words[1] = (uint32_t)CALL(20, 0);
    CALL(57, 0, 0);  // setpgid: kill(0) is for this child's processes
    for (int i = 8; i < 64; i++) words[i] = word(&state);
    for (int i = 0; i < ARENA_BYTES / 4; i += 3) ((uint32_t*)arena)[i] = word(&state);
    const uint32_t action[5] = {(uint32_t)(uintptr_t)handler, 0, 0, 0, 0};
    const int handled[] = {SIGALRM, SIGUSR1, 32};
    for (int i = 0; i < 3; i++) CALL(174, handled[i], action, 0, 8);
    const uint32_t fault_action[5] = {(uint32_t)(uintptr_t)fault_handler, SA_SIGINFO | SA_NODEFER};
    CALL(174, SIGSEGV, fault_action, 0, 8);
    CALL(104, 0, period, 0);
    for (int i = 0; i < THREADS; i++)
        start_thread(0x3d0f00 & ~0x80000u, stacks + i * STACK_BYTES, next(&state));
    work(&state, calls_most);
    CALL(252, 0);
}

static unsigned free_pages(void) {
    struct sysinfo info;
    sysinfo(&info);
    return info.freeram / 4096;
}

static void round_of(uint32_t seed) {
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) child(seed * 31 + (uint32_t)i * 7919);
    int left = CHILDREN;
    for (int us = 0; us < ROUND_US && left > 0; us += 5000) {
        usleep(5000);
        while (waitpid(-1, NULL, WNOHANG) > 0) left--;
    }
    while (kill(-1, SIGKILL) == 0) usleep(1000);
    while (wait(NULL) > 0) {
    }
    usleep(20000);  // the last ones without a parent leave their memory
}

int main(int count, char** arguments) {
    const uint32_t seed = count > 1 ? (uint32_t)atoi(arguments[1]) : 1;
    calls_most = count > 2 ? (unsigned)atoi(arguments[2]) : 100;
    const int rounds = count > 3 ? atoi(arguments[3]) : 2;
    arena = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stacks =
        mmap(NULL, 24 * STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (getpid() != FIRST_PROCESS) return 0;  // by execve
    made = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned middle = 0, last = 0;
    for (int i = 0; i < rounds; i++) {
        round_of(seed * 1000 + (uint32_t)i);
        unlink("/tmp/a"), unlink("/tmp/b");
        last = free_pages();
        if (i == rounds / 2) middle = last;
        printf("round %d: %u calls, %u pages are free\n", i, *made, last);
        fflush(stdout);
    }
    printf("no process is left: %d\n", kill(-1, 0) != 0 && wait(NULL) < 0);
    printf("memory is left: %d\n", last + 8 >= middle);
    return 0;
}
