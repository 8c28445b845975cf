// SPDX-License-Identifier: MIT

// Conversion of text to numbers: strtol and its relatives at the ends of their ranges, strtod and
// strtof where rounding is hard. Numbers printed with enough digits must read back unchanged.

#include <errno.h>
#include <string.h>

#include "check.h"

static void show_whole(const char* text, int base) {
    char *end, *end_unsigned;
    errno = 0;
    long value = strtol(text, &end, base);
    int error = errno;
    unsigned long unsigned_value = strtoul(text, &end_unsigned, base);
    long long wide = strtoll(text, NULL, base);
    unsigned long long wide_unsigned = strtoull(text, NULL, base);
    printf("'%s' %d: %ld %lu %lld %llu %d %d %d\n", text, base, value, unsigned_value, wide,
           wide_unsigned, (int)(end - text), (int)(end_unsigned - text), error == ERANGE);
    REQUIRE(base != 10 || atoll(text) == wide);
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void show_floating(const char* text) {
    char* end;
    errno = 0;
    double value = strtod(text, &end);
    int error = errno;
    float single = strtof(text, NULL);
    long double extended = strtold(text, NULL);
    unsigned char bytes[10];
    memcpy(bytes, &extended, sizeof bytes);
    printf("'%.40s': %016llx %08x ", text, (unsigned long long)bits_of(value),
           (unsigned)bits_of_float(single));
    for (int i = 9; i >= 0; i--) printf("%02x", bytes[i]);
    printf(" %d %d\n", (int)(end - text), error == ERANGE);
    mix64(bits_of(value));
}

static void read_back(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    char text[40];
    snprintf(text, sizeof text, "%.17g", value);
    REQUIRE(bits_of(strtod(text, NULL)) == bits);
    mix64(bits);
}

static void read_back_floats(void) {
    for (int i = 0; i < 20; i++) {
        uint32_t bits = random_word() % 0x7F800000;
        float value;
        memcpy(&value, &bits, sizeof value);
        char text[40];
        snprintf(text, sizeof text, "%.9g", value);
        REQUIRE(bits_of_float(strtof(text, NULL)) == bits);
    }
}

int main(void) {
    static const char* const wholes[] = {"0",
                                         "-0",
                                         "42",
                                         " \t\n-17x",
                                         "+8",
                                         "2147483647",
                                         "2147483648",
                                         "-2147483648",
                                         "-2147483649",
                                         "4294967295",
                                         "4294967296",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "-9223372036854775808",
                                         "-9223372036854775809",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "99999999999999999999999",
                                         "0x1F",
                                         "0xg",
                                         "0x",
                                         "077",
                                         "08",
                                         "zz",
                                         "",
                                         "-",
                                         "+-1",
                                         "  ",
                                         "1010102",
                                         "7fffFFFF"};
    static const int bases[] = {10, 0, 16, 8, 2, 36};
    for (unsigned i = 0; i < sizeof wholes / sizeof *wholes; i++)
        for (unsigned b = 0; b < sizeof bases / sizeof *bases; b++) show_whole(wholes[i], bases[b]);

    static const char* const floatings[] = {"0",
                                            "-0.0",
                                            "1",
                                            "1.5",
                                            ".5",
                                            "5.",
                                            "-2.25e1",
                                            "1e10",
                                            "1E-5",
                                            "1e",
                                            "1e+",
                                            "1.5e+3x",
                                            "0.1",
                                            "3.14159265358979323846",
                                            "1e22",
                                            "1e23",
                                            "9007199254740993",
                                            "9007199254740992.999999",
                                            "9007199254740993.0000000000000000000000000000000001",
                                            "1.7976931348623157e308",
                                            "1.7976931348623159e308",
                                            "1e309",
                                            "-1e400",
                                            "4.9e-324",
                                            "2.4703282292062327e-324",
                                            "2.4703282292062328e-324",
                                            "2.2250738585072011e-308",
                                            "2.2250738585072014e-308",
                                            "1e-400",
                                            "3.4028235e38",
                                            "3.4028236e38",
                                            "1.401298464e-45",
                                            "7.006492321624085e-46",
                                            "16777217",
                                            "16777216.999999999999",
                                            "16777219",
                                            "inf",
                                            "-INFINITY",
                                            "nan",
                                            ".",
                                            "",
                                            "e5",
                                            "  +7.25",
                                            "123456789012345678901234567890",
                                            "0.000000000000000000000000000000123456789",
                                            "8.5070591730234615865843651857942052864e37",
                                            "6.631236846766476e-316",
                                            "1e4931",
                                            "1e4933",
                                            "1e-4950",
                                            "3.6e-4951",
                                            "179769313486231580793728971405303415079934132710037826"
                                            "936173778980444968292764750946649017977"
                                            "587207096330286416692887910946555547851940402630657488"
                                            "671505820681908902000708383676273854845"
                                            "817711531764475730270069855571366959622842914819860834"
                                            "936475292719074168444365510704342711559"
                                            "699508093042880177904174497791"};
    for (unsigned i = 0; i < sizeof floatings / sizeof *floatings; i++) show_floating(floatings[i]);

    for (int i = 0; i < 40; i++) {
        uint64_t high = random_word() % 0x7FF00000;
        read_back(high << 32 | random_word());
    }
    for (int i = 0; i < 10; i++) read_back(random_word());  // the smallest denormals
    read_back_floats();
    return finish("numbers");
}
