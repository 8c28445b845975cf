// SPDX-License-Identifier: MIT

// lib/console.c for programs of processes and of spaces: text goes to the devices by system calls,
// or directly if it is the kernel of processes that prints. exit() ends the run, in every process;
// or the space.

#include <stdarg.h>

#include "descriptors.h"
#include "kernel/shared/kernel.h"
#include "kernel/system_call.h"
#include "lib/internal.h"
#include "symsim.h"
#include "user.h"

// The text of one call. Up to WRITE_MOST it is written at once, not interleaved with others'.
struct text {
    uintptr_t device;
    unsigned bytes;
    char byte[WRITE_MOST];
};

static void flush(struct text* text) {
    if (in_kernel())
        device_write(text->device, text->byte, text->bytes);
    else
        system_call(CALL_WRITE, text->device, (uintptr_t)text->byte, text->bytes);
    text->bytes = 0;
}

static void put(void* to, char byte) {
    struct text* text = to;
    if (text->bytes == WRITE_MOST) flush(text);
    text->byte[text->bytes++] = byte;
}

static int print_to(uintptr_t device, const char* format, va_list values) {
    struct text text;
    text.device = device;
    text.bytes = 0;
    int length = format_text(put, &text, format, values);
    flush(&text);
    return length;
}

int printf(const char* format, ...) {
    va_list values;
    va_start(values, format);
    int length = print_to(CONSOLE_BYTE, format, values);
    va_end(values);
    return length;
}

int console_format(const char* format, va_list values) {
    return print_to(CONSOLE_BYTE, format, values);
}

void console_write(const char* bytes, size_t count) {
    struct text text;
    text.device = CONSOLE_BYTE;
    text.bytes = 0;
    for (size_t i = 0; i < count; i++) put(&text, bytes[i]);
    flush(&text);
}

#include "lib/report.h"  // with print_to

_Noreturn void exit(int status) {
    for (;;) {
        if (in_kernel())
            *(volatile int*)POWER_OFF = status;
        else
            system_call(CALL_STOP, (uint32_t)status, 0, 0);
    }
}

__attribute__((format(printf, 2, 3))) static void add(struct text* text, const char* format, ...) {
    va_list values;
    va_start(values, format);
    format_text(put, text, format, values);
    va_end(values);
}

_Noreturn void panic(const char* format, ...) {
    struct text text = {.device = CONSOLE_BYTE};
    if (in_kernel())
        add(&text, "panic of the kernel on processor %u: ", processor());
    else
        add(&text, "panic in " SELF_KIND " %d on processor %u: ", self_number(), processor());
    va_list values;
    va_start(values, format);
    format_text(put, &text, format, values);
    va_end(values);
    put(&text, '\n');
    flush(&text);
    exit(1);
}
