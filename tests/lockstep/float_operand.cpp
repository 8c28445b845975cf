// SPDX-License-Identifier: MIT
// Random coprocessor states, as frstor loads them, and random coprocessor operands in memory.
#include <cstring>

#include "tests/lockstep/generator.h"

namespace symsim::test {
namespace {

constexpr unsigned kExceptions = 0x3f, kReserved = 0x40;

}  // namespace

// A control word with any rounding, any precision except the reserved one, and all exceptions
// masked.
std::uint32_t Generator::any_control_word() {
    static constexpr std::uint32_t kPrecisions[] = {0x000, 0x200, 0x300, 0x300};
    return kExceptions | kReserved | kPrecisions[random_.below(4)] | random_.below(4) << 10;
}

// A random significand with few or many digits, or close to a value halfway between two neighbours.
std::uint64_t Generator::any_significand() {
    constexpr std::uint64_t kOne = std::uint64_t{1} << 63;
    switch (random_.below(6)) {
        case 0:
            return kOne;
        case 1:
            return kOne | (random_.next() << random_.below(64));
        case 2:
            return kOne | (random_.next() >> random_.below(64));
        case 3: {
            static constexpr unsigned kLast[] = {40, 11, 0};  // of 24, 53 and 64 bits
            const unsigned last = kLast[random_.below(3)];
            const std::uint64_t half = last > 0 ? std::uint64_t{1} << (last - 1) : 0;
            return kOne | ((random_.next() >> last << last) + half + random_.below(3) - 1);
        }
        case 4:
            return ~std::uint64_t{0} << random_.below(64);
        default:
            return kOne | random_.next();
    }
}

// A random number of any kind that a program can make. Many have exponents near 0, so that pairs
// interact; others are near the ends of a format's range, so that results overflow and underflow.
Float80 Generator::any_real() {
    constexpr unsigned kBias = 16383, kSpecial = 0x7fff;
    const unsigned sign = random_.below(2) << 15;
    const auto with = [&](unsigned exponent, std::uint64_t significand) {
        return Float80{significand, static_cast<std::uint16_t>(sign | exponent)};
    };
    switch (random_.below(16)) {
        case 0:
            return with(0, 0);
        case 1:
            return with(kSpecial, std::uint64_t{1} << 63);
        case 2:
            return with(kSpecial, std::uint64_t{1} << 63 | any_significand() >> random_.below(2));
        case 3:
            return with(0, any_significand() >> (1 + random_.below(63)));
        case 4:
            return with(1 + random_.below(kSpecial - 1), any_significand());
        case 5: {
            static constexpr unsigned kEnds[] = {
                1,           63,          16383 - 1074, 16383 - 1022, 16383 - 149,
                16383 - 126, 16383 + 127, 16383 + 1023, 0x7ffe - 63};
            return with(kEnds[random_.below(9)] + random_.below(3), any_significand());
        }
        case 6:
        case 7: {  // a small integer, or half of one
            const std::uint64_t number = 1 + random_.below(1000);
            unsigned exponent = kBias + 63;
            std::uint64_t significand = number;
            while (!(significand >> 63)) significand <<= 1, --exponent;
            return with(exponent - random_.below(2), significand);
        }
        default:
            return with(kBias - 35 + random_.below(100), any_significand());
    }
}

void Generator::put_real(std::uint32_t at, unsigned bits) {
    const Float80 number = any_real();
    if (bits == 80) {
        patch(at, static_cast<std::uint32_t>(number.significand));
        patch(at + 4, static_cast<std::uint32_t>(number.significand >> 32));
        patch(at + 8, low_half(number.sign_exponent));
        return;
    }
    // The same leading digits, with an exponent that fits the format.
    const std::uint32_t sign = number.sign_exponent & 0x8000 ? 0x8000'0000 : 0;
    const std::uint64_t fraction = number.significand << 1;
    const unsigned exponent_bits = bits == 32 ? 8 : 11;
    const std::uint32_t most = (1u << exponent_bits) - 1;
    std::uint32_t exponent = (number.sign_exponent & 0x7fff) - 16383 + most / 2;
    if ((number.sign_exponent & 0x7fff) == 0) exponent = 0;
    if ((number.sign_exponent & 0x7fff) == 0x7fff) exponent = most;
    if (exponent > most) exponent = random_.below(most + 1);
    const std::uint32_t head = sign | exponent << (31 - exponent_bits) |
                               static_cast<std::uint32_t>(fraction >> (33 + exponent_bits));
    if (bits == 64) patch(at, static_cast<std::uint32_t>(fraction >> (1 + exponent_bits)));
    patch(bits == 64 ? at + 4 : at, head);
}

void Generator::prepare_float_state() {
    std::uint8_t image[layout::kFloatStateSize] = {};
    const auto put16 = [&](unsigned at, std::uint32_t value) {
        std::memcpy(image + at, &value, 2);
    };
    const unsigned top = random_.below(8);
    const unsigned depth = random_.one_in(8) ? random_.below(9) : 2 + random_.below(5);
    put16(0, any_control_word());
    put16(4, top << 11 | (random_.any() & 0x4700));  // condition codes
    unsigned tags = 0xffff;
    for (unsigned n = 0; n < depth; ++n) tags &= ~(3u << 2 * ((top + n) & 7));
    put16(8, tags);
    for (unsigned n = 0; n < 8; ++n) {
        const Float80 number = any_real();
        std::memcpy(image + 28 + 10 * n, &number.significand, 8);
        put16(28 + 10 * n + 8, number.sign_exponent);
    }
    std::memcpy(vector_.float_state.data(), image, sizeof image);
}

void Generator::prepare_float_operand() {
    if (memory_at_ < 0) return;
    const auto at = static_cast<std::uint32_t>(memory_at_);
    if (pattern_.trait == Trait::real_operand) put_real(at, pattern_.bits);
    if (pattern_.trait == Trait::control_word) patch(at, low_half(any_control_word()));
    if (pattern_.trait == Trait::integer_operand) {
        patch(at, random_.operand());
        patch(at + 4, random_.operand());
    }
    if (pattern_.trait == Trait::decimal_operand) {
        for (unsigned n = 0; n < 8; n += 4) {
            std::uint32_t digits = 0;
            for (unsigned d = 0; d < 8; ++d) digits = digits << 4 | random_.below(10);
            patch(at + n, digits);
        }
        patch(at + 8,
              low_half(random_.below(2) << 15 | random_.below(10) << 4 | random_.below(10)));
    }
}

// Appends an fnsave, which writes the whole state to memory after the instruction.
void Generator::save_float_state() {
    put(0xdd);
    put(0x35);
    put_all(layout::kFloatResult, 4);
}

}  // namespace symsim::test
