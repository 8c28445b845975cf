// SPDX-License-Identifier: MIT

// Compression after Lempel and Ziv (1977): text that occurred before is encoded by distance and
// length. Packed data must unpack to the original.
//
//   0 .. 127 n         the next n + 1 bytes are literal
//   128 + n, low, high copy n + 4 bytes from low + 256 * high + 1 back

#include <string.h>

#include "check.h"

#define SIZE 6000
#define SHORTEST 4
#define LONGEST (127 + SHORTEST)
#define HASHES 1024

static unsigned hash_of(const unsigned char* at) {
    uint32_t word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return word * 2654435761u >> 22;
}

static size_t put_literals(unsigned char* to, const unsigned char* from, size_t count) {
    unsigned char* start = to;
    while (count != 0) {
        size_t some = count < 128 ? count : 128;
        *to++ = (unsigned char)(some - 1);
        memcpy(to, from, some);
        to += some;
        from += some;
        count -= some;
    }
    return (size_t)(to - start);
}

static size_t pack(unsigned char* to, const unsigned char* from, size_t count) {
    static int last_seen[HASHES];
    memset(last_seen, -1, sizeof last_seen);
    size_t packed = 0, literals = 0, at = 0;
    while (at + SHORTEST <= count) {
        unsigned hash = hash_of(from + at);
        int before = last_seen[hash];
        last_seen[hash] = (int)at;
        size_t length = 0;
        if (before >= 0)
            while (at + length < count && length < LONGEST &&
                   from[(size_t)before + length] == from[at + length])
                length++;
        if (length < SHORTEST) {
            at++;
            continue;
        }
        packed += put_literals(to + packed, from + literals, at - literals);
        size_t distance = at - (size_t)before - 1;
        to[packed++] = (unsigned char)(128 + length - SHORTEST);
        to[packed++] = (unsigned char)distance;
        to[packed++] = (unsigned char)(distance >> 8);
        at += length;
        literals = at;
    }
    return packed + put_literals(to + packed, from + literals, count - literals);
}

static size_t unpack(unsigned char* to, const unsigned char* from, size_t count) {
    size_t unpacked = 0;
    for (size_t i = 0; i < count;) {
        unsigned head = from[i++];
        if (head < 128) {
            memcpy(to + unpacked, from + i, head + 1);
            unpacked += head + 1;
            i += head + 1;
        } else {
            size_t distance = from[i] + 256u * from[i + 1] + 1;
            i += 2;
            for (unsigned n = head - 128 + SHORTEST; n != 0; n--, unpacked++)
                to[unpacked] = to[unpacked - distance];  // may overlap: byte by byte
        }
    }
    return unpacked;
}

static void fill(unsigned char* bytes, int kind) {
    static const char* const words[] = {"lock ", "bus ",  "cache ", "line ",  "processor ",
                                        "spin ", "wait ", "until ", "it is ", "free. "};
    size_t at = 0;
    while (at < SIZE) {
        if (kind == 0) {
            bytes[at++] = (unsigned char)(random_word() >> 24);
        } else if (kind == 1) {
            const char* word = words[random_word() % 10];
            for (; *word != '\0' && at < SIZE; word++) bytes[at++] = (unsigned char)*word;
        } else {
            bytes[at] = (unsigned char)(at % 7 == 0 ? at / 700 : 'x');
            at++;
        }
    }
}

int main(void) {
    static unsigned char original[SIZE], packed[2 * SIZE], unpacked[SIZE + LONGEST];
    for (int kind = 0; kind < 3; kind++) {
        fill(original, kind);
        size_t packed_bytes = pack(packed, original, SIZE);
        REQUIRE(unpack(unpacked, packed, packed_bytes) == SIZE);
        REQUIRE(memcmp(original, unpacked, SIZE) == 0);
        printf("kind %d: %u bytes packed into %u\n", kind, SIZE, (unsigned)packed_bytes);
        for (size_t i = 0; i < packed_bytes; i++) mix(packed[i]);
    }
    return finish("lz");
}
