// SPDX-License-Identifier: MIT

#include "string.h"

#ifdef STRING_INSTRUCTIONS  // of a kernel, which copies and clears pages
static void* copy(void* to, const void* from, size_t bytes) {
    void* t = to;
    size_t words = bytes / 4, rest = bytes % 4;
    __asm__ volatile("rep movsl" : "+D"(t), "+S"(from), "+c"(words) : : "memory");
    __asm__ volatile("rep movsb" : "+D"(t), "+S"(from), "+c"(rest) : : "memory");
    return to;
}
static void* fill(void* to, unsigned value, size_t bytes) {
    void* t = to;
    size_t words = bytes / 4, rest = bytes % 4;
    value = (value & 0xff) * 0x01010101;
    __asm__ volatile("rep stosl" : "+D"(t), "+c"(words) : "a"(value) : "memory");
    __asm__ volatile("rep stosb" : "+D"(t), "+c"(rest) : "a"(value) : "memory");
    return to;
}
#endif

void* memcpy(void* to, const void* from, size_t bytes) {
#ifdef STRING_INSTRUCTIONS
    return copy(to, from, bytes);
#endif
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
#ifdef STRING_INSTRUCTIONS
    return fill(to, (unsigned)value, bytes);
#endif
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
