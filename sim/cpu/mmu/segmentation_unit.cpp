// SPDX-License-Identifier: MIT
// Operands in segments whose offsets are not physical addresses, operands across two dwords, and
// exchanges.
#include "sim/cpu/mmu/segmentation_unit.h"

#include <algorithm>

namespace symsim {

bool SegmentationUnit::check_segment(Seg segment, Offset offset, unsigned size, bool write) {
    return core_.system.allows(segment, offset, size, write) ||
           raise(segment == ss ? Fault::stack : Fault::general_protection);
}

bool SegmentationUnit::read_checked(const Op& op, Seg segment, Offset offset, unsigned size,
                                    bool will_write, std::uint32_t& value) {
    if (!check_segment(segment, offset, size, will_write)) return false;
    return read_linear(op, core_.system.segments[segment].base + offset, size,
                       {will_write, core_.system.cpl == 3}, value);
}

// If the instruction has made an access after the check, the check has passed.
bool SegmentationUnit::probe_checked(Seg segment, Offset offset, unsigned size) {
    if (core_.again()) return true;
    if (!check_segment(segment, offset, size, true)) return false;
    const LinearAddress linear = core_.system.segments[segment].base + offset;
    const unsigned first = std::min(size, 4 - (linear & 3));
    std::array<Address, 2> physical{};
    return locate(linear, size, first, {true, core_.system.cpl == 3}, core_.load_offset(),
                  physical);
}

bool SegmentationUnit::write_checked(const Op& op, Seg segment, Offset offset, unsigned size,
                                     std::uint32_t value) {
    if (!check_segment(segment, offset, size, true)) return false;
    return write_linear(op, core_.system.segments[segment].base + offset, size,
                        {true, core_.system.cpl == 3}, value);
}

bool SegmentationUnit::read_split(const Op& op, Address address, unsigned size,
                                  std::uint32_t& value) {
    const unsigned first = 4 - (address & 3);
    return read_parts(op, {address, address + first}, first, size, value);
}

bool SegmentationUnit::write_split(const Op& op, Address address, unsigned size,
                                   std::uint32_t value) {
    const unsigned first = 4 - (address & 3);
    return write_parts(op, {address, address + first}, first, size, value);
}

bool SegmentationUnit::exchange_slow(const Op& op, Offset offset, unsigned size,
                                     std::uint32_t value) {
    const bool plain = core_.system.plain_writes >> op.segment & 1;
    const LinearAddress linear = plain ? offset : core_.system.segments[op.segment].base + offset;
    if (is_split(linear, size)) return true;
    Address physical = cache_.exchanging();
    if (physical == CacheController::kNoExchange) {
        physical = linear;
        core_.walk.offset = core_.load_offset();
        if (!plain && (!check_segment(op.segment, offset, size, true) ||
                       !translate(linear, {true, core_.system.cpl == 3}, physical)))
            return false;
    }
    return exchange_at(op, physical, size, value);
}

void SegmentationUnit::system_changed() {
    System& system = core_.system;
    system.virtual_8086 =
        system.protected_mode() && (core_.context.flags.system & Flags::kVirtual) != 0;
    system.derive();
    core_.close_window();
    core_.set_stop();
}

}  // namespace symsim
