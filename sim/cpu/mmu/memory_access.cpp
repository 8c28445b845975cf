// SPDX-License-Identifier: MIT
// The path of an operand: offset, segment check, linear address, translation, cache. The short cuts
// for most operands are in sim/cpu/core/physical_access.h.
#include <fmt/format.h>

#include <algorithm>

#include "sim/cpu/core/processor.h"

namespace symsim {

namespace {

// The op of accesses that the processor makes on its own: they are not locked, and their clocks are
// charged elsewhere.
const Op kNoOp;

}  // namespace

// Checks the type and the limit of a segment (PRM 6.3.1 and 6.3.2).
bool Processor::check_segment(Seg segment, Offset offset, unsigned size, bool write) {
    const Segment& s = system_.segments[segment];
    const std::uint64_t last = std::uint64_t{offset} + size - 1;
    bool fine = s.present() && (write ? s.writable() || system_.real_segments() : s.readable());
    if (s.expands_down())
        fine = fine && offset > s.limit && last <= (s.big ? 0xffff'ffffu : 0xffffu);
    else
        fine = fine && last <= s.limit;
    return fine || raise(segment == ss ? Fault::stack : Fault::general_protection);
}

bool Processor::read_checked(const Op& op, Seg segment, Offset offset, unsigned size,
                             bool will_write, std::uint32_t& value) {
    if (!check_segment(segment, offset, size, will_write)) return false;
    return read_linear(op, system_.segments[segment].base + offset, size,
                       {will_write, system_.cpl == 3}, value);
}

// If the instruction has made an access after the check, the check has passed.
bool Processor::probe_checked(Seg segment, Offset offset, unsigned size) {
    if (again()) return true;
    if (!check_segment(segment, offset, size, true)) return false;
    const LinearAddress linear = system_.segments[segment].base + offset;
    const unsigned first = std::min(size, 4 - (linear & 3));
    std::array<Address, 2> physical{};
    return locate(linear, size, first, {true, system_.cpl == 3}, load_offset(), physical);
}

bool Processor::write_checked(const Op& op, Seg segment, Offset offset, unsigned size,
                              std::uint32_t value) {
    if (!check_segment(segment, offset, size, true)) return false;
    return write_linear(op, system_.segments[segment].base + offset, size, {true, system_.cpl == 3},
                        value);
}

// Translates both parts of an operand before either is accessed, so that a fault in the second part
// leaves the first unchanged. A part that has been accessed is not translated again, since its
// entry may have left the TLB.
bool Processor::locate(LinearAddress linear, unsigned size, unsigned first, Reach reach,
                       Time offset, std::array<Address, 2>& physical) {
    walk_.offset = offset;
    if (execution_.next_access >= context_.accesses && !translate(linear, reach, physical[0]))
        return false;
    return first >= size || execution_.next_access + 1 < context_.accesses ||
           translate(linear + first, reach, physical[1]);
}

bool Processor::read_linear(const Op& op, LinearAddress linear, unsigned size, Reach reach,
                            std::uint32_t& value) {
    const unsigned first = std::min(size, 4 - (linear & 3));
    std::array<Address, 2> physical{};
    if (!locate(linear, size, first, reach, load_offset(), physical)) return false;
    if (!load(op, physical[0], first, value)) return false;
    if (first < size) {
        std::uint32_t high = 0;
        split();
        if (!load(op, physical[1], size - first, high)) return false;
        value |= high << 8 * first;
    }
    ++execution_.loads;
    return true;
}

bool Processor::write_linear(const Op& op, LinearAddress linear, unsigned size, Reach reach,
                             std::uint32_t value) {
    const unsigned first = std::min(size, 4 - (linear & 3));
    std::array<Address, 2> physical{};
    if (!locate(linear, size, first, reach, store_offset(op), physical)) return false;
    const std::uint32_t low = first == 4 ? value : value & ((1u << 8 * first) - 1);
    if (!store(op, physical[0], first, low)) return false;
    if (first < size) {
        split();
        if (!store(op, physical[1], size - first, value >> 8 * first)) return false;
    }
    ++execution_.stores;
    return true;
}

// An operand across two dwords takes two accesses (PRM: misaligned operands take more bus cycles).
bool Processor::read_split(const Op& op, Address address, unsigned size, std::uint32_t& value) {
    const unsigned first = 4 - (address & 3);
    std::uint32_t low = 0, high = 0;
    if (!load(op, address, first, low)) return false;
    split();
    if (!load(op, address + first, size - first, high)) return false;
    value = low | high << 8 * first;
    ++execution_.loads;
    return true;
}

bool Processor::write_split(const Op& op, Address address, unsigned size, std::uint32_t value) {
    const unsigned first = 4 - (address & 3);
    if (!store(op, address, first, value & ((1u << 8 * first) - 1))) return false;
    split();
    if (!store(op, address + first, size - first, value >> 8 * first)) return false;
    ++execution_.stores;
    return true;
}

bool Processor::read_system(LinearAddress linear, unsigned size, std::uint32_t& value, bool user) {
    return read_linear(kNoOp, linear, size, {false, user}, value);
}

bool Processor::write_system(LinearAddress linear, unsigned size, std::uint32_t value, bool user) {
    return write_linear(kNoOp, linear, size, {true, user}, value);
}

bool Processor::set_bits_system(LinearAddress linear, std::uint8_t bits) {
    return update_system(linear, 0, bits);
}

bool Processor::clear_bits_system(LinearAddress linear, std::uint8_t bits) {
    return update_system(linear, bits, 0);
}

// A locked update of one byte: two accesses in the log.
bool Processor::update_system(LinearAddress linear, std::uint8_t clear, std::uint8_t set) {
    static const Op locked = [] {
        Op op;
        op.locked = true;
        return op;
    }();
    // If the load has been made and the store has not, the store needs the physical address. Its
    // translation is in the TLB.
    Address physical = 0;
    walk_.offset = load_offset();
    const bool made = execution_.next_access + 1 < context_.accesses;
    if (!made && !translate(linear, {true, false}, physical)) return false;
    std::uint32_t value;
    if (!load(locked, physical, 1, value)) return false;
    ++execution_.loads;
    if (!store(locked, physical, 1, (value & ~std::uint32_t{clear}) | set)) return false;
    ++execution_.stores;
    if (!made) cache_.unlock(physical, access_time(context_.last_access));
    return true;
}

// Ends an access of the instruction under way. If the access has been made, its value is logged and
// its cost is added.
inline bool Processor::record(const Op& op, Access outcome, Time at, Address address,
                              std::uint32_t value) {
    if (outcome == Access::unmapped) return access_unmapped(op, address);
    if (!finish_access(outcome, at)) return false;
    if (outcome == Access::hit) context_.time += cache_.hit_wait();
    if (context_.accesses >= log_.size()) refuse_accesses();
    context_.last_access = at;
    log_[context_.accesses++] = value;
    execution_.next_access = context_.accesses;
    return true;
}

bool Processor::load_slow(const Op& op, Address address, unsigned size, std::uint32_t& value) {
    if (again()) {
        value = log_[execution_.next_access++];
        return true;
    }
    const Time at = context_.time + load_offset();
    if (out_of_time(at)) return pause(at, StopReason::retry);
    if (address >= kDeviceSpace) changed();  // the value of a board register changes with time
    const AccessTime when = access_time(at);
    Access outcome = op.locked ? cache_.locked_load(address, size, when, value)
                               : cache_.load(address, size, when, value);
    if (outcome == Access::unmapped && address >= kPortSpace && !op.locked) {
        value = size == 4 ? 0xffff'ffff : (1u << 8 * size) - 1;
        outcome = Access::made;
    }
    if (!record(op, outcome, at, address, value)) return false;
    if (debug_) debug_->accessed(id_, address, size, false);
    return true;
}

bool Processor::store(const Op& op, Address address, unsigned size, std::uint32_t value) {
    if (again()) {
        ++execution_.next_access;
        return true;
    }
    const Time at = context_.time + store_offset(op);
    if (out_of_time(at)) return pause(at, StopReason::retry);
    const AccessTime when = access_time(at);
    Access outcome = op.locked ? cache_.locked_store(address, size, when, value)
                               : cache_.store(address, size, when, value);
    if (outcome == Access::unmapped && address >= kPortSpace && !op.locked) outcome = Access::made;
    if (!record(op, outcome, at, address, 0)) return false;
    if (debug_) debug_->accessed(id_, address, size, true);
    if (outcome == Access::made && !when.committed) posted_ahead(at);
    // A hit may be speculative. A loop with a store does not repeat with the same state.
    if (outcome == Access::hit) changed();
    return true;
}

// Makes load and store of an xchg at once if the cache does so (CacheController::exchange). Both
// are then in the log, and the instruction takes them from there.
bool Processor::exchange_slow(const Op& op, Offset offset, unsigned size, std::uint32_t value) {
    const bool plain = system_.plain_writes >> op.segment & 1;
    const LinearAddress linear = plain ? offset : system_.segments[op.segment].base + offset;
    if ((linear & 3) + size > 4) return true;
    Address physical = cache_.exchanging();
    if (physical == CacheController::kNoExchange) {
        physical = linear;
        walk_.offset = load_offset();
        if (!plain && (!check_segment(op.segment, offset, size, true) ||
                       !translate(linear, {true, system_.cpl == 3}, physical)))
            return false;
    }
    const Time at = context_.time + load_offset();
    if (out_of_time(at)) return pause(at, StopReason::retry);
    std::uint32_t before = 0;
    const std::optional<Access> outcome =
        cache_.exchange(physical, size, access_time(at), value, before);
    if (!outcome) return true;
    if (!record(op, *outcome, at, physical, before)) return false;
    record(op, Access::made, at, physical, 0);
    execution_.next_access = 0;
    if (debug_) debug_->accessed(id_, physical, size, false);
    if (debug_) debug_->accessed(id_, physical, size, true);
    return true;
}

bool Processor::not_made(Access outcome, Time at) {
    switch (outcome) {
        case Access::retry:
            return pause(at, StopReason::retry);
        case Access::waiting:
            return pause(at, StopReason::waiting);
        case Access::hit:
        case Access::made:
        case Access::unmapped:
            break;
    }
    impossible("processor {} goes on where there is nothing at {} ps", id_, at);
}

bool Processor::access_unmapped(const Op& op, Address address) {
    if (address < kDeviceSpace)
        return fail(
            fmt::format("access to {:#010x}, where there is neither memory nor a device", address),
            "look for a wild pointer or a stack that has run over; memory.size_mb says how "
            "much memory there is");
    if (op.locked)
        return fail(
            fmt::format("locked access to {:#010x}, which is not memory but device space, where "
                        "the bus locks no address",
                        address),
            "xchg and the lock prefix need memory; use mov for a device, or look for a wild "
            "pointer");
    const char* const of_sync_bus =
        "here is the synchronisation bus of machines with sync_bus.present, such as sgi-4d480; its "
        "locks (sync_bus.locks) are dwords, to be read and written whole";
    const char* const of_device =
        "a device takes accesses to its registers in their size and direction "
        "(guest/include/cpu.h); or look for a wild pointer";
    return fail(
        fmt::format("access to {:#010x} in device space, where no device takes it", address),
        address - SyncBus::kBase < SyncBus::kMostBytes ? of_sync_bus : of_device);
}

void Processor::refuse_accesses() const {
    impossible("an instruction of more than {} accesses at eip {:#010x}", log_.size(),
               context_.eip);
}

}  // namespace symsim
