// SPDX-License-Identifier: MIT
// Transfers of control within the flat segment: jmp jcc call ret loop jecxz; and bound, into, hlt.
// A 16-bit operand size cuts the target to 16 bits; of direct ones the decoder has done so.
#include <utility>

#include "sim/cpu/clocks.h"
#include "sim/cpu/operands.h"

namespace symsim {
namespace {

template <unsigned Condition>
bool jcc(Processor& cpu, const Op& op) {
    if (cpu.flags().condition<Condition>()) {
        cpu.add_clocks(kTakenJumpClocks);
        cpu.branch(op.immediate);
    }
    return true;
}
template <std::size_t... Condition>
Handler find_jcc(unsigned condition, std::index_sequence<Condition...>) {
    static constexpr Handler kHandlers[] = {jcc<Condition>...};
    return kHandlers[condition];
}

bool jmp(Processor& cpu, const Op& op) {
    cpu.branch(op.immediate);
    return true;
}
template <unsigned Size, bool Memory>
bool jmp_indirect(Processor& cpu, const Op& op) {
    std::uint32_t target;
    if (!load_operand<Size, Memory>(cpu, op, op.dst, target)) return false;
    cpu.branch(target);
    return true;
}

// Pushes the return address and goes.
template <unsigned Size>
bool call_to(Processor& cpu, const Op& op, Address target) {
    const std::uint32_t top = cpu.regs()[esp] - Size;
    if (!cpu.write<Size>(op, top, op.end & kMask<Size>)) return false;
    cpu.regs()[esp] = top;
    cpu.branch(target);
    return true;
}
template <unsigned Size>
bool call(Processor& cpu, const Op& op) {
    return call_to<Size>(cpu, op, op.immediate);
}
template <unsigned Size, bool Memory>
bool call_indirect(Processor& cpu, const Op& op) {
    std::uint32_t target;
    if (!load_operand<Size, Memory>(cpu, op, op.dst, target)) return false;
    return call_to<Size>(cpu, op, target);
}

// ret n: `immediate` is n, 0 without.
template <unsigned Size>
bool ret(Processor& cpu, const Op& op) {
    std::uint32_t target;
    if (!cpu.read<Size>(op, cpu.regs()[esp], target)) return false;
    cpu.regs()[esp] += Size + op.immediate;
    cpu.branch(target);
    return true;
}

// The address size chooses between cx and ecx.
std::uint32_t count(const Registers& regs, const Op& op) {
    return op.address_size == 2 ? regs.get<2>(ecx) : regs[ecx];
}

template <Repeat R>
bool loop(Processor& cpu, const Op& op) {
    const std::uint32_t left = count(cpu.regs(), op) - 1;
    if (op.address_size == 2)
        cpu.regs().set<2>(ecx, left);
    else
        cpu.regs()[ecx] = left;
    const bool more = op.address_size == 2 ? (left & 0xffff) != 0 : left != 0;
    if (more && (R == Repeat::none || cpu.flags().zf() == (R == Repeat::repe)))
        cpu.branch(op.immediate);
    return true;
}

bool jecxz(Processor& cpu, const Op& op) {
    if (count(cpu.regs(), op) == 0) {
        cpu.add_clocks(kTakenJumpClocks);
        cpu.branch(op.immediate);
    }
    return true;
}

template <unsigned Size>
bool bound(Processor& cpu, const Op& op) {
    const Address address = effective_address(cpu.regs(), op);
    std::uint32_t lower, upper;
    if (!cpu.read<Size>(op, address, lower)) return false;
    if (!cpu.read<Size>(op, address + Size, upper)) return false;
    const auto as_signed = [](std::uint32_t v) {
        return static_cast<std::int32_t>(sign_extend<Size>(v));
    };
    const std::int32_t value = as_signed(cpu.regs().get<Size>(op.dst));
    if (value >= as_signed(lower) && value <= as_signed(upper)) return true;
    return cpu.fail(op, "bound: an array index is out of its range",
                    "exceptions are not delivered to the guest; look at the index");
}

bool into(Processor& cpu, const Op& op) {
    if (!cpu.flags().of()) return true;
    return cpu.fail(op, "into: an arithmetic overflow",
                    "exceptions are not delivered to the guest; look at the operation before");
}

bool hlt(Processor& cpu, const Op&) {
    return cpu.halt();
}

Handler find_jmp(const Shape& shape) {
    if (shape.form == Form::i) return jmp;
    return by_word_size(shape.size, [&](auto size) -> Handler {
        return has_memory(shape.form) ? jmp_indirect<size, true> : jmp_indirect<size, false>;
    });
}
Handler find_call(const Shape& shape) {
    return by_word_size(shape.size, [&](auto size) -> Handler {
        if (shape.form == Form::i) return call<size>;
        return has_memory(shape.form) ? call_indirect<size, true> : call_indirect<size, false>;
    });
}

}  // namespace

Handler find_control(const Shape& shape) {
    if (shape.condition != kNoCondition && shape.form == Form::i)
        return find_jcc(shape.condition, std::make_index_sequence<16>{});
    switch (shape.mnemonic) {
        case ZYDIS_MNEMONIC_JMP:
            return find_jmp(shape);
        case ZYDIS_MNEMONIC_CALL:
            return find_call(shape);
        case ZYDIS_MNEMONIC_RET:
            return by_word_size(shape.size, [](auto size) -> Handler { return ret<size>; });
        case ZYDIS_MNEMONIC_LOOP:
            return loop<Repeat::none>;
        case ZYDIS_MNEMONIC_LOOPE:
            return loop<Repeat::repe>;
        case ZYDIS_MNEMONIC_LOOPNE:
            return loop<Repeat::repne>;
        case ZYDIS_MNEMONIC_JCXZ:
        case ZYDIS_MNEMONIC_JECXZ:
            return jecxz;
        case ZYDIS_MNEMONIC_BOUND:
            return by_word_size(shape.size, [](auto size) -> Handler { return bound<size>; });
        case ZYDIS_MNEMONIC_INTO:
            return into;
        case ZYDIS_MNEMONIC_HLT:
            return hlt;
        default:
            return nullptr;
    }
}

}  // namespace symsim
