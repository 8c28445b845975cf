// SPDX-License-Identifier: MIT

// CRC-32 computed in three ways, and Adler-32 (RFC 1950), checked against published values.

#include <string.h>

#include "check.h"

#define POLYNOMIAL 0xEDB88320u  // IEEE 802.3, bits reversed

static uint32_t crc_by_bits(const unsigned char* bytes, size_t count) {
    uint32_t crc = ~0u;
    while (count-- != 0) {
        crc ^= *bytes++;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
    }
    return ~crc;
}

static uint32_t table[256];

static void make_table(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
        table[i] = crc;
    }
}

static uint32_t crc_by_table(const unsigned char* bytes, size_t count) {
    uint32_t crc = ~0u;
    while (count-- != 0) crc = crc >> 8 ^ table[(crc ^ *bytes++) & 0xFF];
    return ~crc;
}

// Bit by bit, like a shift register in hardware.
static uint32_t crc_by_register(const unsigned char* bytes, size_t count) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < count * 8; i++) {
        uint32_t bit = (uint32_t)bytes[i / 8] >> i % 8 & 1;
        uint32_t out = (crc & 1) ^ bit;
        crc >>= 1;
        if (out) crc ^= POLYNOMIAL;
    }
    return ~crc;
}

static uint32_t adler(const unsigned char* bytes, size_t count) {
    uint32_t a = 1, b = 0;
    while (count-- != 0) {
        a = (a + *bytes++) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

int main(void) {
    make_table();
    const unsigned char* digits = (const unsigned char*)"123456789";
    REQUIRE(crc_by_bits(digits, 9) == 0xCBF43926);
    REQUIRE(adler((const unsigned char*)"Wikipedia", 9) == 0x11E60398);
    static unsigned char bytes[2500];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(random_word() >> 24);
    for (size_t count = 0; count <= sizeof bytes; count += count / 2 + 1) {
        uint32_t crc = crc_by_table(bytes, count);
        REQUIRE(crc == crc_by_bits(bytes, count));
        REQUIRE(crc == crc_by_register(bytes, count));
        uint32_t sum = adler(bytes, count);
        printf("%4u %08x %08x\n", (unsigned)count, (unsigned)crc, (unsigned)sum);
        mix(crc);
        mix(sum);
    }
    return finish("checksums");
}
