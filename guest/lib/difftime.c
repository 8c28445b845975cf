// SPDX-License-Identifier: MIT

#include "time.h"

double difftime(time_t end, time_t begin) {
    return (double)end - (double)begin;
}
