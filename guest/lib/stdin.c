// SPDX-License-Identifier: MIT

// The input functions of stdio.h. stdout and stderr are no input: reading them is an error.

#include <stdbool.h>

#include "internal.h"
#include "scan.h"
#include "stdio.h"

#define BUFFER_BYTES 256

struct symsim_file {
    bool ended;
    size_t next, end;  // bytes[next] to bytes[end - 1] are read and not taken yet
    // The first byte is for ungetc when the others are full.
    unsigned char bytes[1 + BUFFER_BYTES];
};
FILE symsim_stdin = {.next = 1, .end = 1};
static bool output_was_read;  // the error of stdout and stderr

static struct { LINE_ALIGNED volatile unsigned char byte; } stdin_taken;

static bool is_input(FILE* file) {
    if (file == stdin) return true;
    output_was_read = true;
    return false;
}

static int take(void) {
    FILE* file = stdin;
    if (file->next == file->end) {
        file->next = 1;
        file->end = 1 + console_read((char*)file->bytes + 1, BUFFER_BYTES);
        if (file->end == 1) {
            file->ended = true;
            return EOF;
        }
    }
    return file->bytes[file->next++];
}

static int give_back(int byte) {
    FILE* file = stdin;
    if (byte == EOF || file->next == 0) return EOF;
    file->bytes[--file->next] = (unsigned char)byte;
    file->ended = false;
    return (unsigned char)byte;
}

int fgetc(FILE* from) {
    if (!is_input(from)) return EOF;
    take_turn(&stdin_taken.byte);
    int byte = take();
    give_turn_back(&stdin_taken.byte);
    return byte;
}

int getc(FILE* from) {
    return fgetc(from);
}

int getchar(void) {
    return fgetc(stdin);
}

int ungetc(int byte, FILE* to) {
    if (to != stdin) return EOF;
    take_turn(&stdin_taken.byte);
    byte = give_back(byte);
    give_turn_back(&stdin_taken.byte);
    return byte;
}

char* fgets(char* to, int size, FILE* from) {
    if (size <= 0 || !is_input(from)) return NULL;
    take_turn(&stdin_taken.byte);
    int length = 0, byte = 0;
    while (length < size - 1 && byte != '\n' && (byte = take()) != EOF) to[length++] = (char)byte;
    give_turn_back(&stdin_taken.byte);
    to[length] = '\0';
    return length == 0 && size > 1 ? NULL : to;
}

size_t fread(void* to, size_t bytes, size_t count, FILE* from) {
    if (bytes == 0 || !is_input(from)) return 0;
    take_turn(&stdin_taken.byte);
    size_t length = 0;
    for (int byte; length < bytes * count && (byte = take()) != EOF; length++)
        ((char*)to)[length] = (char)byte;
    give_turn_back(&stdin_taken.byte);
    return length / bytes;
}

int feof(FILE* file) {
    return file == stdin && file->ended;
}

int ferror(FILE* file) {
    return file != stdin && output_was_read;
}

void clearerr(FILE* file) {
    if (file == stdin)
        file->ended = false;
    else
        output_was_read = false;
}

static int take_from_stdin(void* unused) {
    (void)unused;
    return take();
}

int vfscanf(FILE* from, const char* format, va_list values) {
    if (!is_input(from)) return EOF;
    struct scan scan = {.take = take_from_stdin};
    take_turn(&stdin_taken.byte);
    int converted = scan_text(&scan, format, values);
    if (scan.peeked) give_back(scan.next);
    give_turn_back(&stdin_taken.byte);
    return converted;
}

int vscanf(const char* format, va_list values) {
    return vfscanf(stdin, format, values);
}

int fscanf(FILE* from, const char* format, ...) {
    va_list values;
    va_start(values, format);
    int converted = vfscanf(from, format, values);
    va_end(values);
    return converted;
}

int scanf(const char* format, ...) {
    va_list values;
    va_start(values, format);
    int converted = vscanf(format, values);
    va_end(values);
    return converted;
}
