// SPDX-License-Identifier: MIT

#include "ctype.h"
#include "string.h"
#include "strings.h"

int strncmp(const char* a, const char* b, size_t most) {
    for (; most != 0; most--, a++, b++)
        if (*a != *b || *a == '\0') return (unsigned char)*a - (unsigned char)*b;
    return 0;
}

int strncasecmp(const char* a, const char* b, size_t most) {
    for (; most != 0; most--, a++, b++) {
        int x = tolower((unsigned char)*a), y = tolower((unsigned char)*b);
        if (x != y || x == '\0') return x - y;
    }
    return 0;
}

int strcasecmp(const char* a, const char* b) {
    return strncasecmp(a, b, (size_t)-1);
}

int strcoll(const char* a, const char* b) {
    return strcmp(a, b);
}

size_t strxfrm(char* to, const char* from, size_t size) {
    size_t length = strlen(from);
    if (length < size) memcpy(to, from, length + 1);
    return length;
}
