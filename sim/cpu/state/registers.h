// SPDX-License-Identifier: MIT
// The 386's eight general registers, with access to their byte and word parts.
#pragma once

#include <array>
#include <cstdint>

namespace symsim {

enum Reg : std::uint8_t { eax, ecx, edx, ebx, esp, ebp, esi, edi, kNoReg = 0xff };

struct Registers {
    std::array<std::uint32_t, 8> r{};

    std::uint32_t& operator[](std::size_t n) { return r[n]; }
    std::uint32_t operator[](std::size_t n) const { return r[n]; }

    // Register number as the instruction encodes it: for a byte, 4 to 7 are ah, ch, dh, bh.
    template <unsigned Size>
    std::uint32_t get(unsigned n) const {
        if constexpr (Size == 1) return n < 4 ? r[n] & 0xff : r[n - 4] >> 8 & 0xff;
        if constexpr (Size == 2) return r[n] & 0xffff;
        return r[n];
    }
    template <unsigned Size>
    void set(unsigned n, std::uint32_t value) {
        if constexpr (Size == 1) {
            if (n < 4)
                r[n] = (r[n] & ~0xffu) | (value & 0xff);
            else
                r[n - 4] = (r[n - 4] & ~0xff00u) | (value & 0xff) << 8;
        } else if constexpr (Size == 2) {
            r[n] = (r[n] & ~0xffffu) | (value & 0xffff);
        } else {
            r[n] = value;
        }
    }
};

}  // namespace symsim
