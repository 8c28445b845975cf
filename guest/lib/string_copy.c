// SPDX-License-Identifier: MIT

#include "errno.h"
#include "stdlib.h"
#include "string.h"

char* stpcpy(char* to, const char* from) {
    while ((*to = *from++) != '\0') to++;
    return to;
}

char* strcpy(char* to, const char* from) {
    stpcpy(to, from);
    return to;
}

// Pads with NULs; does not write a NUL at the end if `from` does not fit.
char* strncpy(char* to, const char* from, size_t size) {
    size_t length = strnlen(from, size);
    memcpy(to, from, length);
    memset(to + length, '\0', size - length);
    return to;
}

char* strcat(char* to, const char* from) {
    stpcpy(to + strlen(to), from);
    return to;
}

char* strncat(char* to, const char* from, size_t most) {
    size_t length = strnlen(from, most);
    char* end = to + strlen(to);
    memcpy(end, from, length);
    end[length] = '\0';
    return to;
}

char* strndup(const char* text, size_t most) {
    size_t length = strnlen(text, most);
    char* copy = malloc(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char* strdup(const char* text) {
    return strndup(text, strlen(text));
}

char* strerror(int error) {
    switch (error) {
        case 0:
            return "Success";
        case EDOM:
            return "Numerical argument out of domain";
        case EINVAL:
            return "Invalid argument";
        case ENOMEM:
            return "Cannot allocate memory";
        case ERANGE:
            return "Numerical result out of range";
        default:
            return "Unknown error";
    }
}
