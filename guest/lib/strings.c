// SPDX-License-Identifier: MIT

#include "strings.h"

#include "string.h"

void bzero(void* to, size_t bytes) {
    memset(to, 0, bytes);
}

void bcopy(const void* from, void* to, size_t bytes) {
    memmove(to, from, bytes);
}

int bcmp(const void* a, const void* b, size_t bytes) {
    return memcmp(a, b, bytes);
}

char* index(const char* text, int byte) {
    return strchr(text, byte);
}

char* rindex(const char* text, int byte) {
    return strrchr(text, byte);
}
