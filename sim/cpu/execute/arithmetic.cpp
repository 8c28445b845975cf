// SPDX-License-Identifier: MIT
// Arithmetic and logic with two operands: add or adc sbb and sub xor cmp test.
#include "sim/cpu/execute/operands.h"

namespace symsim {
namespace {

// Each operation computes its result and sets its flags. kStores: the result is written to the
// destination.
struct Add {
    static constexpr bool kStores = true;
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b) {
        const std::uint32_t sum = a + b;
        flags.after_add<Size>(a, b, sum);
        return sum;
    }
};
struct Adc {
    static constexpr bool kStores = true;
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b) {
        const std::uint32_t sum = a + b + flags.cf();
        flags.after_add<Size>(a, b, sum);
        return sum;
    }
};
struct Sub {
    static constexpr bool kStores = true;
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b) {
        const std::uint32_t difference = a - b;
        flags.after_subtract<Size>(a, b, difference);
        return difference;
    }
};
struct Sbb {
    static constexpr bool kStores = true;
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b) {
        const std::uint32_t difference = a - b - flags.cf();
        flags.after_subtract<Size>(a, b, difference);
        return difference;
    }
};
struct Cmp : Sub {
    static constexpr bool kStores = false;
};
struct And {
    static constexpr bool kStores = true;
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b) {
        flags.after_logic<Size>(a & b);
        return a & b;
    }
};
struct Test : And {
    static constexpr bool kStores = false;
};
struct Or {
    static constexpr bool kStores = true;
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b) {
        flags.after_logic<Size>(a | b);
        return a | b;
    }
};
struct Xor {
    static constexpr bool kStores = true;
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, std::uint32_t b) {
        flags.after_logic<Size>(a ^ b);
        return a ^ b;
    }
};

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
        switch (shape.form) {
            case Form::rr:
                return two_operands<Operation, size, Form::rr>();
            case Form::ri:
                return two_operands<Operation, size, Form::ri>();
            case Form::rm:
                return two_operands<Operation, size, Form::rm>();
            case Form::mr:
                return two_operands<Operation, size, Form::mr>();
            case Form::mi:
                return two_operands<Operation, size, Form::mi>();
            default:
                return nullptr;
        }
    });
}

}  // namespace

Routine find_arithmetic(const Shape& shape) {
    switch (shape.mnemonic) {
        case ZYDIS_MNEMONIC_ADD:
            return find<Add>(shape);
        case ZYDIS_MNEMONIC_OR:
            return find<Or>(shape);
        case ZYDIS_MNEMONIC_ADC:
            return find<Adc>(shape);
        case ZYDIS_MNEMONIC_SBB:
            return find<Sbb>(shape);
        case ZYDIS_MNEMONIC_AND:
            return find<And>(shape);
        case ZYDIS_MNEMONIC_SUB:
            return find<Sub>(shape);
        case ZYDIS_MNEMONIC_XOR:
            return find<Xor>(shape);
        case ZYDIS_MNEMONIC_CMP:
            return find<Cmp>(shape);
        case ZYDIS_MNEMONIC_TEST:
            return find<Test>(shape);
        default:
            return nullptr;
    }
}

}  // namespace symsim
