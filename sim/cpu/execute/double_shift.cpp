// SPDX-License-Identifier: MIT
// Double shifts: shld shrd.
#include "sim/cpu/execute/operands.h"

namespace symsim {
namespace {

// The two operands side by side. For 16-bit operands the destination is on both sides of the
// source: shld and shrd add it at the other end. So a count above 16, which the manual leaves
// undefined, shifts the destination in again, as on Intel's processors.
template <unsigned Size>
std::uint64_t join(std::uint32_t high, std::uint32_t low) {
    if constexpr (Size == 2) return std::uint64_t{high} << 16 | low;
    return std::uint64_t{high} << 32 | low;
}

struct Shld {
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b, unsigned count) {
        std::uint64_t wide = join<Size>(a, b);
        constexpr unsigned width = Size == 2 ? 48 : 64;
        if constexpr (Size == 2) wide = wide << 16 | a;
        const auto result = static_cast<std::uint32_t>(wide >> (width - 8 * Size - count));
        flags.after_logic<Size>(result);
        flags.set_cf_of(wide >> (width - count) & 1, sign<Size>(result ^ a));
        return result;
    }
};
struct Shrd {
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b, unsigned count) {
        std::uint64_t wide = join<Size>(b, a);
        if constexpr (Size == 2) wide |= std::uint64_t{a} << 32;
        const auto result = static_cast<std::uint32_t>(wide >> count);
        flags.after_logic<Size>(result);
        flags.set_cf_of(wide >> (count - 1) & 1, sign<Size>(result ^ a));
        return result;
    }
};

template <class Operation, unsigned Size, bool Memory, bool Immediate>
bool double_shift(Processor& cpu, const Op& op) {
    const unsigned count = (Immediate ? op.immediate : cpu.regs()[ecx]) & 31;
    std::uint32_t value;
    if (!load_destination<Size, Memory>(cpu, op, value)) return false;
    const std::uint32_t source = cpu.regs().get<Size>(op.src);
    Flags flags = cpu.flags();
    if (count != 0) value = Operation::template apply<Size>(flags, value, source, count);
    if (!store_operand<Size, Memory>(cpu, op, value)) return false;
    cpu.flags() = flags;
    return true;
}

template <class Operation>
Routine find(const Shape& shape) {
    return by_word_operand(shape, [&](auto size, auto memory) -> Routine {
        return shape.immediate ? double_shift<Operation, size, memory, true>
                               : double_shift<Operation, size, memory, false>;
    });
}

}  // namespace

Routine find_double_shift(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_SHLD, find<Shld>},
        {ZYDIS_MNEMONIC_SHRD, find<Shrd>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
