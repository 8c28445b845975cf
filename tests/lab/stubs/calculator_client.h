// Written by symlab stubs from calculator.idl; changes are lost.
#pragma once

#include "calculator.h"

// Each returns 0, or URPC_FAILED: the server has failed the call or has ended, or an array is
// longer than the interface says. Then the results mean nothing. An array for a result has room for
// as many elements as the interface says.

static inline int calculator_add(struct urpc_channel* urpc, int32_t a, int32_t b, int32_t* sum) {
    unsigned urpc_words[URPC_WORDS];
    struct urpc_writer urpc_out = {urpc_words};
    urpc_put(&urpc_out, (unsigned)a);
    urpc_put(&urpc_out, (unsigned)b);
    const unsigned urpc_sent = (unsigned)(urpc_out.next - urpc_words);
    const int urpc_got = urpc_call(urpc, 0, urpc_words, urpc_sent, urpc_words, 1);
    if (urpc_got < 0) return URPC_FAILED;
    struct urpc_reader urpc_in = {urpc_words, (unsigned)urpc_got, false};
    *sum = (int32_t)urpc_get(&urpc_in);
    return urpc_get_end(&urpc_in) ? 0 : URPC_FAILED;
}

static inline int calculator_lookup(
        struct urpc_channel* urpc, const uint8_t* name, unsigned name_count, bool* found,
        int32_t* values, unsigned* values_count) {
    unsigned urpc_words[URPC_WORDS];
    if (name_count > 16) return URPC_FAILED;
    struct urpc_writer urpc_out = {urpc_words};
    urpc_put(&urpc_out, name_count);
    urpc_put_bytes(&urpc_out, name, name_count * sizeof name[0]);
    const unsigned urpc_sent = (unsigned)(urpc_out.next - urpc_words);
    const int urpc_got = urpc_call(urpc, 1, urpc_words, urpc_sent, urpc_words, 6);
    if (urpc_got < 0) return URPC_FAILED;
    struct urpc_reader urpc_in = {urpc_words, (unsigned)urpc_got, false};
    *found = urpc_get(&urpc_in) != 0;
    *values_count = urpc_get_count(&urpc_in, 4);
    urpc_get_bytes(&urpc_in, values, *values_count * sizeof values[0]);
    return urpc_get_end(&urpc_in) ? 0 : URPC_FAILED;
}

static inline int calculator_all(
        struct urpc_channel* urpc, int8_t a, uint16_t b, int64_t c, float d, double e, bool f,
        struct calculator_point p, struct calculator_point* q, uint8_t* g) {
    unsigned urpc_words[URPC_WORDS];
    struct urpc_writer urpc_out = {urpc_words};
    urpc_put(&urpc_out, (unsigned)a);
    urpc_put(&urpc_out, (unsigned)b);
    urpc_put_bytes(&urpc_out, &c, sizeof c);
    urpc_put_bytes(&urpc_out, &d, sizeof d);
    urpc_put_bytes(&urpc_out, &e, sizeof e);
    urpc_put(&urpc_out, (unsigned)f);
    put_calculator_point(&urpc_out, &p);
    const unsigned urpc_sent = (unsigned)(urpc_out.next - urpc_words);
    const int urpc_got = urpc_call(urpc, 2, urpc_words, urpc_sent, urpc_words, 5);
    if (urpc_got < 0) return URPC_FAILED;
    struct urpc_reader urpc_in = {urpc_words, (unsigned)urpc_got, false};
    get_calculator_point(&urpc_in, q);
    *g = (uint8_t)urpc_get(&urpc_in);
    return urpc_get_end(&urpc_in) ? 0 : URPC_FAILED;
}

static inline int calculator_few(
        struct urpc_channel* urpc, const bool* b, unsigned b_count,
        const struct calculator_point* p, unsigned p_count, int16_t* s, unsigned* s_count, bool* c,
        unsigned* c_count) {
    unsigned urpc_words[URPC_WORDS];
    if (b_count > 3) return URPC_FAILED;
    if (p_count > 1) return URPC_FAILED;
    struct urpc_writer urpc_out = {urpc_words};
    urpc_put(&urpc_out, b_count);
    for (unsigned urpc_i = 0; urpc_i < b_count; urpc_i++)
        urpc_put(&urpc_out, (unsigned)b[urpc_i]);
    urpc_put(&urpc_out, p_count);
    for (unsigned urpc_i = 0; urpc_i < p_count; urpc_i++)
        put_calculator_point(&urpc_out, &p[urpc_i]);
    const unsigned urpc_sent = (unsigned)(urpc_out.next - urpc_words);
    const int urpc_got = urpc_call(urpc, 3, urpc_words, urpc_sent, urpc_words, 7);
    if (urpc_got < 0) return URPC_FAILED;
    struct urpc_reader urpc_in = {urpc_words, (unsigned)urpc_got, false};
    *s_count = urpc_get_count(&urpc_in, 5);
    urpc_get_bytes(&urpc_in, s, *s_count * sizeof s[0]);
    *c_count = urpc_get_count(&urpc_in, 2);
    for (unsigned urpc_i = 0; urpc_i < *c_count; urpc_i++)
        c[urpc_i] = urpc_get(&urpc_in) != 0;
    return urpc_get_end(&urpc_in) ? 0 : URPC_FAILED;
}

static inline int calculator_reset(struct urpc_channel* urpc) {
    unsigned urpc_words[URPC_WORDS];
    struct urpc_writer urpc_out = {urpc_words};
    const unsigned urpc_sent = (unsigned)(urpc_out.next - urpc_words);
    const int urpc_got = urpc_call(urpc, 4, urpc_words, urpc_sent, urpc_words, 0);
    if (urpc_got < 0) return URPC_FAILED;
    struct urpc_reader urpc_in = {urpc_words, (unsigned)urpc_got, false};
    return urpc_get_end(&urpc_in) ? 0 : URPC_FAILED;
}
