// SPDX-License-Identifier: MIT
// Float80: a number in the 80387's extended format. It has a sign, 15 bits of exponent and 64 bits
// of significand, of which the highest is the integer bit. No floating-point type of the host is
// used, so that results are the same on every host.
#pragma once

#include <cstdint>

namespace symsim {

struct Float80 {
    std::uint64_t significand = 0;
    std::uint16_t sign_exponent = 0;

    static constexpr int kBias = 16383;
    static constexpr int kMaxExponent = 0x7fff;  // of infinities and NaNs
    static constexpr std::uint64_t kIntegerBit = std::uint64_t{1} << 63;
    static constexpr std::uint64_t kQuietBit = std::uint64_t{1} << 62;

    static constexpr Float80 make(bool sign, int exponent, std::uint64_t significand) {
        return {significand, static_cast<std::uint16_t>(sign << 15 | exponent)};
    }
    static constexpr Float80 zero(bool sign = false) { return make(sign, 0, 0); }
    static constexpr Float80 one() { return make(false, kBias, kIntegerBit); }
    static constexpr Float80 infinity(bool sign) { return make(sign, kMaxExponent, kIntegerBit); }
    // The NaN that is the result of a masked invalid operation.
    static constexpr Float80 indefinite() {
        return make(true, kMaxExponent, kIntegerBit | kQuietBit);
    }

    constexpr bool sign() const { return sign_exponent >> 15; }
    constexpr int exponent() const { return sign_exponent & 0x7fff; }
    constexpr Float80 negated() const {
        return {significand, static_cast<std::uint16_t>(sign_exponent ^ 0x8000)};
    }
    constexpr Float80 absolute() const {
        return {significand, static_cast<std::uint16_t>(sign_exponent & 0x7fff)};
    }
    constexpr Float80 with_sign(bool sign) const { return make(sign, exponent(), significand); }

    constexpr bool is_normal() const {
        return exponent() != 0 && exponent() != kMaxExponent && significand >> 63;
    }
    constexpr bool is_zero() const { return exponent() == 0 && significand == 0; }
    // Also pseudo-denormals, which have exponent 0 and the integer bit set.
    constexpr bool is_denormal() const { return exponent() == 0 && significand != 0; }
    constexpr bool is_infinite() const {
        return exponent() == kMaxExponent && significand == kIntegerBit;
    }
    // Formats that only the 8087 and 80287 accept as numbers: unnormals, pseudo-infinities,
    // pseudo-NaNs.
    constexpr bool is_unsupported() const { return exponent() != 0 && !(significand >> 63); }
    constexpr bool is_nan() const {
        return exponent() == kMaxExponent && significand > kIntegerBit;
    }
    constexpr bool is_signalling() const { return is_nan() && !(significand & kQuietBit); }
    constexpr Float80 quieted() const { return {significand | kQuietBit, sign_exponent}; }
    // Only a pseudo-denormal changes: it becomes the normal number that it equals.
    constexpr Float80 canonical() const {
        return is_denormal() && significand >> 63 ? make(sign(), 1, significand) : *this;
    }
};

constexpr bool operator==(const Float80& a, const Float80& b) {
    return a.significand == b.significand && a.sign_exponent == b.sign_exponent;
}
constexpr bool operator!=(const Float80& a, const Float80& b) {
    return !(a == b);
}

}  // namespace symsim
