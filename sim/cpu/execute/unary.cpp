// SPDX-License-Identifier: MIT
// Arithmetic and logic with one operand: inc dec neg not.
#include "sim/cpu/execute/operands.h"

namespace symsim {
namespace {

// inc and dec do not change CF.
template <bool Up>
struct Step {
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a) {
        const bool carry = flags.cf();
        const std::uint32_t result = Up ? a + 1 : a - 1;
        Up ? flags.after_add<Size>(a, 1, result) : flags.after_subtract<Size>(a, 1, result);
        flags.set_cf(carry);
        return result;
    }
};
struct Neg {
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a) {
        flags.after_subtract<Size>(0, a, 0 - a);
        return 0 - a;
    }
};
struct Not {
    template <unsigned Size>
    static std::uint32_t apply(Flags&, std::uint32_t a) {
        return ~a;
    }
};

template <class Operation, unsigned Size, bool Memory>
struct OneOperand {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        std::uint32_t value;
        if (!load_destination<Size, Memory>(cpu, op, value)) return false;
        Flags flags = cpu.flags();
        const std::uint32_t result = Operation::template apply<Size>(flags, value);
        if (!store_operand<Size, Memory>(cpu, op, result)) return false;
        cpu.flags() = flags;
        return true;
    }
};

template <class Operation>
Routine find(const Shape& shape) {
    return by_size(shape.size, [&](auto size) -> Routine {
        return has_memory(shape.form) ? fast_store<OneOperand<Operation, size, true>>()
                                      : fast<OneOperand<Operation, size, false>>();
    });
}

}  // namespace

Routine find_unary(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_INC, find<Step<true>>},
        {ZYDIS_MNEMONIC_DEC, find<Step<false>>},
        {ZYDIS_MNEMONIC_NEG, find<Neg>},
        {ZYDIS_MNEMONIC_NOT, find<Not>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
