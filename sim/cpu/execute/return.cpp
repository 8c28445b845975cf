// SPDX-License-Identifier: MIT
// Returns to another code segment: far ret and iret, to the same privilege level, an outer level,
// another task, or virtual-8086 mode (PRM, pages of RET and IRET; 15.3.2).
#include <array>

#include "sim/cpu/delivery/frame.h"
#include "sim/cpu/delivery/task_switch.h"
#include "sim/cpu/execute/operands.h"
#include "sim/cpu/isa/clocks.h"
#include "sim/cpu/mmu/descriptors.h"

namespace symsim {
namespace {

struct Return {
    std::uint32_t eip = 0;
    std::uint16_t selector = 0;
    std::uint32_t flags = 0;  // only of iret
};

bool pop_word(Frame& frame, std::uint16_t& value) {
    std::uint32_t popped;
    if (!frame.pop(popped)) return false;
    value = static_cast<std::uint16_t>(popped);
    return true;
}

// In real and virtual-8086 mode.
bool return_in_real_segments(Processor& cpu, const Return& to, const Frame& frame,
                             Arrival arrival) {
    const Segment code = real_segment(cpu, cs, to.selector);
    if (to.eip > code.limit) return cpu.raise(Fault::general_protection);
    cpu.regs()[esp] = frame.pointer();
    cpu.system().segments[cs] = code;
    cpu.system_changed();
    cpu.go_to(to.eip, arrival);
    return true;
}

// iretd is the only instruction that loads RF, and does so in every mode (SDM, operation of IRET:
// 257FD5H).
void write_all_flags(Processor& cpu, std::uint32_t flags, unsigned size) {
    cpu.write_flags(flags, size);
    if (size == 4) cpu.flags().set(Flags::kResume, flags);
}

// Checks the code segment to return to. The RPL of its selector is the privilege level after the
// return.
bool check_code(Processor& cpu, const Return& to, Descriptor& d) {
    const std::uint32_t error = selector_error(to.selector);
    if (is_null(to.selector)) return cpu.raise(Fault::general_protection);
    if (!read_descriptor(cpu, to.selector, Fault::general_protection, d)) return false;
    const unsigned level = rpl(to.selector);
    const bool privileged = d.is_conforming() ? d.dpl() <= level : d.dpl() == level;
    if (!d.is_code() || !privileged) return cpu.raise(Fault::general_protection, error);
    return d.present() || cpu.raise(Fault::not_present, error);
}

// In protected mode, to the same or an outer privilege level. `dropped` bytes of parameters are
// removed from both stacks.
bool return_protected(Processor& cpu, const Return& to, Frame& frame, std::uint32_t dropped,
                      unsigned same_clocks, unsigned outer_clocks, bool is_iret, unsigned size) {
    System& system = cpu.system();
    const unsigned level = rpl(to.selector);
    if (level < system.cpl)
        return cpu.raise(Fault::general_protection, selector_error(to.selector));
    const bool outer = level > system.cpl;
    frame.drop(dropped);
    Descriptor code;
    if ((outer && !frame.expect(2)) || !check_code(cpu, to, code)) return false;
    const bool in_limit = to.eip <= code.limit();
    if (in_limit && !mark_accessed(cpu, to.selector, code)) return false;
    std::uint32_t pointer = frame.pointer();
    std::uint16_t selector = 0;
    Descriptor stack;
    if (outer) {
        if (!frame.pop(pointer) || !pop_word(frame, selector) ||
            !stack_descriptor(cpu, selector, level, Fault::general_protection, stack))
            return false;
        if (!stack.big()) pointer = (cpu.regs()[esp] & 0xffff'0000) | (pointer & 0xffff);
        pointer = stack.big() ? pointer + dropped
                              : (pointer & 0xffff'0000) | ((pointer + dropped) & 0xffff);
    }
    if (!in_limit) return cpu.raise(Fault::general_protection);
    if (outer && !mark_accessed(cpu, selector, stack)) return false;
    if (is_iret) write_all_flags(cpu, to.flags, size);
    cpu.regs()[esp] = pointer;
    system.segments[cs] = code.segment(to.selector);
    if (outer) system.segments[ss] = stack.segment(selector);
    system.cpl = level;
    if (outer) forget_inner_segments(cpu, level);
    cpu.system_changed();
    cpu.add_clocks(outer ? outer_clocks : same_clocks);
    cpu.go_to(to.eip, outer || is_iret ? Arrival::by_gate : Arrival::by_branch);
    return true;
}

template <unsigned Size>
bool ret_far(Processor& cpu, const Op& op) {
    if (!cpu.non_speculative()) return false;
    Frame frame(cpu, Size);
    Return to;
    if (!frame.pop(to.eip) || !pop_word(frame, to.selector)) return false;
    if (!cpu.system().real_segments())
        return return_protected(cpu, to, frame, op.immediate, kFarReturnClocks,
                                kFarReturnOuterClocks, false, Size);
    frame.drop(op.immediate);
    cpu.add_clocks(kFarReturnRealClocks);
    return return_in_real_segments(cpu, to, frame, Arrival::by_branch);
}

bool to_virtual_8086(Processor& cpu, const Return& to, Frame& frame) {
    System& system = cpu.system();
    std::uint32_t pointer;
    std::array<std::uint16_t, 5> selectors;  // ss es ds fs gs
    if (!frame.expect(6)) return false;
    if (to.eip > 0xffff) return cpu.raise(Fault::general_protection);
    if (!frame.pop(pointer)) return false;
    for (std::uint16_t& selector : selectors)
        if (!pop_word(frame, selector)) return false;
    cpu.load_flags(to.flags);
    system.virtual_8086 = true;
    system.cpl = 3;
    system.segments[cs] = real_segment(cpu, cs, to.selector);
    const std::array<Seg, 5> order = {ss, es, ds, fs, gs};
    for (unsigned n = 0; n < order.size(); ++n)
        system.segments[order[n]] = real_segment(cpu, order[n], selectors[n]);
    cpu.regs()[esp] = pointer;
    cpu.system_changed();
    cpu.add_clocks(kReturnTo8086Clocks);
    cpu.go_to(to.eip, Arrival::by_gate);
    return true;
}

template <unsigned Size>
bool iret(Processor& cpu, const Op&) {
    if (!cpu.non_speculative()) return false;
    System& system = cpu.system();
    if (system.virtual_8086 && cpu.flags().iopl() < 3) return cpu.raise(Fault::general_protection);
    if (!system.real_segments() && cpu.flags().system & Flags::kNested) {
        std::uint32_t back_link;  // the selector of the task to which iret returns
        if (!cpu.read_system(system.tr.base, 2, back_link) ||
            !switch_task(cpu, static_cast<std::uint16_t>(back_link), TaskEntry::iret,
                         cpu.next_eip()))
            return false;
        system.nmi_blocked = false;
        return true;
    }
    Frame frame(cpu, Size);
    Return to;
    if (!frame.pop(to.eip) || !pop_word(frame, to.selector) || !frame.pop(to.flags)) return false;
    bool done;
    if (system.real_segments()) {
        done = return_in_real_segments(cpu, to, frame, Arrival::by_gate);
        if (done) {
            write_all_flags(cpu, to.flags, Size);
            cpu.add_clocks(kReturnRealClocks);
        }
    } else if (Size == 4 && to.flags & Flags::kVirtual && system.cpl == 0) {
        done = to_virtual_8086(cpu, to, frame);
    } else {
        done = return_protected(cpu, to, frame, 0, kInterruptReturnClocks,
                                kInterruptReturnOuterClocks, true, Size);
    }
    if (done) system.nmi_blocked = false;
    return done;
}

}  // namespace

Routine find_return(const Shape& shape) {
    if (shape.mnemonic == ZYDIS_MNEMONIC_RET && !shape.far) return nullptr;
    static constexpr InstructionRow kRows[] = {
        {ZYDIS_MNEMONIC_RET, ret_far<2>, ret_far<4>},
        {ZYDIS_MNEMONIC_IRET, iret<2>},
        {ZYDIS_MNEMONIC_IRETD, iret<4>},
    };
    return find_in(kRows, shape);
}

}  // namespace symsim
