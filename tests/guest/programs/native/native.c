// SPDX-License-Identifier: MIT

// Replaces the simulated machine by the host: implements the functions of guest/lib/console.c,
// processors.c and heap.c by Linux system calls instead of devices. So the object files of a guest
// program run on the host's processor unchanged, and no 32-bit library is needed.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/internal.h"
#include "symsim.h"

int main(int, char**);
_Noreturn void native_main(void);

// Numbers of i386 Linux (arch/x86/entry/syscalls/syscall_32.tbl).
#define SYSTEM_EXIT 1
#define SYSTEM_READ 3
#define SYSTEM_WRITE 4

static int system_call(int number, uintptr_t a, uintptr_t b, uintptr_t c) {
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "0"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}

static char held_back[4096];
static size_t held_back_bytes;

static void write_out(void) {
    size_t written = 0;
    while (written < held_back_bytes) {
        int bytes =
            system_call(SYSTEM_WRITE, 1, (uintptr_t)held_back + written, held_back_bytes - written);
        if (bytes <= 0) system_call(SYSTEM_EXIT, 6, 0, 0);
        written += (size_t)bytes;
    }
    held_back_bytes = 0;
}

static void put_byte(void* unused, char byte) {
    (void)unused;
    held_back[held_back_bytes++] = byte;
    if (held_back_bytes == sizeof held_back) write_out();
}

int console_format(const char* format, va_list values) {
    return format_text(put_byte, NULL, format, values);
}

void console_write(const char* text, size_t bytes) {
    while (bytes-- != 0) put_byte(NULL, *text++);
}

size_t console_read(char* to, size_t bytes) {
    size_t got = 0;
    while (got < bytes) {
        int more = system_call(SYSTEM_READ, 0, (uintptr_t)to + got, bytes - got);
        if (more <= 0) break;
        got += (size_t)more;
    }
    return got;
}

int printf(const char* format, ...) {
    va_list values;
    va_start(values, format);
    int length = console_format(format, values);
    va_end(values);
    return length;
}

_Noreturn void exit(int status) {
    write_out();
    for (;;) system_call(SYSTEM_EXIT, (uintptr_t)status, 0, 0);
}

_Noreturn void panic(const char* format, ...) {
    va_list values;
    va_start(values, format);
    console_format(format, values);
    va_end(values);
    put_byte(NULL, '\n');
    exit(1);
}

uint32_t clock_us(void) {
    return 0;
}

// As large as the heap of a guest on the smallest machine.
struct heap heap_bounds(void) {
    static char memory[1 << 20] __attribute__((aligned(16)));
    return (struct heap){memory, memory + sizeof memory};
}

_Noreturn void native_main(void) {
    static char* arguments[] = {"symsim", NULL};
    exit(main(1, arguments));
}
