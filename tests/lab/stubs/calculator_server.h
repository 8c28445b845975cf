// Written by symlab stubs from calculator.idl; changes are lost.
#pragma once

#include "calculator.h"

// Yours to write. Each returns 0, or URPC_FAILED to fail the call; so does a count of results
// beyond the interface. Each call has a thread of its own.
int serve_calculator_add(int32_t a, int32_t b, int32_t* sum);
int serve_calculator_lookup(
        const uint8_t* name, unsigned name_count, bool* found, int32_t* values,
        unsigned* values_count);
int serve_calculator_all(
        int8_t a, uint16_t b, int64_t c, float d, double e, bool f, struct calculator_point p,
        struct calculator_point* q, uint8_t* g);
int serve_calculator_few(
        const bool* b, unsigned b_count, const struct calculator_point* p, unsigned p_count,
        int16_t* s, unsigned* s_count, bool* c, unsigned* c_count);
int serve_calculator_reset(void);

static inline int dispatch_calculator_add(
        const unsigned* urpc_argument, unsigned urpc_words, unsigned* urpc_result) {
    struct urpc_reader urpc_in = {urpc_argument, urpc_words, false};
    int32_t a = (int32_t)urpc_get(&urpc_in);
    int32_t b = (int32_t)urpc_get(&urpc_in);
    if (!urpc_get_end(&urpc_in)) return URPC_FAILED;
    int32_t sum = 0;
    const int urpc_failed = serve_calculator_add(a, b, &sum);
    if (urpc_failed != 0) return URPC_FAILED;
    struct urpc_writer urpc_out = {urpc_result};
    urpc_put(&urpc_out, (unsigned)sum);
    return (int)(urpc_out.next - urpc_result);
}

static inline int dispatch_calculator_lookup(
        const unsigned* urpc_argument, unsigned urpc_words, unsigned* urpc_result) {
    struct urpc_reader urpc_in = {urpc_argument, urpc_words, false};
    uint8_t name[16];
    unsigned name_count = urpc_get_count(&urpc_in, 16);
    urpc_get_bytes(&urpc_in, name, name_count * sizeof name[0]);
    if (!urpc_get_end(&urpc_in)) return URPC_FAILED;
    bool found = 0;
    int32_t values[4] = {0};
    unsigned values_count = 0;
    const int urpc_failed = serve_calculator_lookup(
            name, name_count, &found, values, &values_count);
    if (urpc_failed != 0) return URPC_FAILED;
    if (values_count > 4) return URPC_FAILED;
    struct urpc_writer urpc_out = {urpc_result};
    urpc_put(&urpc_out, (unsigned)found);
    urpc_put(&urpc_out, values_count);
    urpc_put_bytes(&urpc_out, values, values_count * sizeof values[0]);
    return (int)(urpc_out.next - urpc_result);
}

static inline int dispatch_calculator_all(
        const unsigned* urpc_argument, unsigned urpc_words, unsigned* urpc_result) {
    struct urpc_reader urpc_in = {urpc_argument, urpc_words, false};
    int8_t a = (int8_t)urpc_get(&urpc_in);
    uint16_t b = (uint16_t)urpc_get(&urpc_in);
    int64_t c = 0;
    urpc_get_bytes(&urpc_in, &c, sizeof c);
    float d = 0;
    urpc_get_bytes(&urpc_in, &d, sizeof d);
    double e = 0;
    urpc_get_bytes(&urpc_in, &e, sizeof e);
    bool f = urpc_get(&urpc_in) != 0;
    struct calculator_point p = {0};
    get_calculator_point(&urpc_in, &p);
    if (!urpc_get_end(&urpc_in)) return URPC_FAILED;
    struct calculator_point q = {0};
    uint8_t g = 0;
    const int urpc_failed = serve_calculator_all(a, b, c, d, e, f, p, &q, &g);
    if (urpc_failed != 0) return URPC_FAILED;
    struct urpc_writer urpc_out = {urpc_result};
    put_calculator_point(&urpc_out, &q);
    urpc_put(&urpc_out, (unsigned)g);
    return (int)(urpc_out.next - urpc_result);
}

static inline int dispatch_calculator_few(
        const unsigned* urpc_argument, unsigned urpc_words, unsigned* urpc_result) {
    struct urpc_reader urpc_in = {urpc_argument, urpc_words, false};
    bool b[3];
    unsigned b_count = urpc_get_count(&urpc_in, 3);
    for (unsigned urpc_i = 0; urpc_i < b_count; urpc_i++)
        b[urpc_i] = urpc_get(&urpc_in) != 0;
    struct calculator_point p[1];
    unsigned p_count = urpc_get_count(&urpc_in, 1);
    for (unsigned urpc_i = 0; urpc_i < p_count; urpc_i++)
        get_calculator_point(&urpc_in, &p[urpc_i]);
    if (!urpc_get_end(&urpc_in)) return URPC_FAILED;
    int16_t s[5] = {0};
    unsigned s_count = 0;
    bool c[2] = {0};
    unsigned c_count = 0;
    const int urpc_failed = serve_calculator_few(b, b_count, p, p_count, s, &s_count, c, &c_count);
    if (urpc_failed != 0) return URPC_FAILED;
    if (s_count > 5) return URPC_FAILED;
    if (c_count > 2) return URPC_FAILED;
    struct urpc_writer urpc_out = {urpc_result};
    urpc_put(&urpc_out, s_count);
    urpc_put_bytes(&urpc_out, s, s_count * sizeof s[0]);
    urpc_put(&urpc_out, c_count);
    for (unsigned urpc_i = 0; urpc_i < c_count; urpc_i++)
        urpc_put(&urpc_out, (unsigned)c[urpc_i]);
    return (int)(urpc_out.next - urpc_result);
}

static inline int dispatch_calculator_reset(
        const unsigned* urpc_argument, unsigned urpc_words, unsigned* urpc_result) {
    struct urpc_reader urpc_in = {urpc_argument, urpc_words, false};
    if (!urpc_get_end(&urpc_in)) return URPC_FAILED;
    const int urpc_failed = serve_calculator_reset();
    if (urpc_failed != 0) return URPC_FAILED;
    struct urpc_writer urpc_out = {urpc_result};
    return (int)(urpc_out.next - urpc_result);
}

// Serves all other spaces; for main().
static inline _Noreturn void serve_calculator(void) {
    static urpc_procedure* const procedures[] = {
        dispatch_calculator_add,
        dispatch_calculator_lookup,
        dispatch_calculator_all,
        dispatch_calculator_few,
        dispatch_calculator_reset,
    };
    urpc_serve(procedures, 5);
}
