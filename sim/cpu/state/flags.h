// SPDX-License-Identifier: MIT
// The 386's flags, computed lazily: only when they are read.
//
// Most flags are never read. So an operation stores only what its flags are computed from. That is
// its result, sign-extended to 32 bits, and the packed vector of carries out of each bit position.
// CF, OF and AF are bits of the vector. ZF, SF and PF are computed from the result. The kind of
// operation need not be known, so testing a condition needs no switch over kinds of operation.
//
// Flags that the manual (PRM) leaves undefined have these values here. "386SX": test386.asm (Marco
// Bortolin, README and POST E0) gives them and tried them on a 386SX. The others are choices.
//
//   after                          flags            value                                 source
//   aaa, aas                       OF SF ZF PF      of the byte's sum or difference       386SX
//   aad                            CF OF AF         of the byte's sum                     386SX
//   aam                            CF OF AF         0                                     386SX
//   daa, das                       OF               of the byte's sum or difference       386SX
//   shl, shr of bytes and words    AF               1                                     386SX
//   shl, shr of a byte by 16, 24   CF (OF of shl)   as by 8                               386SX
//   rcl, rcr by 9 (17 for a word)  CF, OF           CF unchanged, OF by the last step     386SX
//   bt, bts, btr, btc              OF               of rcr by one bit more, from CF 0     386SX
//   bt, bts, btr, btc              SF ZF AF PF      unchanged                             386SX
//   other shifts, rotates          OF               by the rule for one, for the last step
//   sar, shld, shrd, shl and shr   AF               0, as on the 486 and later
//     of dwords, and, or, xor, test
//   mul, imul                      SF ZF AF PF      unchanged
//   div, idiv                      all              unchanged
//   bsf, bsr                       all but ZF       unchanged
#pragma once

#include <cstdint>

namespace symsim {

struct Flags {
    enum Bit : std::uint32_t {
        kCarry = 1u << 0,
        kParity = 1u << 2,
        kAuxiliary = 1u << 4,
        kZero = 1u << 6,
        kSign = 1u << 7,
        kTrap = 1u << 8,
        kInterrupt = 1u << 9,
        kDirection = 1u << 10,
        kOverflow = 1u << 11,
        kPrivilege = 3u << 12,
        kNested = 1u << 14,
        kResume = 1u << 16,
        kVirtual = 1u << 17,         // virtual-8086 mode
        kAlignment = 1u << 18,       // from the 486 on: stored there, without effect
        kIdentification = 1u << 21,  // from the 586 on, likewise: it has cpuid
        kArithmetic = kCarry | kParity | kAuxiliary | kZero | kSign | kOverflow,
        kSystem = kTrap | kInterrupt | kDirection | kPrivilege | kNested | kResume | kVirtual |
                  kAlignment | kIdentification,
        kAlwaysSet = 1u << 1,
    };

    std::uint32_t result = 1;  // sign-extended
    // Bit 31 is CF, bit 30 CF^OF, bit 3 AF. Bits 8 to 15 invert bits of the byte that PF is
    // computed from, and bit 0 inverts SF: for combinations of flags that no result has.
    std::uint32_t carries = 0;
    std::uint32_t system = 0;  // kSystem bits

    Flags() { set(0); }

    bool cf() const { return carries >> 31; }
    bool of() const { return (carries ^ carries << 1) >> 31; }
    bool af() const { return carries >> 3 & 1; }
    bool zf() const { return result == 0; }
    bool sf() const { return (result >> 31) ^ (carries & 1); }
    bool pf() const { return !(0x6996 >> ((low_byte() ^ low_byte() >> 4) & 15) & 1); }
    bool df() const { return system & kDirection; }
    unsigned iopl() const { return system >> 12 & 3; }

    std::uint32_t value() const {
        return kAlwaysSet | system | (cf() ? kCarry : 0u) | (pf() ? kParity : 0u) |
               (af() ? kAuxiliary : 0u) | (zf() ? kZero : 0u) | (sf() ? kSign : 0u) |
               (of() ? kOverflow : 0u);
    }

    void set(std::uint32_t value) {
        system = value & kSystem;
        const bool carry = value & kCarry, overflow = value & kOverflow;
        result = value & kZero ? 0 : 0x100;  // sign clear, parity even
        carries = std::uint32_t{carry} << 31 | std::uint32_t{carry != overflow} << 30 |
                  (value & kParity ? 0u : 0x100u) | (value & kAuxiliary ? 8u : 0u) |
                  (value & kSign ? 1u : 0u);
    }
    // Replaces the flags in `mask`. For rare instructions.
    void set(std::uint32_t mask, std::uint32_t bits) { set((value() & ~mask) | (bits & mask)); }

    template <unsigned Size>
    void after_add(std::uint32_t a, std::uint32_t b, std::uint32_t sum) {
        result = extend<Size>(sum);
        carries = pack<Size>((a & b) | ((a | b) & ~sum));
    }
    template <unsigned Size>
    void after_subtract(std::uint32_t a, std::uint32_t b, std::uint32_t difference) {
        result = extend<Size>(difference);
        carries = pack<Size>((~a & b) | (~(a ^ b) & difference));
    }
    template <unsigned Size>
    void after_logic(std::uint32_t value) {
        result = extend<Size>(value);
        carries = 0;
    }
    void set_cf(bool carry) {
        if (carry != cf()) carries ^= 0xc000'0000;  // inverts CF^OF too, so OF stays
    }
    void set_af() { carries |= 8; }
    void set_cf_of(bool carry, bool overflow) {
        carries = (carries & 0x3fff'ffff) | std::uint32_t{carry} << 31 |
                  std::uint32_t{carry != overflow} << 30;
    }

    // Conditions as the instructions encode them: o no b ae e ne be a s ns p np l ge le g.
    bool condition(unsigned code) const {
        bool met = false;
        switch (code >> 1) {
            case 0:
                met = of();
                break;
            case 1:
                met = cf();
                break;
            case 2:
                met = zf();
                break;
            case 3:
                met = cf() || zf();
                break;
            case 4:
                met = sf();
                break;
            case 5:
                met = pf();
                break;
            case 6:
                met = sf() != of();
                break;
            default:
                met = zf() || sf() != of();
                break;
        }
        return met != (code & 1);
    }

    // Equal fields mean equal flags; the reverse does not hold.
    bool operator==(const Flags& other) const {
        return result == other.result && carries == other.carries && system == other.system;
    }
    bool operator!=(const Flags& other) const { return !(*this == other); }

  private:
    std::uint32_t low_byte() const { return (result ^ carries >> 8) & 0xff; }

    template <unsigned Size>
    static std::uint32_t extend(std::uint32_t value) {
        if constexpr (Size == 1) return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
        if constexpr (Size == 2)
            return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
        return value;
    }
    template <unsigned Size>
    static std::uint32_t pack(std::uint32_t vector) {
        return (vector << (32 - 8 * Size) & 0xc000'0000) | (vector & 8);
    }
};

}  // namespace symsim
