// SPDX-License-Identifier: MIT

#include "string.h"

void* memcpy(void* to, const void* from, size_t bytes) {
    char* t = to;
    const char* f = from;
    while (bytes-- != 0) *t++ = *f++;
    return to;
}

void* memmove(void* to, const void* from, size_t bytes) {
    char* t = to;
    const char* f = from;
    if (t <= f) return memcpy(to, from, bytes);
    while (bytes-- != 0) t[bytes] = f[bytes];
    return to;
}

void* memset(void* to, int value, size_t bytes) {
    char* t = to;
    while (bytes-- != 0) *t++ = (char)value;
    return to;
}

int memcmp(const void* a, const void* b, size_t bytes) {
    const unsigned char* x = a;
    const unsigned char* y = b;
    for (; bytes != 0; bytes--, x++, y++)
        if (*x != *y) return *x - *y;
    return 0;
}

size_t strlen(const char* text) {
    const char* end = text;
    while (*end != '\0') end++;
    return (size_t)(end - text);
}

int strcmp(const char* a, const char* b) {
    while (*a != '\0' && *a == *b) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}
