// SPDX-License-Identifier: MIT

// Variants of printf that write into memory.

#include <stdarg.h>

#include "internal.h"
#include "stdio.h"

struct buffer {
    char* next;
    char* last;  // reserved for the NUL
};

static void put_buffer(void* to, char byte) {
    struct buffer* buffer = to;
    if (buffer->next < buffer->last) *buffer->next++ = byte;
}

static void put_nowhere(void* to, char byte) {
    (void)to;
    (void)byte;
}

int vsnprintf(char* to, size_t size, const char* format, va_list values) {
    if (size == 0) return format_text(put_nowhere, NULL, format, values);
    struct buffer buffer = {to, to + size - 1};
    int length = format_text(put_buffer, &buffer, format, values);
    *buffer.next = '\0';
    return length;
}

int snprintf(char* to, size_t size, const char* format, ...) {
    va_list values;
    va_start(values, format);
    int length = vsnprintf(to, size, format, values);
    va_end(values);
    return length;
}

static void put_memory(void* to, char byte) {
    char** next = to;
    *(*next)++ = byte;
}

int vsprintf(char* to, const char* format, va_list values) {
    int length = format_text(put_memory, &to, format, values);
    *to = '\0';
    return length;
}

int sprintf(char* to, const char* format, ...) {
    va_list values;
    va_start(values, format);
    int length = vsprintf(to, format, values);
    va_end(values);
    return length;
}
