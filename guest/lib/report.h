// SPDX-License-Identifier: MIT
#pragma once

// report() and its relatives, for a file that defines print_to(device, format, values): console.c
// here and the console of processes (kernel/user/console.c).

__attribute__((format(printf, 1, 2))) static void print_result(const char* format, ...) {
    va_list values;
    va_start(values, format);
    print_to(RESULTS_BYTE, format, values);
    va_end(values);
}

void report(const char* name, uint64_t value) {
    print_result("%s %llu\n", name, value);
}

void report_signed(const char* name, int64_t value) {
    print_result("%s %lld\n", name, value);
}

void report_thousandths(const char* name, int64_t value) {
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    print_result("%s %s%llu.%03llu\n", name, value < 0 ? "-" : "", size / 1000, size % 1000);
}
