// SPDX-License-Identifier: MIT
// Bit test and bit scan: bt bts btr btc, bsf bsr.
#include "sim/cpu/execute/operands.h"
#include "sim/cpu/isa/clocks.h"

namespace symsim {
namespace {

struct Bt {
    static constexpr bool kStores = false;
    static std::uint32_t apply(std::uint32_t value, std::uint32_t) { return value; }
};
struct Bts {
    static constexpr bool kStores = true;
    static std::uint32_t apply(std::uint32_t value, std::uint32_t bit) { return value | bit; }
};
struct Btr {
    static constexpr bool kStores = true;
    static std::uint32_t apply(std::uint32_t value, std::uint32_t bit) { return value & ~bit; }
};
struct Btc {
    static constexpr bool kStores = true;
    static std::uint32_t apply(std::uint32_t value, std::uint32_t bit) { return value ^ bit; }
};

// The address of the word or dword that contains the bit. With a bit offset in a register, the
// memory operand is the base of a bit string: the offset is signed and may reach beyond the
// operand. An immediate bit offset is taken modulo the operand size.
template <unsigned Size>
Address bit_string_address(const Registers& regs, const Op& op, std::uint32_t number) {
    const auto bit = static_cast<std::int32_t>(sign_extend<Size>(number));
    const auto unit = static_cast<std::uint32_t>(bit >> (Size == 2 ? 4 : 5));
    const Address address = effective_address(regs, op) + unit * Size;
    return op.address_size == 2 ? address & 0xffff : address;
}

// OF of rcr by one more than the bit's number, from CF 0: the processor rotates the bit into CF
// (flags.h).
template <unsigned Size>
bool rotation_overflows(std::uint32_t value, unsigned number) {
    const std::uint64_t wide = value;
    return top_bits_differ<Size>(
        static_cast<std::uint32_t>(wide >> (number + 1) | wide << (8 * Size - number)));
}

template <class Operation, unsigned Size, Form F>
bool test_bit(Processor& cpu, const Op& op) {
    constexpr bool memory = F == Form::mr || F == Form::mi;
    constexpr bool immediate = F == Form::ri || F == Form::mi;
    Registers& regs = cpu.regs();
    const std::uint32_t number = immediate ? op.immediate : regs.get<Size>(op.src);
    const std::uint32_t bit = 1u << (number % (8 * Size));
    Address address = 0;
    std::uint32_t value;
    if constexpr (memory) {
        address =
            immediate ? effective_address(regs, op) : bit_string_address<Size>(regs, op, number);
        if (!(Operation::kStores ? cpu.read_for_write<Size>(op, address, value)
                                 : cpu.read<Size>(op, address, value)))
            return false;
    } else {
        value = regs.get<Size>(op.dst);
    }
    if constexpr (Operation::kStores) {
        const std::uint32_t result = Operation::apply(value, bit);
        if constexpr (memory) {
            if (!cpu.write<Size>(op, address, result)) return false;
        } else {
            regs.set<Size>(op.dst, result);
        }
    }
    cpu.flags().set_cf_of(value & bit, rotation_overflows<Size>(value, number % (8 * Size)));
    return true;
}

// If the operand is zero, only ZF changes. The destination is unchanged, as on the 386 and 486.
template <unsigned Size, bool Memory, bool Forward>
bool scan(Processor& cpu, const Op& op) {
    std::uint32_t value;
    if (!load_operand<Size, Memory>(cpu, op, op.src, value)) return false;
    cpu.flags().set(Flags::kZero, value == 0 ? +Flags::kZero : 0u);
    if (value == 0) return true;
    unsigned place = Forward ? 0 : 8 * Size - 1;
    unsigned passed = 0;
    while (!(value >> place & 1)) {
        place = Forward ? place + 1 : place - 1;
        ++passed;
    }
    cpu.regs().set<Size>(op.dst, place);
    cpu.add_clocks(scan_clocks(passed));
    return true;
}

template <class Operation>
Routine find_test(const Shape& shape) {
    return by_word_size(shape.size, [&](auto size) -> Routine {
        return by_form(shape.form, size, [](auto bytes, auto form) -> Routine {
            return test_bit<Operation, bytes, form>;
        });
    });
}

template <bool Forward>
Routine find_scan(const Shape& shape) {
    return by_word_operand(
        shape, [](auto size, auto memory) -> Routine { return scan<size, memory, Forward>; });
}

}  // namespace

Routine find_bit(const Shape& shape) {
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_BT, find_test<Bt>},    {ZYDIS_MNEMONIC_BTS, find_test<Bts>},
        {ZYDIS_MNEMONIC_BTR, find_test<Btr>},  {ZYDIS_MNEMONIC_BTC, find_test<Btc>},
        {ZYDIS_MNEMONIC_BSF, find_scan<true>}, {ZYDIS_MNEMONIC_BSR, find_scan<false>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
