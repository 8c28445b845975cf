// SPDX-License-Identifier: MIT

// Console, results and power-off. Each byte is a bus transaction: not for timed code.

#include "cpu.h"
#include "internal.h"
#include "symsim.h"

// Taken by one processor at a time, so that the text of one call is not interleaved.
static struct { LINE_ALIGNED volatile unsigned char byte; } devices_taken;

static void put_device(void* to, char byte) {
    *(volatile char*)to = byte;
}

static int print_to(uintptr_t device, const char* format, va_list values) {
    take_turn(&devices_taken.byte);
    int length = format_text(put_device, (void*)device, format, values);
    give_turn_back(&devices_taken.byte);
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

void console_write(const char* text, size_t bytes) {
    take_turn(&devices_taken.byte);
    while (bytes-- != 0) put_device((void*)CONSOLE_BYTE, *text++);
    give_turn_back(&devices_taken.byte);
}

#include "report.h"  // with print_to

_Noreturn void exit(int status) {
    *(volatile int*)POWER_OFF = status;
    for (;;) {  // the store stops the machine; the loop is for the compiler
    }
}

// Only the first processor that panics prints. It does not take devices_taken, because the
// processor that has taken it may be the one that panics.
_Noreturn void panic(const char* format, ...) {
    static struct { LINE_ALIGNED volatile unsigned char byte; } panicking;
    while (exchange_byte(&panicking.byte, 1) != 0) {  // until the machine stops
    }
    static const char head[] = "panic on processor ";
    for (const char* c = head; *c != '\0'; c++) put_device((void*)CONSOLE_BYTE, *c);
    unsigned number = this_cpu()->number;
    if (number >= 10) put_device((void*)CONSOLE_BYTE, (char)('0' + number / 10));
    put_device((void*)CONSOLE_BYTE, (char)('0' + number % 10));
    put_device((void*)CONSOLE_BYTE, ':');
    put_device((void*)CONSOLE_BYTE, ' ');
    va_list values;
    va_start(values, format);
    format_text(put_device, (void*)CONSOLE_BYTE, format, values);
    va_end(values);
    put_device((void*)CONSOLE_BYTE, '\n');
    exit(1);
}
