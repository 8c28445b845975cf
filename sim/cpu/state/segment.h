// SPDX-License-Identifier: MIT
// Segment registers with their hidden part, which is copied from a descriptor; and descriptors
// themselves (PRM, chapters 5 and 6).
#pragma once

#include <cstdint>

#include "sim/base/types.h"

namespace symsim {

// Segment registers by the number with which instructions encode them.
enum Seg : std::uint8_t { es, cs, ss, ds, fs, gs };
constexpr unsigned kSegments = 6;

struct Segment {
    Address base = 0;
    std::uint32_t limit = 0xffff'ffff;  // last valid offset; if expand-down, the last invalid one
    std::uint16_t selector = 0;
    std::uint8_t access = 0;  // P, DPL, S, type: byte 5 of a descriptor. 0: cannot be used
    bool big = false;         // D or B

    bool present() const { return access & 0x80; }
    unsigned dpl() const { return access >> 5 & 3; }
    bool code() const { return access & 0x08; }
    bool expands_down() const { return (access & 0x0c) == 0x04; }
    bool readable() const { return !code() || access & 0x02; }
    bool writable() const { return (access & 0x0a) == 0x02; }
    // Checks an operand against type and limit (PRM 6.3.1 and 6.3.2). `real`: in real and
    // virtual-8086 mode, where every segment that is present may be written.
    bool allows(Offset offset, unsigned size, bool write, bool real) const {
        if (!present() || !(write ? writable() || real : readable())) return false;
        const std::uint64_t last = std::uint64_t{offset} + size - 1;
        if (expands_down()) return offset > limit && last <= (big ? 0xffff'ffffu : 0xffffu);
        return last <= limit;
    }
    // Every offset is valid, and equals the linear address.
    bool flat() const { return base == 0 && limit == 0xffff'ffff && present() && !expands_down(); }
};

constexpr std::uint8_t kReadWriteData = 0x93;    // present, ring 0, accessed
constexpr std::uint8_t kReadExecuteCode = 0x9b;  // present, ring 0, accessed
constexpr std::uint8_t kRing3 = 0x60;

// Types of system segments and gates (access byte without P and DPL, S being 0).
enum SystemType : std::uint8_t {
    kTss16 = 1,
    kLdt = 2,
    kBusyTss16 = 3,
    kCallGate16 = 4,
    kTaskGate = 5,
    kInterruptGate16 = 6,
    kTrapGate16 = 7,
    kTss32 = 9,
    kBusyTss32 = 11,
    kCallGate32 = 12,
    kInterruptGate32 = 14,
    kTrapGate32 = 15,
};

struct Descriptor {
    std::uint32_t low = 0;
    std::uint32_t high = 0;

    std::uint8_t access() const { return static_cast<std::uint8_t>(high >> 8); }
    bool present() const { return high & 0x8000; }
    unsigned dpl() const { return high >> 13 & 3; }
    bool is_system() const { return !(high & 0x1000); }
    unsigned type() const { return high >> 8 & 15; }  // SystemType if is_system()
    bool is_code() const { return (high & 0x1800) == 0x1800; }
    bool is_conforming() const { return (high & 0x1c00) == 0x1c00; }
    // Data, or code that may be read.
    bool is_readable() const { return !is_system() && (!is_code() || high & 0x0200); }
    bool is_writable_data() const { return (high & 0x1a00) == 0x1200; }
    bool is_tss() const { return is_system() && (type() & 5) == 1; }

    Address base() const { return low >> 16 | (high & 0xff) << 16 | (high & 0xff00'0000); }
    std::uint32_t limit() const {
        const std::uint32_t field = (low & 0xffff) | (high & 0x000f'0000);
        return counts_pages() ? field << 12 | 0xfff : field;
    }
    bool counts_pages() const { return high & 0x0080'0000; }  // the limit's field
    bool big() const { return high & 0x0040'0000; }

    // For a gate.
    std::uint16_t gate_selector() const { return static_cast<std::uint16_t>(low >> 16); }
    std::uint32_t gate_offset() const {
        return (low & 0xffff) | (type() & 8 ? high & 0xffff'0000 : 0);
    }
    unsigned gate_count() const { return high & 0x1f; }
    bool gate_is_wide() const { return type() & 8; }

    Segment segment(std::uint16_t selector) const {
        return {base(), limit(), selector, access(), big()};
    }
};

constexpr unsigned rpl(std::uint16_t selector) {
    return selector & 3;
}
constexpr bool is_null(std::uint16_t selector) {
    return (selector & ~3u) == 0;
}
// The selector as error codes contain it: without RPL.
constexpr std::uint32_t selector_error(std::uint16_t selector) {
    return selector & ~3u;
}

}  // namespace symsim
