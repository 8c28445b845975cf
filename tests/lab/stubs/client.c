// SPDX-License-Identifier: MIT
// Calls every procedure of calculator.idl, and then sends and gets what no stub would send.
#include <stdio.h>

#include "calculator_client.h"
#include "space.h"
#include "symsim.h"

static struct urpc_channel* channel;
static unsigned wrong;

#define CHECK(condition) \
    if (!(condition)) wrong++, printf("line %d: %s\n", __LINE__, #condition)

static void call_all(void) {
    int32_t sum = 0;
    CHECK(calculator_add(channel, -20, 62, &sum) == 0 && sum == 42);
    CHECK(calculator_add(channel, INT32_MIN, 0, &sum) == 0 && sum == INT32_MIN);

    bool found = false;
    int32_t values[4];
    unsigned count = 0;
    CHECK(calculator_lookup(channel, (const uint8_t*)"abc", 3, &found, values, &count) == 0);
    CHECK(found && count == 3 && values[0] == 'a' && values[2] == 'c');
    CHECK(calculator_lookup(channel, NULL, 0, &found, values, &count) == 0 && !found && count == 0);

    const struct calculator_point p = {-7, 2.5, true};
    struct calculator_point q;
    uint8_t g = 0;
    CHECK(calculator_all(channel, -128, 65535, -(1ll << 40), 0.5f, -1e300, true, p, &q, &g) == 0);
    CHECK(q.x == -7 && q.y == 2.5 && q.z && g == 200);

    const bool bits[3] = {true, false, true};
    int16_t s[5];
    bool c[2];
    unsigned s_count = 0, c_count = 0;
    CHECK(calculator_few(channel, bits, 3, &p, 1, s, &s_count, c, &c_count) == 0);
    CHECK(s_count == 5 && s[4] == -4 && c_count == 2 && c[0] && !c[1]);
    CHECK(calculator_reset(channel) == 0);
}

// Too long for the interface: refused here, and by the server if it is sent.
static void send_wrong_lengths(void) {
    bool found;
    int32_t values[4];
    unsigned count;
    const uint8_t name[17] = {0};
    CHECK(calculator_lookup(channel, name, 17, &found, values, &count) == URPC_FAILED);

    unsigned words[URPC_WORDS] = {0};
    for (unsigned length = 0; length <= URPC_WORDS; length++)
        if (length != 2) CHECK(urpc_call(channel, 0, words, length, words, 12) == URPC_FAILED);
    const unsigned counts[] = {17, 0xffffffff, 0x40000001, 0xfffffffe};
    for (unsigned i = 0; i < 4; i++) {
        words[0] = counts[i];
        CHECK(urpc_call(channel, 1, words, URPC_WORDS, words, 12) == URPC_FAILED);
    }
    words[0] = 5;  // 2 words of bytes, of which one is missing; one too many
    CHECK(urpc_call(channel, 1, words, 2, words, 12) == URPC_FAILED);
    CHECK(urpc_call(channel, 1, words, 4, words, 12) == URPC_FAILED);
    CHECK(urpc_call(channel, 5, words, 0, words, 12) == URPC_FAILED);
}

// The server answers `lookup` with as many words, and with this count of values.
static void get_wrong_lengths(struct urpc_channel* liar) {
    for (int32_t words = 0; words <= 12; words++)
        for (int32_t count = -1; count <= 12; count++) {
            struct {
                int32_t values[4], guard[4];
            } room = {{0}, {1, 2, 3, 4}};
            bool found;
            unsigned got = 99;
            int32_t unused;
            CHECK(calculator_add(liar, words, count, &unused) == 0);
            const int answer = calculator_lookup(liar, NULL, 0, &found, room.values, &got);
            const bool sound = count >= 0 && count <= 4 && words == 2 + count;
            CHECK(answer == (sound ? 0 : URPC_FAILED));
            CHECK(!sound || got == (unsigned)count);
            for (int32_t i = 0; i < 4; i++) CHECK(room.guard[i] == i + 1);
        }
}

int main(void) {
    channel = urpc_bind(space_named("server"));
    call_all();
    send_wrong_lengths();
    call_all();
    get_wrong_lengths(urpc_bind(space_named("liar")));
    report("wrong", wrong);
    printf("%u wrong\n", wrong);
    return wrong != 0;
}
