// SPDX-License-Identifier: MIT
// Reads, checks and writes task state segments. A segment of the new task that cannot be loaded
// raises its exception after the switch.
#include "sim/cpu/delivery/task_switch.h"

#include <array>
#include <optional>
#include <utility>

#include "sim/cpu/delivery/frame.h"
#include "sim/cpu/isa/clocks.h"
#include "sim/cpu/mmu/descriptors.h"
#include "sim/cpu/mmu/segmentation_unit.h"

namespace symsim {

namespace {

// Offsets in a TSS (PRM figure 7-1; for the TSS of the 286, figure 8-1 of its manual).
struct Layout {
    unsigned size;     // bytes of an element
    unsigned minimum;  // smallest limit
    unsigned inner;    // esp0, then ss0, esp1, ...
    unsigned cr3;      // 0: none
    unsigned eip;      // then flags, 8 registers, 4 or 6 segments, ldt
    unsigned segments;
};
constexpr Layout kWide = {4, 0x67, 0x04, 0x1c, 0x20, 6};
constexpr Layout kNarrow = {2, 0x2b, 0x02, 0, 0x0e, 4};
constexpr unsigned kPortMap = 0x66;
constexpr unsigned kTrapBit = 0x64;

const Layout& layout_of(const Segment& tss) {
    return tss.access & 8 ? kWide : kNarrow;
}

constexpr std::uint8_t kBusy = 2;

// The values that a task switch loads from the new TSS.
struct Task {
    std::uint32_t cr3 = 0;
    std::uint32_t eip = 0;
    std::uint32_t flags = 0;
    std::array<std::uint32_t, 8> regs{};
    std::array<std::uint16_t, kSegments> selectors{};
    std::uint16_t ldt = 0;
    bool trap = false;
};

bool read_task(SegmentationUnit& cpu, const Segment& tss, Task& task) {
    const Layout& layout = layout_of(tss);
    const unsigned size = layout.size;
    const auto read = [&](unsigned offset, std::uint32_t& value) {
        return cpu.read_system(tss.base + offset, size, value);
    };
    std::uint32_t word;
    task.cr3 = cpu.system().cr3;
    if (layout.cr3 && !read(layout.cr3, task.cr3)) return false;
    unsigned at = layout.eip;
    if (!read(at, task.eip) || !read(at += size, task.flags)) return false;
    for (std::uint32_t& reg : task.regs) {
        if (!read(at += size, reg)) return false;
        if (size == 2) reg |= 0xffff'0000;
    }
    for (unsigned s = 0; s < layout.segments; ++s) {
        if (!read(at += size, word)) return false;
        task.selectors[s] = static_cast<std::uint16_t>(word);
    }
    if (!read(at += size, word)) return false;
    task.ldt = static_cast<std::uint16_t>(word);
    if (size == 4) {
        if (!cpu.read_system(tss.base + kTrapBit, 2, word)) return false;
        task.trap = word & 1;
    }
    return true;
}

bool save_task(SegmentationUnit& cpu, std::uint32_t flags, Offset eip) {
    const System& system = cpu.system();
    const Layout& layout = layout_of(system.tr);
    const unsigned size = layout.size;
    const auto write = [&](unsigned offset, std::uint32_t value) {
        return cpu.write_system(system.tr.base + offset, size, size == 2 ? value & 0xffff : value);
    };
    unsigned at = layout.eip;
    if (!write(at, eip) || !write(at += size, flags)) return false;
    for (unsigned r = 0; r < 8; ++r)
        if (!write(at += size, cpu.regs()[r])) return false;
    for (unsigned s = 0; s < layout.segments; ++s)
        if (!write(at += size, system.segments[s].selector)) return false;
    return true;
}

// The exception to raise if the new task's LDT or one of its segments cannot be loaded. The
// exception belongs to the new task: it is raised when the rest of the switch is done.
struct DeferredFault {
    Fault fault;
    std::uint32_t code;
};

// Reads a descriptor of the new task, at linear address `at`. `refused` is set if the descriptor
// lies beyond its table. False: an access cannot be made now, or raised an exception.
bool read_of(SegmentationUnit& cpu, const Segment& ldt, std::uint16_t selector, Address& at,
             Descriptor& d, std::optional<DeferredFault>& refused) {
    const std::optional<Address> place = descriptor_address(cpu.system(), ldt, selector);
    if (!place) {
        refused = DeferredFault{Fault::invalid_tss, selector_error(selector)};
        return true;
    }
    at = *place;
    return read_descriptor_at(cpu, at, d);
}

bool has_type_for(Seg which, const Descriptor& d) {
    if (d.is_system()) return false;
    if (which == cs) return d.is_code();
    if (which == ss) return d.is_writable_data();
    return d.is_readable();
}

bool has_level_for(Seg which, std::uint16_t selector, unsigned cpl, const Descriptor& d) {
    const bool conforming = d.is_conforming();
    if (which == cs) return conforming ? d.dpl() <= cpl : d.dpl() == cpl;
    if (which == ss) return d.dpl() == cpl && rpl(selector) == cpl;
    return conforming || (d.dpl() >= cpl && d.dpl() >= rpl(selector));
}

// In the order of PRM table 7-1: type, present, privilege level.
std::optional<DeferredFault> check_of(Seg which, std::uint16_t selector, unsigned cpl,
                                      const Descriptor& d) {
    const auto refuse = [selector](Fault fault) {
        return DeferredFault{fault, selector_error(selector)};
    };
    if (!has_type_for(which, d)) return refuse(Fault::invalid_tss);
    if (!d.present()) return refuse(which == ss ? Fault::stack : Fault::not_present);
    if (!has_level_for(which, selector, cpl, d)) return refuse(Fault::invalid_tss);
    return std::nullopt;
}

struct NewSegments {
    std::array<Segment, kSegments> segments;
    Segment ldt;
    unsigned cpl = 0;
    std::optional<DeferredFault> refused;
};

bool read_segments(SegmentationUnit& cpu, const Task& task, NewSegments& now) {
    for (unsigned s = 0; s < kSegments; ++s) now.segments[s].selector = task.selectors[s];
    now.ldt.selector = task.ldt;
    if (!is_null(task.ldt)) {
        Address at = 0;
        Descriptor d;
        const bool global = !(task.ldt & 4);
        if (global && !read_of(cpu, Segment{}, task.ldt, at, d, now.refused)) return false;
        if (!now.refused && (!global || !d.is_system() || d.type() != kLdt || !d.present()))
            now.refused = DeferredFault{Fault::invalid_tss, selector_error(task.ldt)};
        if (now.refused) return true;
        now.ldt = d.segment(task.ldt);
    }
    if (task.flags & Flags::kVirtual) {
        for (unsigned s = 0; s < kSegments; ++s)
            now.segments[s] = {std::uint32_t{task.selectors[s]} << 4, 0xffff, task.selectors[s],
                               kReadWriteData | kRing3, false};
        now.cpl = 3;
        return true;
    }
    now.cpl = rpl(task.selectors[cs]);
    for (const Seg which : {cs, ss, ds, es, fs, gs}) {
        const std::uint16_t selector = task.selectors[which];
        if (is_null(selector)) {
            if (which != cs && which != ss) continue;
            now.refused = DeferredFault{Fault::invalid_tss, selector_error(selector)};
            return true;
        }
        Address at = 0;
        Descriptor d;
        if (!read_of(cpu, now.ldt, selector, at, d, now.refused)) return false;
        if (!now.refused) now.refused = check_of(which, selector, now.cpl, d);
        if (now.refused) return true;
        if (!mark_accessed_at(cpu, at, d)) return false;
        now.segments[which] = d.segment(selector);
    }
    return true;
}

// Reads and checks the descriptor of the new TSS.
bool find_tss(SegmentationUnit& cpu, std::uint16_t selector, TaskEntry entry,
              std::uint32_t external, Descriptor& d) {
    const Fault fault = entry == TaskEntry::iret ? Fault::invalid_tss : Fault::general_protection;
    const std::uint32_t code = selector_error(selector) | external;
    if (selector & 4) return cpu.raise(fault, code);
    if (!read_descriptor(cpu, selector, fault, d, external)) return false;
    const bool busy = d.type() & kBusy;
    if (!d.is_tss() || busy != (entry == TaskEntry::iret)) return cpu.raise(fault, code);
    if (!d.present()) return cpu.raise(Fault::not_present, code);
    if (d.limit() < layout_of(d.segment(selector)).minimum)
        return cpu.raise(Fault::invalid_tss, code);
    return true;
}

bool set_busy(SegmentationUnit& cpu, std::uint16_t selector, bool busy) {
    const Address at = cpu.system().gdtr.base + (selector & ~7u) + 5;
    return cpu.update_system(at, busy ? 0 : kBusy, busy ? kBusy : 0);
}

}  // namespace

bool switch_task(SegmentationUnit& cpu, std::uint16_t selector, TaskEntry entry, Offset return_eip,
                 std::uint32_t error_code, std::uint32_t external) {
    System& system = cpu.system();
    Descriptor d;
    if (!find_tss(cpu, selector, entry, external, d)) return false;
    const Segment tss = d.segment(selector);
    const std::uint16_t old_selector = system.tr.selector;
    const bool nests = entry != TaskEntry::jump && entry != TaskEntry::iret;

    // The old state is saved first: iret may return to the same TSS (PRM 7.5).
    Task task;
    NewSegments now;
    std::uint32_t flags = cpu.flags().value();
    if (entry == TaskEntry::iret) flags &= ~Flags::kNested;
    if (!save_task(cpu, flags, return_eip) || !read_task(cpu, tss, task)) return false;
    if (!nests && !set_busy(cpu, old_selector, false)) return false;
    if (entry != TaskEntry::iret && !set_busy(cpu, selector, true)) return false;
    if (nests) {
        if (!cpu.write_system(tss.base, layout_of(tss).size, old_selector)) return false;
        task.flags |= Flags::kNested;
    }
    if (!read_segments(cpu, task, now)) return false;

    const bool wide = tss.access & 8;
    const Segment stack = now.segments[ss];
    std::uint32_t pointer = task.regs[esp];
    if (entry == TaskEntry::interrupt_with_error_code && !now.refused) {
        Frame frame(cpu, stack, pointer, now.cpl, wide ? 4 : 2);
        if (!frame.has_room(1))
            now.refused = DeferredFault{Fault::stack, 0};
        else if (!frame.push(error_code))
            return false;
        pointer = frame.pointer();
    }

    for (unsigned r = 0; r < 8; ++r) cpu.regs()[r] = task.regs[r];
    cpu.regs()[esp] = pointer;
    cpu.load_flags(wide ? task.flags : task.flags & 0xffff);
    if (std::exchange(system.cr3, task.cr3) != task.cr3 && system.paging()) cpu.flush_tlb();
    system.cr0 |= cr0::kTaskSwitched;
    system.tr = tss;
    system.tr.access |= kBusy;
    system.ldtr = now.ldt;
    system.segments = now.segments;
    system.cpl = now.cpl;
    cpu.system_changed();
    cpu.add_clocks(kTaskSwitchClocks);
    cpu.go_to(task.eip, Arrival::by_gate);
    if (now.refused) {
        cpu.raise_after(now.refused->fault, now.refused->code | external);
    } else if (task.eip > now.segments[cs].limit) {
        cpu.raise_after(Fault::general_protection, 0);
    } else if (task.trap) {
        system.dr[6] |= dr6::kTaskSwitch;
        cpu.raise_after(Fault::debug, 0);
    }
    return true;
}

bool find_inner_stack(SegmentationUnit& cpu, unsigned cpl, std::uint32_t external,
                      InnerStack& stack) {
    const Segment& tss = cpu.system().tr;
    const Layout& layout = layout_of(tss);
    const unsigned at = layout.inner + cpl * 2 * layout.size;
    if (!tss.present() || at + layout.size + 1 > tss.limit)
        return cpu.raise(Fault::invalid_tss, selector_error(tss.selector) | external);
    std::uint32_t selector;
    if (!cpu.read_system(tss.base + at, layout.size, stack.pointer) ||
        !cpu.read_system(tss.base + at + layout.size, 2, selector))
        return false;
    stack.selector = static_cast<std::uint16_t>(selector);
    return stack_descriptor(cpu, stack.selector, cpl, Fault::invalid_tss, stack.descriptor,
                            external);
}

bool ports_allowed(SegmentationUnit& cpu, std::uint32_t port, unsigned size) {
    const System& system = cpu.system();
    if (!system.protected_mode()) return true;
    if (!system.virtual_8086 && system.cpl <= cpu.flags().iopl()) return true;
    const Segment& tss = system.tr;
    if (!tss.present() || !(tss.access & 8) || tss.limit < kPortMap + 1)
        return cpu.raise(Fault::general_protection);
    std::uint32_t map, bits;
    if (!cpu.read_system(tss.base + kPortMap, 2, map)) return false;
    const std::uint32_t at = map + port / 8;
    if (at + 1 > tss.limit) return cpu.raise(Fault::general_protection);
    if (!cpu.read_system(tss.base + at, 2, bits)) return false;
    const std::uint32_t asked = (1u << size) - 1;
    return (bits >> (port & 7) & asked) == 0 || cpu.raise(Fault::general_protection);
}

}  // namespace symsim
