// SPDX-License-Identifier: MIT

// Character classes of ASCII, locale "C".

#include "ctype.h"

// Unsigned: a value below `first` wraps around and is too large as well.
static int between(int c, unsigned first, unsigned last) {
    return (unsigned)c - first <= last - first;
}

int isdigit(int c) {
    return between(c, '0', '9');
}
int islower(int c) {
    return between(c, 'a', 'z');
}
int isupper(int c) {
    return between(c, 'A', 'Z');
}
int isalpha(int c) {
    return islower(c) || isupper(c);
}
int isalnum(int c) {
    return isalpha(c) || isdigit(c);
}
int isxdigit(int c) {
    return isdigit(c) || between(c, 'a', 'f') || between(c, 'A', 'F');
}
int isblank(int c) {
    return c == ' ' || c == '\t';
}
int isspace(int c) {
    return c == ' ' || between(c, '\t', '\r');
}
int isprint(int c) {
    return between(c, ' ', '~');
}
int isgraph(int c) {
    return between(c, '!', '~');
}
int ispunct(int c) {
    return isgraph(c) && !isalnum(c);
}
int iscntrl(int c) {
    return between(c, 0, 31) || c == 127;
}
int tolower(int c) {
    return isupper(c) ? c - 'A' + 'a' : c;
}
int toupper(int c) {
    return islower(c) ? c - 'a' + 'A' : c;
}
