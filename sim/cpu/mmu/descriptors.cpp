// SPDX-License-Identifier: MIT
// The checks of descriptors, in the order of the manual's instruction pages (PRM).
#include "sim/cpu/mmu/descriptors.h"

#include <algorithm>

#include "sim/cpu/mmu/segmentation_unit.h"

namespace symsim {

std::optional<Address> descriptor_address(const System& system, const Segment& ldt,
                                          std::uint16_t selector) {
    const std::uint32_t offset = selector & ~7u;
    const bool local = selector & 4;
    if ((local && !ldt.present()) || offset + 7 > (local ? ldt.limit : system.gdtr.limit))
        return std::nullopt;
    return (local ? ldt.base : system.gdtr.base) + offset;
}

bool read_descriptor_at(SegmentationUnit& cpu, Address at, Descriptor& descriptor) {
    return cpu.read_system(at, 4, descriptor.low) && cpu.read_system(at + 4, 4, descriptor.high);
}
bool read_descriptor(SegmentationUnit& cpu, std::uint16_t selector, Fault fault,
                     Descriptor& descriptor, std::uint32_t external) {
    const auto at = descriptor_address(cpu.system(), cpu.system().ldtr, selector);
    return at ? read_descriptor_at(cpu, *at, descriptor)
              : cpu.raise(fault, selector_error(selector) | external);
}

bool mark_accessed(SegmentationUnit& cpu, std::uint16_t selector, Descriptor& descriptor) {
    const System& system = cpu.system();
    const Address table = selector & 4 ? system.ldtr.base : system.gdtr.base;
    return mark_accessed_at(cpu, table + (selector & ~7u), descriptor);
}

bool mark_accessed_at(SegmentationUnit& cpu, Address at, Descriptor& descriptor) {
    constexpr std::uint8_t kAccessed = 1;
    if (descriptor.access() & kAccessed) return true;
    if (!cpu.update_system(at + 5, 0, kAccessed)) return false;
    descriptor.high |= std::uint32_t{kAccessed} << 8;
    return true;
}

bool data_segment(SegmentationUnit& cpu, std::uint16_t selector, Segment& segment) {
    if (is_null(selector)) {
        segment = Segment{};
        segment.selector = selector;
        return true;
    }
    Descriptor d;
    if (!read_descriptor(cpu, selector, Fault::general_protection, d)) return false;
    const bool privileged =
        d.is_conforming() || std::max(rpl(selector), cpu.system().cpl) <= d.dpl();
    if (!d.is_readable() || !privileged)
        return cpu.raise(Fault::general_protection, selector_error(selector));
    if (!d.present()) return cpu.raise(Fault::not_present, selector_error(selector));
    if (!mark_accessed(cpu, selector, d)) return false;
    segment = d.segment(selector);
    return true;
}

bool stack_descriptor(SegmentationUnit& cpu, std::uint16_t selector, unsigned cpl, Fault fault,
                      Descriptor& d, std::uint32_t external) {
    const std::uint32_t code = selector_error(selector) | external;
    if (is_null(selector)) return cpu.raise(fault, fault == Fault::invalid_tss ? code : 0);
    if (!read_descriptor(cpu, selector, fault, d, external)) return false;
    if (rpl(selector) != cpl || d.dpl() != cpl || !d.is_writable_data())
        return cpu.raise(fault, code);
    return d.present() || cpu.raise(Fault::stack, code);
}

namespace {

bool stack_segment(SegmentationUnit& cpu, std::uint16_t selector, Segment& segment) {
    Descriptor d;
    if (!stack_descriptor(cpu, selector, cpu.system().cpl, Fault::general_protection, d) ||
        !mark_accessed(cpu, selector, d))
        return false;
    segment = d.segment(selector);
    return true;
}

}  // namespace

// Real mode keeps the limit that a segment got in protected mode.
Segment real_segment(const SegmentationUnit& cpu, Seg which, std::uint16_t selector) {
    Segment segment = cpu.system().segments[which];
    segment.selector = selector;
    segment.base = std::uint32_t{selector} << 4;
    if (cpu.system().virtual_8086) {
        segment.limit = 0xffff;
        segment.access = kReadWriteData | kRing3;
        segment.big = false;
    } else if (!segment.present() || which == cs) {
        segment.access = kReadWriteData;
    }
    return segment;
}

bool load_segment(SegmentationUnit& cpu, Seg which, std::uint16_t selector) {
    System& system = cpu.system();
    Segment segment;
    if (system.real_segments())
        segment = real_segment(cpu, which, selector);
    else if (!(which == ss ? stack_segment(cpu, selector, segment)
                           : data_segment(cpu, selector, segment)))
        return false;
    system.segments[which] = segment;
    cpu.system_changed();
    return true;
}

void forget_inner_segments(SegmentationUnit& cpu, unsigned cpl) {
    for (const Seg which : {es, ds, fs, gs}) {
        Segment& segment = cpu.system().segments[which];
        const bool conforming = (segment.access & 0x1c) == 0x1c;
        if (!conforming && segment.dpl() < cpl) segment = Segment{};
    }
}

}  // namespace symsim
