// SPDX-License-Identifier: MIT
// Control transfers to another code segment: far jmp and far call, direct, through a call gate, or
// to another task (PRM 6.3.4, 7.5, and the pages of JMP and CALL).
#include <algorithm>

#include "sim/cpu/delivery/frame.h"
#include "sim/cpu/delivery/task_switch.h"
#include "sim/cpu/execute/operands.h"
#include "sim/cpu/isa/clocks.h"
#include "sim/cpu/mmu/descriptors.h"

namespace symsim {
namespace {

struct Target {
    std::uint16_t selector;
    std::uint32_t offset;
};

// The decoder has put the selector of an immediate pointer into `displacement`.
template <unsigned Size, bool Memory>
bool read_target(Processor& cpu, const Op& op, Target& target) {
    if constexpr (!Memory) {
        target = {static_cast<std::uint16_t>(op.displacement), op.immediate & kMask<Size>};
        return true;
    }
    const Address at = effective_address(cpu.regs(), op);
    std::uint32_t selector;
    if (!cpu.read<Size>(op, at, target.offset) ||
        !cpu.read<2>(op, address_after(op, at, Size), selector))
        return false;
    target.selector = static_cast<std::uint16_t>(selector);
    return true;
}

void enter_segment(Processor& cpu, const Segment& code, unsigned cpl) {
    System& system = cpu.system();
    system.segments[cs] = code;
    system.cpl = cpl;
    cpu.system_changed();
}

bool push_return(Processor& cpu, Frame& frame) {
    return frame.push(cpu.system().segments[cs].selector) && frame.push(cpu.next_eip());
}

unsigned clocks_in_real_segments(bool call, bool pointer) {
    if (!pointer) return call ? kFarCallRealClocks : kFarJumpRealClocks;
    return (call ? kFarCallRealPointerClocks : kFarJumpRealPointerClocks) - kFarPointerClocks;
}

// In real and virtual-8086 mode. `pointer`: the target is in memory.
bool in_real_segments(Processor& cpu, const Target& target, bool call, unsigned size,
                      bool pointer) {
    Frame frame(cpu, size);
    const Segment code = real_segment(cpu, cs, target.selector);
    if (call && !frame.reserve(2)) return false;
    if (target.offset > code.limit) return cpu.raise(Fault::general_protection);
    if (call && !push_return(cpu, frame)) return false;
    cpu.regs()[esp] = frame.pointer();
    enter_segment(cpu, code, cpu.system().cpl);
    cpu.go_to(target.offset);
    cpu.add_clocks(clocks_in_real_segments(call, pointer));
    return true;
}

// To a code segment at the same privilege level.
bool to_code(Processor& cpu, const Target& target, Descriptor d, bool call, unsigned size) {
    const unsigned cpl = cpu.system().cpl;
    const std::uint32_t code = selector_error(target.selector);
    const bool privileged =
        d.is_conforming() ? d.dpl() <= cpl : rpl(target.selector) <= cpl && d.dpl() == cpl;
    if (!privileged) return cpu.raise(Fault::general_protection, code);
    if (!d.present()) return cpu.raise(Fault::not_present, code);
    Frame frame(cpu, size);
    if (call && !frame.reserve(2)) return false;
    if (target.offset > d.limit()) return cpu.raise(Fault::general_protection);
    if (!mark_accessed(cpu, target.selector, d)) return false;
    if (call && !push_return(cpu, frame)) return false;
    cpu.regs()[esp] = frame.pointer();
    enter_segment(cpu, d.segment(static_cast<std::uint16_t>(code | cpl)), cpl);
    cpu.go_to(target.offset);
    cpu.add_clocks(call ? kFarCallClocks : kFarJumpClocks);
    return true;
}

// A call through a gate to an inner privilege level. The parameters are copied to the new stack
// (PRM 6.3.4.2).
bool call_inner(Processor& cpu, const Descriptor& gate, Descriptor d, std::uint16_t selector) {
    const unsigned cpl = d.dpl();
    const unsigned size = gate.gate_is_wide() ? 4 : 2;
    const unsigned count = gate.gate_count();
    const bool in_limit = gate.gate_offset() <= d.limit();
    InnerStack stack;
    if ((in_limit && !mark_accessed(cpu, selector, d)) || !find_inner_stack(cpu, cpl, 0, stack))
        return false;
    Frame frame(cpu, stack.segment(), stack.pointer, cpl, size, selector_error(stack.selector));
    if (!frame.reserve(count + 4)) return false;
    if (!in_limit) return cpu.raise(Fault::general_protection);
    if (!mark_accessed(cpu, stack.selector, stack.descriptor)) return false;
    Frame old(cpu, size);
    std::array<std::uint32_t, 32> parameters;
    for (unsigned n = 0; n < count; ++n)
        if (!old.pop(parameters[n])) return false;
    if (!frame.push(cpu.system().segments[ss].selector) || !frame.push(cpu.regs()[esp]))
        return false;
    for (unsigned n = count; n > 0; --n)
        if (!frame.push(parameters[n - 1])) return false;
    if (!push_return(cpu, frame)) return false;
    cpu.regs()[esp] = frame.pointer();
    cpu.system().segments[ss] = stack.segment();
    enter_segment(cpu, d.segment(static_cast<std::uint16_t>(selector_error(selector) | cpl)), cpl);
    cpu.add_clocks(count == 0 ? kGateInnerClocks : kGateInnerParametersClocks + 4 * count);
    cpu.go_to(gate.gate_offset());
    return true;
}

bool through_gate(Processor& cpu, const Target& target, const Descriptor& gate, bool call) {
    const unsigned cpl = cpu.system().cpl;
    const std::uint32_t gate_code = selector_error(target.selector);
    if (gate.dpl() < std::max(cpl, rpl(target.selector)))
        return cpu.raise(Fault::general_protection, gate_code);
    if (!gate.present()) return cpu.raise(Fault::not_present, gate_code);
    const std::uint16_t selector = gate.gate_selector();
    if (gate.type() == kTaskGate)
        return switch_task(cpu, selector, call ? TaskEntry::call : TaskEntry::jump, cpu.next_eip());
    if (is_null(selector)) return cpu.raise(Fault::general_protection);
    Descriptor d;
    if (!read_descriptor(cpu, selector, Fault::general_protection, d)) return false;
    const std::uint32_t code = selector_error(selector);
    const bool inner = call && !d.is_conforming() && d.dpl() < cpl;
    const bool same = d.is_conforming() ? d.dpl() <= cpl : d.dpl() == cpl;
    if (!d.is_code() || !(inner || same)) return cpu.raise(Fault::general_protection, code);
    if (!d.present()) return cpu.raise(Fault::not_present, code);
    if (inner) return call_inner(cpu, gate, d, selector);
    const Target through{static_cast<std::uint16_t>(code | cpl), gate.gate_offset()};
    cpu.add_clocks(call ? kGateClocks - kFarCallClocks : kGateJumpClocks - kFarJumpClocks);
    return to_code(cpu, through, d, call, gate.gate_is_wide() ? 4 : 2);
}

template <bool Call, unsigned Size, bool Memory>
bool far_transfer(Processor& cpu, const Op& op) {
    Target target;
    if (!cpu.non_speculative() || !read_target<Size, Memory>(cpu, op, target)) return false;
    if (cpu.system().real_segments()) return in_real_segments(cpu, target, Call, Size, Memory);
    if (is_null(target.selector)) return cpu.raise(Fault::general_protection);
    Descriptor d;
    if (!read_descriptor(cpu, target.selector, Fault::general_protection, d)) return false;
    if (d.is_code()) return to_code(cpu, target, d, Call, Size);
    const std::uint32_t code = selector_error(target.selector);
    if (!d.is_system()) return cpu.raise(Fault::general_protection, code);
    switch (d.type()) {
        case kCallGate16:
        case kCallGate32:
        case kTaskGate:
            return through_gate(cpu, target, d, Call);
        case kTss16:
        case kTss32:
            if (d.dpl() < std::max(cpu.system().cpl, rpl(target.selector)))
                return cpu.raise(Fault::general_protection, code);
            return switch_task(cpu, target.selector, Call ? TaskEntry::call : TaskEntry::jump,
                               cpu.next_eip());
        default:
            return cpu.raise(Fault::general_protection, code);
    }
}

template <bool Call>
Routine find_transfer(const Shape& shape) {
    return by_word_size(shape.size, [&](auto size) -> Routine {
        return shape.form == Form::m ? far_transfer<Call, size, true>
                                     : far_transfer<Call, size, false>;
    });
}

}  // namespace

Routine find_far(const Shape& shape) {
    if (!shape.far) return nullptr;
    if (shape.mnemonic == ZYDIS_MNEMONIC_JMP) return find_transfer<false>(shape);
    if (shape.mnemonic == ZYDIS_MNEMONIC_CALL) return find_transfer<true>(shape);
    return nullptr;
}

}  // namespace symsim
