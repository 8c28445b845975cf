// SPDX-License-Identifier: MIT
#pragma once

// Output to the console; there are no files. The text of one call is not interleaved with others'.

#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)

// stdout and stderr are both the console.
typedef struct symsim_console FILE;
extern FILE symsim_console;
#define stdout (&symsim_console)
#define stderr (&symsim_console)

__attribute__((format(printf, 1, 2))) int printf(const char* format, ...);
__attribute__((format(printf, 2, 3))) int fprintf(FILE* to, const char* format, ...);
__attribute__((format(printf, 2, 3))) int sprintf(char* to, const char* format, ...);
__attribute__((format(printf, 3, 4))) int snprintf(char* to, size_t size, const char* format, ...);
__attribute__((format(printf, 1, 0))) int vprintf(const char* format, va_list values);
__attribute__((format(printf, 2, 0))) int vfprintf(FILE* to, const char* format, va_list values);
__attribute__((format(printf, 2, 0))) int vsprintf(char* to, const char* format, va_list values);
__attribute__((format(printf, 3, 0))) int vsnprintf(char* to, size_t size, const char* format,
                                                    va_list values);

int putchar(int byte);
int puts(const char* text);
int fputc(int byte, FILE* to);
int putc(int byte, FILE* to);
int fputs(const char* text, FILE* to);
size_t fwrite(const void* from, size_t bytes, size_t count, FILE* to);
int fflush(FILE* to);  // does nothing: no output is buffered
void perror(const char* text);

// Including this file links printf's floating-point conversions: format.c refers to them weakly.
__asm__(".globl format_float");
