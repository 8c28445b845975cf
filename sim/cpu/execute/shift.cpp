// SPDX-License-Identifier: MIT
// Shifts and rotates of one operand: shl shr sar rol ror rcl rcr. The 386 takes the count modulo
// 32. A count of zero changes no flag.
#include "sim/cpu/execute/operands.h"

namespace symsim {
namespace {

template <unsigned Size>
constexpr unsigned kBits = 8 * Size;

// Sets the flags of shl and shr, with those that the manual leaves undefined (flags.h).
template <unsigned Size>
void set_shift_flags(Flags& flags, std::uint32_t result, bool carry, bool overflow) {
    flags.after_logic<Size>(result);
    if (Size < 4) flags.set_af();
    flags.set_cf_of(carry, overflow);
}

// A byte shifted by 16 or 24 has the carry of a shift by 8.
template <unsigned Size>
constexpr unsigned carry_count(unsigned count) {
    return Size == 1 && count % 8 == 0 ? 8 : count;
}

struct Shl {
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, unsigned count) {
        const auto result = static_cast<std::uint32_t>(std::uint64_t{a} << count);
        const bool carry = std::uint64_t{a} << carry_count<Size>(count) >> kBits<Size> & 1;
        set_shift_flags<Size>(flags, result, carry, carry != sign<Size>(result));
        return result;
    }
};
struct Shr {
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, unsigned count) {
        const std::uint32_t result = a >> count;
        const bool carry = a >> (carry_count<Size>(count) - 1) & 1;
        set_shift_flags<Size>(flags, result, carry, top_bits_differ<Size>(result));
        return result;
    }
};
struct Sar {
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, unsigned count) {
        const auto wide = static_cast<std::int32_t>(sign_extend<Size>(a));
        const auto result = static_cast<std::uint32_t>(wide >> count);
        flags.after_logic<Size>(result);
        flags.set_cf_of(wide >> (count - 1) & 1, false);
        return result;
    }
};
struct Rol {
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, unsigned count) {
        const unsigned n = count % kBits<Size>;
        const std::uint32_t result = n == 0 ? a : a << n | a >> (kBits<Size> - n);
        flags.set_cf_of(result & 1, (result & 1) != sign<Size>(result));
        return result;
    }
};
struct Ror {
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, unsigned count) {
        const unsigned n = count % kBits<Size>;
        const std::uint32_t result = n == 0 ? a : a >> n | a << (kBits<Size> - n);
        flags.set_cf_of(sign<Size>(result), top_bits_differ<Size>(result));
        return result;
    }
};
// Rotates through carry: CF and the operand below it rotate as one value of 9, 17 or 33 bits. A
// rotation by all of its bits sets OF as by the last step.
template <bool Left>
struct RotateCarry {
    template <unsigned Size>
    static std::uint32_t apply(Flags& flags, std::uint32_t a, unsigned count) {
        constexpr unsigned all = kBits<Size> + 1;
        const unsigned n = count % all;
        const std::uint64_t wide = a | std::uint64_t{flags.cf()} << kBits<Size>;
        const std::uint64_t turned =
            Left ? wide << n | wide >> (all - n) : wide >> n | wide << (all - n);
        const auto result = static_cast<std::uint32_t>(turned);
        const bool carry = turned >> kBits<Size> & 1;
        flags.set_cf_of(carry, Left ? carry != sign<Size>(result) : top_bits_differ<Size>(result));
        return result;
    }
};
template <class Operation, unsigned Size, bool Memory, bool Immediate>
struct Shift {
    template <class Cpu>
    static bool execute(Cpu& cpu, const Op& op) {
        const unsigned count = (Immediate ? op.immediate : cpu.regs()[ecx]) & 31;
        std::uint32_t value;
        if (!load_destination<Size, Memory>(cpu, op, value)) return false;
        Flags flags = cpu.flags();
        if (count != 0) value = Operation::template apply<Size>(flags, value, count);
        if (!store_operand<Size, Memory>(cpu, op, value)) return false;
        cpu.flags() = flags;
        return true;
    }
};

template <class Operation>
Routine find(const Shape& shape) {
    return by_size(shape.size, [&](auto size) -> Routine {
        if (has_memory(shape.form))
            return shape.immediate ? fast_store<Shift<Operation, size, true, true>>()
                                   : fast_store<Shift<Operation, size, true, false>>();
        return shape.immediate ? fast<Shift<Operation, size, false, true>>()
                               : fast<Shift<Operation, size, false, false>>();
    });
}

}  // namespace

Routine find_shift(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_SHL, find<Shl>},
        {ZYDIS_MNEMONIC_SHR, find<Shr>},
        {ZYDIS_MNEMONIC_SAR, find<Sar>},
        {ZYDIS_MNEMONIC_ROL, find<Rol>},
        {ZYDIS_MNEMONIC_ROR, find<Ror>},
        {ZYDIS_MNEMONIC_RCL, find<RotateCarry<true>>},
        {ZYDIS_MNEMONIC_RCR, find<RotateCarry<false>>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
