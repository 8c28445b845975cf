// SPDX-License-Identifier: MIT
#pragma once

// Output to the console, and input from it: the file that guest.stdin of the config names. There
// are no other files. The text of one call is not interleaved with others'.

#include <stdarg.h>
#include <stddef.h>

#define EOF (-1)

// stdout and stderr are both the console's output.
typedef struct symsim_file FILE;
extern FILE symsim_console, symsim_stdin;
#define stdin (&symsim_stdin)
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
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define BUFSIZ 1024
int setvbuf(FILE* file, char* buffer, int mode, size_t size);  // does nothing; returns 0
void setbuf(FILE* file, char* buffer);                         // does nothing
void perror(const char* text);

// Bytes are read ahead into a buffer, as usual: do not mix these with read() of unistd.h.
int getchar(void);
int getc(FILE* from);
int fgetc(FILE* from);
int ungetc(int byte, FILE* to);  // at least one byte, also before the first
char* fgets(char* to, int size, FILE* from);
size_t fread(void* to, size_t bytes, size_t count, FILE* from);
int feof(FILE* file);
int ferror(FILE* file);
void clearerr(FILE* file);

// Conversions d i u o x p, f e g a, s c [ n %, with *, width, and hh h l ll j z t L. A number has
// at most 1023 characters.
__attribute__((format(scanf, 1, 2))) int scanf(const char* format, ...);
__attribute__((format(scanf, 2, 3))) int fscanf(FILE* from, const char* format, ...);
__attribute__((format(scanf, 2, 3))) int sscanf(const char* from, const char* format, ...);
__attribute__((format(scanf, 1, 0))) int vscanf(const char* format, va_list values);
__attribute__((format(scanf, 2, 0))) int vfscanf(FILE* from, const char* format, va_list values);
__attribute__((format(scanf, 2, 0))) int vsscanf(const char* from, const char* format,
                                                 va_list values);

// Including this file links printf's floating-point conversions: format.c refers to them weakly.
__asm__(".globl symsim_format_float");
