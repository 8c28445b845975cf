// SPDX-License-Identifier: MIT
// Loads and stores that are not simple hits: waits, devices, locked accesses, accesses made before.
#include "sim/cpu/mmu/load_store.h"

#include <fmt/format.h>

#include <optional>

#include "sim/devices/board.h"
#include "sim/devices/device.h"

namespace symsim {

namespace {
constexpr Address kLastPage = 0xffff'f000;  // where address arithmetic below 0 leads
}  // namespace

inline bool LoadStore::record(const Op& op, Access outcome, Time at, Address address,
                              std::uint32_t value) {
    if (outcome == Access::unmapped) return access_unmapped(op, address);
    if (!finish_access(outcome, at)) return false;
    if (outcome == Access::hit) core_.context.time += cache_.hit_wait();
    if (core_.context.accesses >= log_.size()) refuse_accesses();
    core_.context.last_access = at;
    log_[core_.context.accesses++] = value;
    core_.execution.next_access = core_.context.accesses;
    if (schedule_.counts()) schedule_.access_made();
    return true;
}

bool LoadStore::follow_schedule(Time& at) {
    if (at > core_.commit_time) return core_.pause(at, StopReason::retry);
    while (const ScheduleEntry* const entry = schedule_.due_before_access()) {
        const Time delay = core_.clock.edge_at_or_after(entry->delay);
        const bool holds_stores = entry->what == ScheduleEntry::What::hold_stores;
        schedule_.reach(at, at + delay, core_.context.eip);
        if (holds_stores) {
            cache_.hold_stores_until(at + delay);
        } else {
            core_.context.time += delay;
            at += delay;
        }
    }
    return at <= core_.commit_time || core_.pause(at, StopReason::retry);
}

bool LoadStore::load_slow(const Op& op, Address address, unsigned size, std::uint32_t& value) {
    if (core_.again()) {
        value = log_[core_.execution.next_access++];
        return true;
    }
    Time at = core_.context.time + core_.load_offset();
    if (core_.out_of_time(at)) return core_.pause(at, StopReason::retry);
    if (!may_access(at)) return false;
    // The value of a board register changes with time.
    if (address >= kDeviceSpace) core_.changed();
    const AccessTime when = access_time(at);
    Access outcome = op.locked ? cache_.locked_load(address, size, when, value)
                               : cache_.load(address, size, when, value);
    if (outcome == Access::unmapped && core_.execution.at_port) {
        value = size == 4 ? 0xffff'ffff : (1u << 8 * size) - 1;
        outcome = Access::made;
    }
    if (!record(op, outcome, at, address, value)) return false;
    if (debug_) debug_->accessed(core_.id, {address, size, false, op.locked, false, value, at});
    return true;
}

bool LoadStore::store(const Op& op, Address address, unsigned size, std::uint32_t value) {
    if (core_.again()) {
        ++core_.execution.next_access;
        return true;
    }
    Time at = core_.context.time + store_offset(op);
    if (core_.out_of_time(at)) return core_.pause(at, StopReason::retry);
    if (!may_access(at)) return false;
    const AccessTime when = access_time(at);
    Access outcome = op.locked                    ? cache_.locked_store(address, size, when, value)
                     : sub_page::answers(address) ? sub_page_access(address, size, value, when)
                                                  : cache_.store(address, size, when, value);
    if (outcome == Access::unmapped && core_.execution.at_port) outcome = Access::made;
    if (!record(op, outcome, at, address, 0)) return false;
    const bool buffered = outcome == Access::made && !op.locked;
    if (debug_) debug_->accessed(core_.id, {address, size, true, op.locked, buffered, value, at});
    if (outcome == Access::made && !when.committed) core_.posted_ahead(at);
    // A hit may be speculative.
    if (outcome == Access::hit) core_.changed();
    return true;
}

Access LoadStore::sub_page_access(Address address, unsigned size, std::uint32_t value,
                                  const AccessTime& when) {
    if (size != 4) return Access::unmapped;
    return address == sub_page::kGet ? cache_.get_sub_page(value, when)
                                     : cache_.release_sub_page(value, when);
}

bool LoadStore::exchange_at(const Op& op, Address address, unsigned size, std::uint32_t value) {
    Time at = core_.context.time + core_.load_offset();
    if (core_.out_of_time(at)) return core_.pause(at, StopReason::retry);
    if (!may_access(at)) return false;
    std::uint32_t before = 0;
    const std::optional<Access> outcome =
        cache_.exchange(address, size, access_time(at), value, before);
    if (!outcome) return true;
    if (!record(op, *outcome, at, address, before)) return false;
    if (debug_) debug_->accessed(core_.id, {address, size, false, true, false, before, at});
    record(op, Access::made, at, address, 0);
    core_.execution.next_access = 0;
    if (debug_) debug_->accessed(core_.id, {address, size, true, true, false, value, at});
    return true;
}

bool LoadStore::not_made(Access outcome, Time at) {
    switch (outcome) {
        case Access::retry:
            return core_.pause(at, StopReason::retry);
        case Access::waiting:
            return core_.pause(at, StopReason::waiting);
        case Access::hit:
        case Access::made:
        case Access::unmapped:
            break;
    }
    impossible("processor {} continues where there is nothing at {} ps", core_.id, at);
}

bool LoadStore::access_closed(Address address) {
    if (cache_.memory().page(address) == PageUse::null_page)
        return fail(fmt::format("access to {:#010x}, in the first page, where only null pointers "
                                "lead",
                                address),
                    "look for a null pointer, perhaps with an index or a member: the backtrace "
                    "shows who used it");
    return fail(
        fmt::format("access to {:#010x}, in the guard page below a stack: the stack has run over",
                    address),
        "look for endless recursion or large local arrays; for more stack use "
        "pthread_attr_setstacksize, or symlab cc --stack-kb for main and for processors");
}

bool LoadStore::access_unmapped(const Op& op, Address address) {
    if (cache_.memory().contains(address, 1)) return access_closed(address);
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
    const char* const of_null =
        "look for a null pointer with a negative index, or a push on a stack that begins at 0";
    const char* const of_sub_pages =
        "here are sub-pages got and released, on machines with sub_page.present, such as ksr1, "
        "by a store of a dword that is an address in memory; a processor can get one once, and "
        "release it once (guest/include/sub_page.h)";
    const char* const of_range = device_hint(address);
    const char* const of_device =
        "a device takes accesses to its registers in their size and direction "
        "(guest/include/cpu.h, slic.h); or look for a wild pointer";
    return fail(
        fmt::format("access to {:#010x} in device space, where no device takes it", address),
        address >= kLastPage         ? of_null
        : sub_page::answers(address) ? of_sub_pages
        : *of_range != 0             ? of_range
                                     : of_device);
}

void LoadStore::refuse_accesses() const {
    impossible("an instruction of more than {} accesses at eip {:#010x}", log_.size(),
               core_.context.eip);
}

}  // namespace symsim
