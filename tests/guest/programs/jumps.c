// SPDX-License-Identifier: MIT

// setjmp and longjmp: return values, depth, the caller's registers, errors that leave a parser.

#include <setjmp.h>

#include "check.h"

static jmp_buf place;

static void deep(int depth, int value) {
    if (depth < 0) return;
    volatile int pad[10];
    pad[depth % 10] = depth;
    if (depth == 0) longjmp(place, value);
    deep(depth - 1, value);
    mix((uint32_t)pad[depth % 10]);  // never executed
}

static void check_values(void) {
    static const int values[] = {1, 2, -1, 0, 0x7FFFFFFF};
    for (volatile int i = 0; i < 5; i++) {
        int value = setjmp(place);
        if (value == 0) deep(i * 7, values[i]);
        REQUIRE(value == (values[i] == 0 ? 1 : values[i]));
        mix((uint32_t)value);
    }
}

// Many values are live across the call; the caller keeps them in registers where it can.
__attribute__((noinline)) static unsigned across(unsigned a, unsigned b, unsigned c, unsigned d) {
    jmp_buf own;
    unsigned e = a * b, f = c * d, g = a ^ c;
    volatile unsigned rounds = 0;
    unsigned back = (unsigned)setjmp(own);
    rounds = rounds + 1;
    if (rounds < 5) longjmp(own, (int)(rounds + 10));
    REQUIRE(back == 14);
    return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7;
}

// Parses sums with parentheses; an error leaves all levels of recursion at once.
static const char* text;
static jmp_buf failed;

static int sum(void);

static int term(void) {
    if (*text == '(') {
        text++;
        int value = sum();
        if (*text++ != ')') longjmp(failed, 2);
        return value;
    }
    if (*text < '0' || *text > '9') longjmp(failed, 3);
    int value = 0;
    while (*text >= '0' && *text <= '9') value = value * 10 + (*text++ - '0');
    return value;
}

static int sum(void) {
    int value = term();
    while (*text == '+' || *text == '-') {
        int sign = *text++ == '+' ? 1 : -1;
        value += sign * term();
    }
    return value;
}

static void evaluate(const char* expression) {
    int error = setjmp(failed);
    if (error != 0) {
        printf("%s: error %d at '%s'\n", expression, error, text);
        mix((uint32_t)error);
        return;
    }
    text = expression;
    int value = sum();
    printf("%s = %d\n", expression, value);
    mix((uint32_t)value);
}

int main(void) {
    check_values();
    for (unsigned i = 0; i < 20; i++) mix(across(i, i + 3, i * i, 77 - i));
    evaluate("1+2-(3-4)");
    evaluate("(1+(2+(3+(4+(5-x)))))");
    evaluate("((((((((10))))))))-1000");
    evaluate("(1+2");
    evaluate("");
    return finish("jumps");
}
