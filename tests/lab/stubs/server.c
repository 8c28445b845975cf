// SPDX-License-Identifier: MIT
#include "calculator_server.h"

int serve_calculator_add(int32_t a, int32_t b, int32_t* sum) {
    *sum = a + b;
    return 0;
}

int serve_calculator_lookup(const uint8_t* name, unsigned name_count, bool* found,
                            int32_t* values, unsigned* values_count) {
    *found = name_count != 0;
    for (unsigned i = 0; i < name_count && i < 4; i++) values[i] = name[i];
    *values_count = name_count;  // more than 4 fail the call
    return 0;
}

int serve_calculator_all(int8_t a, uint16_t b, int64_t c, float d, double e, bool f,
                         struct calculator_point p, struct calculator_point* q, uint8_t* g) {
    *q = p;
    *g = 200;
    return a == -128 && b == 65535 && c == -(1ll << 40) && d == 0.5f && e == -1e300 && f
               ? 0
               : URPC_FAILED;
}

int serve_calculator_few(const bool* b, unsigned b_count, const struct calculator_point* p,
                         unsigned p_count, int16_t* s, unsigned* s_count, bool* c,
                         unsigned* c_count) {
    if (b_count != 3 || !b[0] || b[1] || !b[2] || p_count != 1 || p->y != 2.5) return URPC_FAILED;
    for (int16_t i = 0; i < 5; i++) s[i] = (int16_t)-i;
    *s_count = 5;
    c[0] = true;
    *c_count = 2;
    return 0;
}

int serve_calculator_reset(void) {
    return 0;
}

int main(void) {
    serve_calculator();
}
