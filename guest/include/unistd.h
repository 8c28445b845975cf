// SPDX-License-Identifier: MIT
#pragma once

// The part of unistd.h that makes sense without files and processes.

#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

// To the console if `file` is 1 or 2; otherwise returns -1 and sets errno to EBADF.
ssize_t write(int file, const void* from, size_t bytes);

// Reads standard input, the file that guest.stdin of the config names. Returns how many bytes it
// read, 0 at the end of the file. `file` other than 0: returns -1 and sets errno to EBADF.
ssize_t read(int file, void* to, size_t bytes);

// Return 0 when the simulated time has passed. A thread of pthread.h lets other threads run
// meanwhile; otherwise the processor does nothing else.
unsigned sleep(unsigned seconds);
int usleep(useconds_t microseconds);

#define _SC_CLK_TCK 2  // 100: the unit of sys/times.h is 10 ms
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE _SC_PAGESIZE
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
long sysconf(int name);  // another name: returns -1 and sets errno to EINVAL

pid_t getpid(void);  // 1
_Noreturn void _exit(int status);
