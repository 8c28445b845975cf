// SPDX-License-Identifier: MIT
// Reads and writes the 80387's memory operands, a dword at a time; the rest is a word.
#include "sim/cpu/execute/float_operands.h"

namespace symsim {

bool read_float_bytes(Processor& cpu, const Op& op, unsigned size, FloatBytes& bytes) {
    const Address at = effective_address(cpu.regs(), op);
    std::uint32_t value;
    unsigned n = 0;
    for (; n + 4 <= size; n += 4) {
        if (!cpu.read<4>(op, address_after(op, at, n), value)) return false;
        put_bytes<4>(bytes, n, value);
    }
    if (n == size) return true;
    if (!cpu.read<2>(op, address_after(op, at, n), value)) return false;
    put_bytes<2>(bytes, n, value);
    return true;
}

bool write_float_bytes(Processor& cpu, const Op& op, unsigned size, const FloatBytes& bytes) {
    const Address at = effective_address(cpu.regs(), op);
    unsigned n = 0;
    for (; n + 4 <= size; n += 4) {
        const auto value = static_cast<std::uint32_t>(get_bytes<4>(bytes, n));
        if (!cpu.write<4>(op, address_after(op, at, n), value)) return false;
    }
    return n == size || cpu.write<2>(op, address_after(op, at, n),
                                     static_cast<std::uint32_t>(get_bytes<2>(bytes, n)));
}

}  // namespace symsim
