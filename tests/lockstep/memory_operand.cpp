// SPDX-License-Identifier: MIT
// Modrm bytes with a memory operand. The addressing mode and the registers are drawn at random
// first. Then one summand of the address (base or displacement) is changed so that the sum is in
// the data. So indices, displacements and carries out of the address take all kinds of values.
#include "tests/lockstep/generator.h"

namespace symsim::test {

struct Generator::Modrm {
    unsigned mode, rm;
    unsigned sib = 0;
    bool has_sib = false;
    unsigned displacement_bytes = 0;
    std::uint32_t displacement = 0;
};

// The offset of a linear address in the segment through which the operand is addressed.
std::uint32_t Generator::in_segment(std::uint32_t target, bool of_stack) const {
    return target - base_of(of_stack ? ss : ds);
}

// Whether a register may be changed to form the address: not esp, which must point to the stack,
// and not a register that contains a bit number.
bool Generator::movable(unsigned reg, unsigned middle) const {
    return reg != esp && !(pattern_.trait == Trait::bit_string && reg == middle);
}

void Generator::add_modrm(unsigned middle, char kind) {
    middle_ = middle;
    if (pattern_.trait == Trait::bit_string && middle != esp) {
        // Bits before and after the operand; a 16-bit form uses only the low half.
        const std::uint32_t number = random_.below(8192) - 4096;
        vector_.regs[middle] = word_ ? low_half(number) : number;
    }
    if (pattern_.trait == Trait::double_shift && word_)  // above 16 the result is undefined
        vector_.regs[ecx] = (vector_.regs[ecx] & ~31u) | random_.below(17);
    if (kind == 'm' || (kind != 'x' && random_.below(3) != 0)) return add_memory(middle);
    // A jump through esp would lead into the data.
    do register_ = static_cast<int>(random_.below(8));
    while (pattern_.trait == Trait::jump && register_ == esp);
    put(0xc0 | middle << 3 | static_cast<unsigned>(register_));
}

void Generator::add_memory(unsigned middle) {
    middle_ = middle;
    register_ = -1;
    const std::uint32_t target = place();
    std::uint32_t sought = target;
    if (pattern_.trait == Trait::bit_string && middle == esp) {
        // esp is the bit number, and large: the base is placed lower by its distance in bytes.
        const auto number = static_cast<std::int32_t>(vector_.regs[esp]);
        sought -= static_cast<std::uint32_t>(word_ ? (static_cast<std::int16_t>(number) >> 4) * 2
                                                   : (number >> 5) * 4);
    }
    Modrm m{};
    const Registers before = vector_.regs;
    do vector_.regs = before;
    while (!(address16_ ? find_memory_16(m, sought) : find_memory_32(m, sought)));
    vector_.in_memory = true;
    memory_at_ = static_cast<int>(target);
    put(m.mode << 6 | middle << 3 | m.rm);
    if (m.has_sib) put(m.sib);
    put_all(m.displacement, m.displacement_bytes);
}

bool Generator::find_memory_32(Modrm& m, std::uint32_t target) {
    Registers& regs = vector_.regs;
    m = {random_.below(3), random_.below(8)};
    unsigned base = m.rm, index = esp, scale = 0;
    if (m.rm == 4) {
        m.has_sib = true;
        base = random_.below(8), index = random_.below(8), scale = random_.below(4);
        // Without an index a 386 scales the base
        // (Decoder.AppliesAScaleWithoutIndexToTheBase).
        if (index == esp) scale = 0;
        m.sib = scale << 6 | index << 3 | base;
    }
    const bool has_base = !(m.mode == 0 && base == 5);
    const bool has_index = index != esp;  // 4 means none
    target = in_segment(target, has_base && (base == esp || base == ebp));
    m.displacement_bytes = m.mode == 1 ? 1 : m.mode == 2 || !has_base ? 4 : 0;
    if (m.displacement_bytes == 1) m.displacement = random_.below(256) - 128;
    if (m.displacement_bytes == 4) m.displacement = random_.operand();
    const auto rest = [&] { return m.displacement + (has_index ? regs[index] << scale : 0); };
    const bool base_moves = has_base && movable(base, middle_) && !(has_index && index == base);
    if (base_moves && (m.displacement_bytes != 4 || random_.one_in(2))) {
        regs[base] = target - rest();
    } else if (m.displacement_bytes == 4) {
        m.displacement = 0;
        m.displacement = target - rest() - (has_base ? regs[base] : 0);
    } else if (base == esp && target - regs[esp] - m.displacement == 0 && !has_index) {
        return true;
    } else if (base == esp && !has_index && pattern_.trait != Trait::bit_string) {
        // Moves the top of the stack so that the operand is at esp + displacement.
        regs[esp] = target - m.displacement;
    } else {
        return false;
    }
    return true;
}

bool Generator::find_memory_16(Modrm& m, std::uint32_t target) {
    static constexpr struct {
        std::uint8_t first, second;
    } kParts[] = {{ebx, esi},    {ebx, edi},    {ebp, esi},    {ebp, edi},
                  {esi, kNoReg}, {edi, kNoReg}, {ebp, kNoReg}, {ebx, kNoReg}};
    Registers& regs = vector_.regs;
    m = {random_.below(3), random_.below(8)};
    const bool direct = m.mode == 0 && m.rm == 6;
    m.displacement_bytes = m.mode == 1 ? 1 : m.mode == 2 || direct ? 2 : 0;
    m.displacement = m.displacement_bytes == 1 ? random_.below(256) - 128 : random_.any();
    if (m.displacement_bytes == 0) m.displacement = 0;
    const unsigned first = kParts[m.rm].first, second = kParts[m.rm].second;
    target = in_segment(target, !direct && first == ebp);
    const std::uint32_t rest = m.displacement + (!direct && second != kNoReg ? regs[second] : 0);
    if (!direct && movable(first, middle_) && (m.displacement_bytes != 2 || random_.one_in(2)))
        regs[first] = low_half(target - rest);
    else if (m.displacement_bytes == 2)
        m.displacement += target - rest - (direct ? 0 : regs[first]);
    else
        return false;
    return true;
}

}  // namespace symsim::test
