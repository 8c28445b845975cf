// SPDX-License-Identifier: MIT
// Sources: PRM 9.6 (gates), 9.7 and 9.8 (error codes), 14.4 (real mode), 15.3 (from virtual-8086
// mode), and the page of INT.
#include "sim/cpu/delivery/interrupts.h"

#include "sim/cpu/delivery/frame.h"
#include "sim/cpu/delivery/task_switch.h"
#include "sim/cpu/isa/clocks.h"
#include "sim/cpu/mmu/descriptors.h"
#include "sim/cpu/mmu/segmentation_unit.h"

namespace symsim {

namespace {

constexpr std::uint32_t kInTable = 2;  // bit of an error code: its index is into the IDT

// The EXT bit of an error code: the event is not an instruction such as int n.
std::uint32_t external(const Event& event) {
    return event.source == Event::Source::software ? 0 : 1;
}

unsigned clocks_in_real_mode(const Event& event) {
    if (!event.one_byte) return kRealInterruptClocks;
    return event.vector == static_cast<unsigned>(Fault::overflow) ? kRealOverflowClocks
                                                                  : kRealBreakpointClocks;
}

bool through_vector(SegmentationUnit& cpu, const Event& event) {
    System& system = cpu.system();
    const std::uint32_t offset = event.vector * 4u;
    if (offset + 3 > system.idtr.limit) return cpu.raise(Fault::general_protection);
    std::uint32_t entry;
    if (!cpu.read_system(system.idtr.base + offset, 4, entry)) return false;
    const Segment code = real_segment(cpu, cs, static_cast<std::uint16_t>(entry >> 16));
    const Offset target = entry & 0xffff;
    Frame frame(cpu, 2);
    if (!frame.reserve(3)) return false;
    if (target > code.limit) return cpu.raise(Fault::general_protection);
    if (!frame.push(cpu.flags().value()) || !frame.push(system.segments[cs].selector) ||
        !frame.push(event.return_eip))
        return false;
    cpu.regs()[esp] = frame.pointer();
    cpu.flags().system &= ~(Flags::kInterrupt | Flags::kTrap);
    system.segments[cs] = code;
    cpu.system_changed();
    cpu.add_clocks(clocks_in_real_mode(event));
    cpu.go_to(target, Arrival::by_gate);
    return true;
}

bool read_gate(SegmentationUnit& cpu, const Event& event, Descriptor& gate) {
    const System& system = cpu.system();
    const std::uint32_t offset = event.vector * 8u;
    const std::uint32_t code = offset | kInTable | external(event);
    if (offset + 7 > system.idtr.limit) return cpu.raise(Fault::general_protection, code);
    if (!read_descriptor_at(cpu, system.idtr.base + offset, gate)) return false;
    const unsigned type = gate.type();
    const bool known =
        gate.is_system() && (type == kTaskGate || type == kInterruptGate16 || type == kTrapGate16 ||
                             type == kInterruptGate32 || type == kTrapGate32);
    const bool privileged = event.source != Event::Source::software || gate.dpl() >= system.cpl;
    if (!known || !privileged) return cpu.raise(Fault::general_protection, code);
    return gate.present() || cpu.raise(Fault::not_present, code);
}

// Checks the code segment of a handler, and finds the privilege level at which the handler runs.
bool handler_segment(SegmentationUnit& cpu, const Event& event, std::uint16_t selector,
                     Descriptor& descriptor, unsigned& cpl) {
    const std::uint32_t ext = external(event);
    if (is_null(selector)) return cpu.raise(Fault::general_protection, ext);
    if (!read_descriptor(cpu, selector, Fault::general_protection, descriptor, ext)) return false;
    const unsigned present_cpl = cpu.system().cpl;
    const std::uint32_t code = selector_error(selector) | ext;
    if (!descriptor.is_code() || descriptor.dpl() > present_cpl)
        return cpu.raise(Fault::general_protection, code);
    if (!descriptor.present()) return cpu.raise(Fault::not_present, code);
    cpl = descriptor.is_conforming() ? present_cpl : descriptor.dpl();
    // A gate in virtual-8086 mode must lead to privilege level 0.
    return !cpu.system().virtual_8086 || cpl == 0 || cpu.raise(Fault::general_protection, code);
}

unsigned elements_of_frame(const System& system, const Event& event, bool inner) {
    return 3u + event.has_error_code + (inner ? 2 : 0) + (system.virtual_8086 ? 4 : 0);
}

bool push_old_mode(SegmentationUnit& cpu, Frame& frame) {
    const System& system = cpu.system();
    if (system.virtual_8086)
        for (const Seg which : {gs, fs, ds, es})
            if (!frame.push(system.segments[which].selector)) return false;
    return frame.push(system.segments[ss].selector) && frame.push(cpu.regs()[esp]);
}

bool push_return(SegmentationUnit& cpu, Frame& frame, const Event& event) {
    if (!frame.push(cpu.flags().value()) || !frame.push(cpu.system().segments[cs].selector) ||
        !frame.push(event.return_eip))
        return false;
    return !event.has_error_code || frame.push(event.error_code);
}

bool through_gate(SegmentationUnit& cpu, const Event& event, const Descriptor& gate) {
    System& system = cpu.system();
    const std::uint32_t ext = external(event);
    const unsigned size = gate.gate_is_wide() ? 4 : 2;
    const bool interrupt_gate = gate.type() == kInterruptGate16 || gate.type() == kInterruptGate32;
    const std::uint16_t selector = gate.gate_selector();
    Descriptor descriptor;
    unsigned cpl = 0;
    if (!handler_segment(cpu, event, selector, descriptor, cpl)) return false;

    // The order of the checks is the manual's (PRM, INT): code segment, stack segment, room on the
    // stack, offset. The accesses of a code segment that passes come before those of the stack.
    const bool inner = cpl != system.cpl;
    const bool in_limit = gate.gate_offset() <= descriptor.limit();
    InnerStack stack;
    if (inner && ((in_limit && !mark_accessed(cpu, selector, descriptor)) ||
                  !find_inner_stack(cpu, cpl, ext, stack)))
        return false;
    Frame frame = inner ? Frame(cpu, stack.segment(), stack.pointer, cpl, size,
                                selector_error(stack.selector) | ext)
                        : Frame(cpu, size, ext);
    if (!frame.reserve(elements_of_frame(system, event, inner))) return false;
    if (!in_limit) return cpu.raise(Fault::general_protection, ext);
    if (inner ? !mark_accessed(cpu, stack.selector, stack.descriptor)
              : !mark_accessed(cpu, selector, descriptor))
        return false;
    if ((inner && !push_old_mode(cpu, frame)) || !push_return(cpu, frame, event)) return false;

    const bool from_8086 = system.virtual_8086;
    cpu.regs()[esp] = frame.pointer();
    cpu.flags().system &= ~(Flags::kTrap | Flags::kNested | Flags::kVirtual | Flags::kResume |
                            (interrupt_gate ? Flags::kInterrupt : 0u));
    if (from_8086)
        for (const Seg which : {es, ds, fs, gs}) system.segments[which] = Segment{};
    if (inner) system.segments[ss] = stack.segment();
    system.segments[cs] =
        descriptor.segment(static_cast<std::uint16_t>(selector_error(selector) | cpl));
    system.cpl = cpl;
    cpu.system_changed();
    cpu.add_clocks(from_8086 ? kInterruptFrom8086Clocks
                   : inner   ? kInterruptInnerClocks
                             : kInterruptClocks);
    cpu.go_to(gate.gate_offset(), Arrival::by_gate);
    return true;
}

}  // namespace

bool deliver_event(SegmentationUnit& cpu, const Event& event) {
    if (!cpu.system().protected_mode()) return through_vector(cpu, event);
    Descriptor gate;
    if (!read_gate(cpu, event, gate)) return false;
    if (gate.type() != kTaskGate) return through_gate(cpu, event, gate);
    const TaskEntry entry =
        event.has_error_code ? TaskEntry::interrupt_with_error_code : TaskEntry::interrupt;
    return switch_task(cpu, gate.gate_selector(), entry, event.return_eip, event.error_code,
                       external(event));
}

}  // namespace symsim
