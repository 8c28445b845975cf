// SPDX-License-Identifier: MIT
// Arithmetic and logic with two operands: add or adc sbb and sub xor cmp test; with one: inc dec
// neg not.

#include "sim/cpu/execute/operands.h"

namespace symsim {
namespace {

// Each operation computes its result and sets its flags. kStores: the result is written to the
// destination. `Carry`: CF is added, or subtracted, too.
template <bool Carry>
struct Add {
    static constexpr bool kStores = true;
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b) {
        const std::uint32_t sum = a + b + (Carry && flags.cf());
        flags.after_add<Size>(a, b, sum);
        return sum;
    }
};

template <bool Carry, bool Stores = true>
struct Sub {
    static constexpr bool kStores = Stores;
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b) {
        const std::uint32_t difference = a - b - (Carry && flags.cf());
        flags.after_subtract<Size>(a, b, difference);
        return difference;
    }
};

template <class Function, bool Stores = true>
struct Logic {
    static constexpr bool kStores = Stores;
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b) {
        const std::uint32_t result = Function()(a, b);
        flags.after_logic<Size>(result);
        return result;
    }
};
using And = std::bit_and<std::uint32_t>;

template <class Operation, unsigned Size, Form F>
struct TwoOperands {
    static constexpr bool kImmediate = F == Form::ri || F == Form::mi;

    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        Registers& regs = cpu.regs();
        if constexpr (F == Form::mr || F == Form::mi) {
            const Address address = effective_address(cpu, op);
            std::uint32_t value;
            if (!load<Operation::kStores>(cpu, op, address, value)) return false;
            Flags flags = cpu.flags();
            const std::uint32_t source = kImmediate ? op.immediate : regs.get<Size>(op.src);
            const std::uint32_t result = Operation::template apply<Size>(flags, value, source);
            if constexpr (Operation::kStores) {
                if (!cpu.template write<Size>(op, address, result & kMask<Size>)) return false;
            }
            cpu.flags() = flags;
        } else {
            std::uint32_t source = op.immediate;
            if constexpr (!kImmediate) {
                if (!load_operand<Size, F == Form::rm>(cpu, op, op.src, source)) return false;
            }
            const std::uint32_t result =
                Operation::template apply<Size>(cpu.flags(), regs.get<Size>(op.dst), source);
            if constexpr (Operation::kStores) regs.set<Size>(op.dst, result);
        }
        return true;
    }

  private:
    template <bool ForWrite, class Cpu>
    static bool load(Cpu& cpu, const Op& op, Address address, std::uint32_t& value) {
        if constexpr (ForWrite) return cpu.template read_for_write<Size>(op, address, value);
        return cpu.template read<Size>(op, address, value);
    }
};

template <class Operation, unsigned Size, Form F>
constexpr Routine two_operands() {
    using Instruction = TwoOperands<Operation, Size, F>;
    if constexpr (Operation::kStores && (F == Form::mr || F == Form::mi))
        return fast_store<Instruction>();
    else
        return fast<Instruction>();
}

template <class Operation>
Routine find(const Shape& shape) {
    return by_size(shape.size, [&](auto size) -> Routine {
        return by_form(shape.form, size, [](auto bytes, auto form) {
            return two_operands<Operation, bytes, form>();
        });
    });
}

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
Routine find_unary(const Shape& shape) {
    return by_size(shape.size, [&](auto size) -> Routine {
        return has_memory(shape.form) ? fast_store<OneOperand<Operation, size, true>>()
                                      : fast<OneOperand<Operation, size, false>>();
    });
}

}  // namespace

Routine find_arithmetic(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_ADD, find<Add<false>>},
        {ZYDIS_MNEMONIC_OR, find<Logic<std::bit_or<std::uint32_t>>>},
        {ZYDIS_MNEMONIC_ADC, find<Add<true>>},
        {ZYDIS_MNEMONIC_SBB, find<Sub<true>>},
        {ZYDIS_MNEMONIC_AND, find<Logic<And>>},
        {ZYDIS_MNEMONIC_SUB, find<Sub<false>>},
        {ZYDIS_MNEMONIC_XOR, find<Logic<std::bit_xor<std::uint32_t>>>},
        {ZYDIS_MNEMONIC_CMP, find<Sub<false, false>>},
        {ZYDIS_MNEMONIC_TEST, find<Logic<And, false>>},
        {ZYDIS_MNEMONIC_INC, find_unary<Step<true>>},
        {ZYDIS_MNEMONIC_DEC, find_unary<Step<false>>},
        {ZYDIS_MNEMONIC_NEG, find_unary<Neg>},
        {ZYDIS_MNEMONIC_NOT, find_unary<Not>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
