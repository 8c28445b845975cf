// SPDX-License-Identifier: MIT
// Shifts and rotates: shl shr sar rol ror rcl rcr, and of two operands side by side: shld shrd. The
// 386 takes the count modulo 32. A count of zero changes no flag.
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
Routine find_double(const Shape& shape) {
    return by_word_operand(shape, [&](auto size, auto memory) -> Routine {
        return shape.immediate ? double_shift<Operation, size, memory, true>
                               : double_shift<Operation, size, memory, false>;
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
        {ZYDIS_MNEMONIC_SHLD, find_double<Shld>},
        {ZYDIS_MNEMONIC_SHRD, find_double<Shrd>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
