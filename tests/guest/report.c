// SPDX-License-Identifier: MIT

// Results and arguments. report.expect has the arguments of the run and the expected results.

#include "string.h"
#include "test.h"

static void report_from_all(unsigned cpu, void* unused) {
    (void)unused;
    char name[16];
    snprintf(name, sizeof name, "processor_%u", cpu);
    report(name, cpu * 1000);
}

int main(void) {
    CHECK_EQUAL(arg_unsigned("number", 1), 4294967295u);
    CHECK_EQUAL(arg_unsigned("zero", 1), 0);
    CHECK_EQUAL(arg_unsigned("absent", 17), 17);
    CHECK_EQUAL(arg_unsigned("num", 18), 18);  // a prefix of a name does not match
    CHECK(strcmp(arg_string("text", ""), "a b=c") == 0);
    CHECK(strcmp(arg_string("absent", "fallback"), "fallback") == 0);

    report("largest", UINT64_MAX);
    report_signed("least", INT64_MIN);
    report("zero", 0);
    run_on_all(report_from_all, NULL);

    uint32_t before = clock_us();
    for (volatile unsigned i = 0; i < 1000; i++) {
    }
    uint32_t passed = clock_us() - before;
    CHECK(passed >= 100 && passed < 100000);  // 1000 iterations of 10 to 100 clocks at 16 MHz
    return 0;
}
