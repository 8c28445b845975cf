// SPDX-License-Identifier: MIT
// The part of a processor's state that programs rarely change: segments, control registers, tables,
// and the exception being delivered. It changes only at commit time (Exceptions::non_speculative),
// never speculatively, so a rollback point need not save it.
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/cpu/state/segment.h"

namespace symsim {

namespace cr0 {
constexpr std::uint32_t kProtection = 1u << 0;
constexpr std::uint32_t kMonitor = 1u << 1;
constexpr std::uint32_t kEmulate = 1u << 2;
constexpr std::uint32_t kTaskSwitched = 1u << 3;
constexpr std::uint32_t kExtension = 1u << 4;      // a 387, not a 287: always set here
constexpr std::uint32_t kWriteProtect = 1u << 16;  // 486: ring 0 honours read-only pages
constexpr std::uint32_t kPaging = 1u << 31;
}  // namespace cr0

namespace cr4 {
constexpr std::uint32_t kTimeStampDisable = 1u << 2;  // rdtsc only in ring 0
constexpr std::uint32_t kPageSize = 1u << 4;          // pages of 4 MB
}  // namespace cr4

namespace dr6 {
constexpr std::uint32_t kSingleStep = 1u << 14;  // BS
constexpr std::uint32_t kTaskSwitch = 1u << 15;  // BT
constexpr std::uint32_t kWritable = 0xe00f;      // B0 to B3, BD, BS, BT
constexpr std::uint32_t kAlwaysSet = 0xffff'0ff0;
}  // namespace dr6

struct TableRegister {
    Address base = 0;
    std::uint32_t limit = 0;
};

// An exception or interrupt that is being delivered to its handler.
struct Event {
    enum class Source : std::uint8_t { exception, software, external };
    bool active = false;
    Source source = Source::exception;
    std::uint8_t vector = 0;
    bool one_byte = false;  // by int3 or into
    bool has_error_code = false;
    std::uint32_t error_code = 0;
    Offset return_eip = 0;
};

struct System {
    // Computed from the other members: plain_reads, plain_writes and stack_mask by derive(),
    // virtual_8086 by SegmentationUnit::system_changed().
    // A bit for each Seg: all its offsets are physical addresses, and may be read (or written).
    std::uint8_t plain_reads = 0;
    std::uint8_t plain_writes = 0;
    bool virtual_8086 = false;
    bool nmi_blocked = false;                // until iret
    std::uint32_t stack_mask = 0xffff'ffff;  // the part of esp that is used
    unsigned cpl = 0;

    Event event;
    Event deferred;  // to be raised before the next instruction
    std::array<Segment, kSegments> segments;
    Segment ldtr;
    Segment tr;
    TableRegister gdtr;
    TableRegister idtr;
    std::uint32_t cr0 = 0;
    std::uint32_t cr2 = 0;
    std::uint32_t cr3 = 0;
    std::uint32_t cr4 = 0;
    std::array<std::uint32_t, 8> dr{0, 0, 0, 0, 0, 0, dr6::kAlwaysSet, 0};
    std::array<std::uint32_t, 8> test{};  // tr3 to tr7 are kept and do nothing

    bool protected_mode() const { return cr0 & cr0::kProtection; }
    bool paging() const { return cr0 & cr0::kPaging; }
    // Selectors are paragraph numbers: in real mode and in virtual-8086 mode.
    bool real_segments() const { return !protected_mode() || virtual_8086; }
    bool wide_code() const { return segments[cs].big; }

    // Whether an operand passes the checks of its segment in the current mode.
    bool allows(Seg segment, Offset offset, unsigned size, bool write) const {
        return segments[segment].allows(offset, size, write, real_segments());
    }

    // To be called after a change of segments, cr0 or the mode.
    void derive() {
        plain_reads = plain_writes = 0;
        for (unsigned s = 0; s < kSegments; ++s) {
            if (paging() || !segments[s].flat()) continue;
            if (segments[s].readable()) plain_reads |= static_cast<std::uint8_t>(1u << s);
            if (segments[s].writable()) plain_writes |= static_cast<std::uint8_t>(1u << s);
        }
        stack_mask = segments[ss].big ? 0xffff'ffff : 0xffff;
    }

    // The state in which an ELF image starts, as Multiboot leaves it: 32-bit protected mode in ring
    // 0 with flat segments and no tables.
    static System flat() {
        System s;
        s.cr0 = cr0::kProtection | cr0::kExtension;
        for (Segment& segment : s.segments) segment = {0, 0xffff'ffff, 0x10, kReadWriteData, true};
        s.segments[cs] = {0, 0xffff'ffff, 0x08, kReadExecuteCode, true};
        s.derive();
        return s;
    }

    // The state after RESET (PRM 10.1): real mode, with cs at the top of the address space.
    static System reset() {
        System s;
        s.cr0 = cr0::kExtension;
        for (Segment& segment : s.segments) segment = {0, 0xffff, 0, kReadWriteData, false};
        s.segments[cs] = {0xffff'0000, 0xffff, 0xf000, kReadWriteData, false};
        s.idtr.limit = 0x3ff;
        s.derive();
        return s;
    }
};

}  // namespace symsim
