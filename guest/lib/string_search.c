// SPDX-License-Identifier: MIT

#include <stdbool.h>

#include "string.h"

void* memchr(const void* bytes, int byte, size_t count) {
    const unsigned char* b = bytes;
    for (; count != 0; count--, b++)
        if (*b == (unsigned char)byte) return (void*)b;
    return NULL;
}

size_t strnlen(const char* text, size_t most) {
    size_t length = 0;
    while (length < most && text[length] != '\0') length++;
    return length;
}

// The terminating NUL can be searched for as well.
char* strchr(const char* text, int byte) {
    for (;; text++) {
        if (*text == (char)byte) return (char*)text;
        if (*text == '\0') return NULL;
    }
}

char* strrchr(const char* text, int byte) {
    const char* last = NULL;
    for (;; text++) {
        if (*text == (char)byte) last = text;
        if (*text == '\0') return (char*)last;
    }
}

static bool begins_with(const char* text, const char* part) {
    while (*part != '\0' && *text == *part) text++, part++;
    return *part == '\0';
}

char* strstr(const char* text, const char* part) {
    for (;; text++) {
        if (begins_with(text, part)) return (char*)text;
        if (*text == '\0') return NULL;
    }
}

static bool is_one_of(char byte, const char* set) {
    return byte != '\0' && strchr(set, byte) != NULL;
}

size_t strspn(const char* text, const char* accepted) {
    size_t length = 0;
    while (is_one_of(text[length], accepted)) length++;
    return length;
}

size_t strcspn(const char* text, const char* rejected) {
    size_t length = 0;
    while (text[length] != '\0' && !is_one_of(text[length], rejected)) length++;
    return length;
}

char* strpbrk(const char* text, const char* wanted) {
    text += strcspn(text, wanted);
    return *text == '\0' ? NULL : (char*)text;
}

char* strtok_r(char* text, const char* separators, char** rest) {
    if (text == NULL) text = *rest;
    text += strspn(text, separators);
    char* end = text + strcspn(text, separators);
    *rest = end;
    if (end == text) return NULL;
    if (*end != '\0') *(*rest)++ = '\0';
    return text;
}

char* strtok(char* text, const char* separators) {
    static char* rest;
    return strtok_r(text, separators, &rest);
}
