// SPDX-License-Identifier: MIT

#include "stdio.h"

#include "errno.h"
#include "internal.h"
#include "string.h"

struct symsim_file {
    char unused;
};
FILE symsim_console;

int vprintf(const char* format, va_list values) {
    return console_format(format, values);
}

int vfprintf(FILE* to, const char* format, va_list values) {
    (void)to;
    return console_format(format, values);
}

int fprintf(FILE* to, const char* format, ...) {
    va_list values;
    va_start(values, format);
    int length = vfprintf(to, format, values);
    va_end(values);
    return length;
}

int putchar(int byte) {
    char c = (char)byte;
    console_write(&c, 1);
    return (unsigned char)c;
}

int fputc(int byte, FILE* to) {
    (void)to;
    return putchar(byte);
}

int putc(int byte, FILE* to) {
    (void)to;
    return putchar(byte);
}

int puts(const char* text) {
    return printf("%s\n", text);
}

int fputs(const char* text, FILE* to) {
    (void)to;
    console_write(text, strlen(text));
    return 0;
}

size_t fwrite(const void* from, size_t bytes, size_t count, FILE* to) {
    (void)to;
    console_write(from, bytes * count);
    return count;
}

int fflush(FILE* to) {
    (void)to;
    return 0;
}

void perror(const char* text) {
    if (text != NULL && *text != '\0')
        printf("%s: %s\n", text, strerror(errno));
    else
        puts(strerror(errno));
}
