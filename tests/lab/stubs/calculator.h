// Written by symlab stubs from calculator.idl; changes are lost.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "urpc_stub.h"

struct calculator_point {
    int32_t x;
    double y;
    bool z;
};
static inline void put_calculator_point(
        struct urpc_writer* urpc_out, const struct calculator_point* value) {
    urpc_put(urpc_out, (unsigned)value->x);
    urpc_put_bytes(urpc_out, &value->y, sizeof value->y);
    urpc_put(urpc_out, (unsigned)value->z);
}
static inline void get_calculator_point(
        struct urpc_reader* urpc_in, struct calculator_point* value) {
    value->x = (int32_t)urpc_get(urpc_in);
    urpc_get_bytes(urpc_in, &value->y, sizeof value->y);
    value->z = urpc_get(urpc_in) != 0;
}
