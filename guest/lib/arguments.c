// SPDX-License-Identifier: MIT

#include "internal.h"
#include "string.h"
#include "symsim.h"

#define ARGUMENTS_BYTES 4096  // the size that the simulator's loader expects

// Before the machine starts, the loader writes lines "name=value" here, "processors" and "seed"
// first. In .data, so that the bytes are part of the image.
char symsim_boot_args[ARGUMENTS_BYTES] __attribute__((section(".data"))) = "";

// Replaces each line's end by a NUL, so that a value can be returned as a string. The empty line
// after the last one ends the text.
void arguments_split(void) {
    symsim_boot_args[ARGUMENTS_BYTES - 1] = '\0';
    symsim_boot_args[ARGUMENTS_BYTES - 2] = '\0';
    for (char* c = symsim_boot_args; *c != '\0'; c++)
        if (*c == '\n') *c = '\0';
}

const char* arg_string(const char* name, const char* fallback) {
    PROBE(PROBE_ARGUMENT, name);
    size_t length = strlen(name);
    for (const char* line = symsim_boot_args; *line != '\0'; line += strlen(line) + 1)
        if (memcmp(line, name, length) == 0 && line[length] == '=') return line + length + 1;
    return fallback;
}

unsigned arg_unsigned(const char* name, unsigned fallback) {
    const char* text = arg_string(name, NULL);
    if (text == NULL) return fallback;
    uint64_t value = 0;
    const char* c = text;
    do {
        if (*c < '0' || *c > '9') panic("argument %s: '%s' is not a whole number", name, text);
        value = value * 10 + (unsigned)(*c - '0');
        if (value > UINT32_MAX) panic("argument %s: %s is more than 32 bits", name, text);
    } while (*++c != '\0');
    return (unsigned)value;
}
