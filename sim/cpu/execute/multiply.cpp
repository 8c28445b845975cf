// SPDX-License-Identifier: MIT
// Multiplication and division: mul imul div idiv.
#include "sim/cpu/execute/operands.h"
#include "sim/cpu/isa/clocks.h"

namespace symsim {
namespace {

// Operands of double width (products, dividends) are in ax, dx:ax or edx:eax.
template <unsigned Size>
std::uint64_t wide_accumulator(const Registers& regs) {
    if constexpr (Size == 1) return regs.get<2>(eax);
    return std::uint64_t{regs.get<Size>(edx)} << (8 * Size) | regs.get<Size>(eax);
}
template <unsigned Size>
void set_wide_accumulator(Registers& regs, std::uint64_t value) {
    const auto low = static_cast<std::uint32_t>(value);
    const auto high = static_cast<std::uint32_t>(value >> (8 * Size));
    if constexpr (Size == 1) {
        regs.set<2>(eax, low);
    } else {
        regs.set<Size>(eax, low);
        regs.set<Size>(edx, high);
    }
}
template <unsigned Size>
std::int64_t as_signed(std::uint32_t value) {
    return static_cast<std::int32_t>(sign_extend<Size>(value));
}

template <unsigned Size, bool Memory>
bool mul(Processor& cpu, const Op& op) {
    std::uint32_t multiplier;
    if (!load_operand<Size, Memory>(cpu, op, op.dst, multiplier)) return false;
    const std::uint64_t product = std::uint64_t{cpu.regs().get<Size>(eax)} * multiplier;
    set_wide_accumulator<Size>(cpu.regs(), product);
    const bool large = product >> (8 * Size) != 0;
    cpu.flags().set_cf_of(large, large);
    cpu.add_clocks(multiplier_clocks(multiplier));
    return true;
}

// CF and OF are set if the product does not fit in the low half.
template <unsigned Size>
void set_signed_product_flags(Flags& flags, std::int64_t product) {
    const bool large = product != as_signed<Size>(static_cast<std::uint32_t>(product));
    flags.set_cf_of(large, large);
}
unsigned signed_multiplier_clocks(std::int64_t multiplier) {
    return multiplier_clocks(static_cast<std::uint32_t>(multiplier < 0 ? -multiplier : multiplier));
}

template <unsigned Size, bool Memory>
bool imul_wide(Processor& cpu, const Op& op) {
    std::uint32_t value;
    if (!load_operand<Size, Memory>(cpu, op, op.dst, value)) return false;
    const std::int64_t multiplier = as_signed<Size>(value);
    const std::int64_t product = as_signed<Size>(cpu.regs().get<Size>(eax)) * multiplier;
    set_wide_accumulator<Size>(cpu.regs(), static_cast<std::uint64_t>(product));
    set_signed_product_flags<Size>(cpu.flags(), product);
    cpu.add_clocks(signed_multiplier_clocks(multiplier));
    return true;
}

// The multiplier, which decides the clocks, is the second operand in imul r, r/m, and the immediate
// in imul r, r/m, imm.
template <unsigned Size, bool Memory, bool Immediate>
bool imul(Processor& cpu, const Op& op) {
    std::uint32_t value;
    if (!load_operand<Size, Memory>(cpu, op, op.src, value)) return false;
    const std::int64_t second = as_signed<Size>(value);
    const std::int64_t multiplier = Immediate ? as_signed<Size>(op.immediate) : second;
    const std::int64_t multiplicand =
        Immediate ? second : as_signed<Size>(cpu.regs().get<Size>(op.dst));
    const std::int64_t product = multiplicand * multiplier;
    cpu.regs().set<Size>(op.dst, static_cast<std::uint32_t>(product));
    set_signed_product_flags<Size>(cpu.flags(), product);
    cpu.add_clocks(signed_multiplier_clocks(multiplier));
    return true;
}

template <unsigned Size>
void set_quotient(Registers& regs, std::uint32_t quotient, std::uint32_t remainder) {
    if constexpr (Size == 1) {
        regs.set<2>(eax, (quotient & 0xff) | (remainder & 0xff) << 8);
    } else {
        regs.set<Size>(eax, quotient);
        regs.set<Size>(edx, remainder);
    }
}

template <unsigned Size, bool Memory>
bool div(Processor& cpu, const Op& op) {
    std::uint32_t divisor;
    if (!load_operand<Size, Memory>(cpu, op, op.dst, divisor)) return false;
    const std::uint64_t dividend = wide_accumulator<Size>(cpu.regs());
    if (divisor == 0) return cpu.raise(Fault::divide_error);
    const std::uint64_t quotient = dividend / divisor;
    if (quotient > kMask<Size>) return cpu.raise(Fault::divide_error);
    set_quotient<Size>(cpu.regs(), static_cast<std::uint32_t>(quotient),
                       static_cast<std::uint32_t>(dividend % divisor));
    return true;
}

template <unsigned Size, bool Memory>
bool idiv(Processor& cpu, const Op& op) {
    std::uint32_t value;
    if (!load_operand<Size, Memory>(cpu, op, op.dst, value)) return false;
    // A shift left and back right sign-extends the dividend to 64 bits.
    constexpr unsigned spare = 64 - 16 * Size;
    const std::int64_t dividend =
        static_cast<std::int64_t>(wide_accumulator<Size>(cpu.regs()) << spare) >> spare;
    const std::int64_t divisor = as_signed<Size>(value);
    if (divisor == 0) return cpu.raise(Fault::divide_error);
    // The host's division would overflow here too.
    if (divisor == -1 && dividend == INT64_MIN) return cpu.raise(Fault::divide_error);
    const std::int64_t quotient = dividend / divisor;
    if (quotient != as_signed<Size>(static_cast<std::uint32_t>(quotient)))
        return cpu.raise(Fault::divide_error);
    set_quotient<Size>(cpu.regs(), static_cast<std::uint32_t>(quotient),
                       static_cast<std::uint32_t>(dividend % divisor));
    return true;
}

Routine find_imul(const Shape& shape) {
    if (shape.form == Form::r || shape.form == Form::m)
        return by_operand(
            shape, [](auto size, auto memory) -> Routine { return imul_wide<size, memory>; });
    return by_word_operand(shape, [&](auto size, auto memory) -> Routine {
        return shape.immediate ? imul<size, memory, true> : imul<size, memory, false>;
    });
}

}  // namespace

Routine find_multiply(const Shape& shape) {
    switch (shape.mnemonic) {
        case ZYDIS_MNEMONIC_IMUL:
            return find_imul(shape);
        case ZYDIS_MNEMONIC_MUL:
            return by_operand(shape,
                              [](auto size, auto memory) -> Routine { return mul<size, memory>; });
        case ZYDIS_MNEMONIC_DIV:
            return by_operand(shape,
                              [](auto size, auto memory) -> Routine { return div<size, memory>; });
        case ZYDIS_MNEMONIC_IDIV:
            return by_operand(shape,
                              [](auto size, auto memory) -> Routine { return idiv<size, memory>; });
        default:
            return nullptr;
    }
}

}  // namespace symsim
