// SPDX-License-Identifier: MIT
// Loads and stores of an instruction by physical address, each within an aligned dword.
//
// An instruction starts at Context::time. Its loads are made from that time on, two clocks apart.
// Its stores are made in its last clocks, two clocks each. (A bus cycle of the 386 takes two
// clocks: Intel 386 DX data sheet.) When the memory system makes the instruction wait, the wait is
// added to Context::time.
//
// If an access cannot be made now, the instruction is executed again from its start. The accesses
// made before are in a log, and are not made again.
#pragma once

#include <array>
#include <cstdint>

#include "sim/cache/controller.h"
#include "sim/cpu/isa/op.h"
#include "sim/cpu/state/exceptions.h"
#include "sim/cpu/state/schedule.h"

namespace symsim {

// Whether an operand is in two dwords. It then takes two accesses (PRM: misaligned operands take
// more bus cycles).
constexpr bool is_split(Address address, unsigned size) {
    return (address & 3) + size > 4;
}

class LoadStore : public Exceptions {
  public:
    CacheController& cache() { return cache_; }
    // Values of the accesses that the instruction under way has made; a rollback point saves them.
    // A task switch makes the most accesses, about 110.
    using AccessLog = std::array<std::uint32_t, 256>;
    const AccessLog& log() const { return log_; }
    AccessLog& log() { return log_; }

  protected:
    LoadStore(ProcessorId id, const ProcessorConfig& config, CacheController& cache)
        : Exceptions(id, config), cache_(cache) {}

    bool load(const Op& op, Address address, unsigned size, std::uint32_t& value);
    bool load_slow(const Op& op, Address address, unsigned size, std::uint32_t& value);
    bool store(const Op& op, Address address, unsigned size, std::uint32_t value);
    // Makes load and store of an xchg at once if the cache does so (CacheController::exchange).
    // Both are then in the log, and the instruction takes them from there.
    bool exchange_at(const Op& op, Address address, unsigned size, std::uint32_t value);
    // Whether the access has been made. If not, the processor stops.
    bool finish_access(Access outcome, Time at) {
        return outcome <= Access::made || not_made(outcome, at);
    }
    AccessTime access_time(Time at) const {
        return {at, at <= core_.commit_time, core_.context.activity};
    }
    // Offset in time of the instruction's first store, if no access was split. A fast-path
    // instruction makes no other store.
    Time stores_from(const Op& op) const { return core_.clock.cycles(op.clocks - 2 * op.stores); }
    // Offset in time of the next store within the instruction.
    Time store_offset(const Op& op) const {
        const Execution& e = core_.execution;
        return e.non_speculative ? core_.load_offset()
                                 : stores_from(op) + core_.clock.cycles(2 * (e.stores + e.splits));
    }
    // Whether each access is reported to a debugger or counted for the schedule.
    void note_accesses(bool each) { few_accesses_ = each ? 0 : kFewAccesses; }

    CacheController& cache_;
    Schedule schedule_;

  private:
    // Ends an access of the instruction under way. If it has been made, its value is logged and its
    // cost is added.
    bool record(const Op& op, Access outcome, Time at, Address address, std::uint32_t value);
    bool not_made(Access outcome, Time at);
    Access sub_page_access(Address address, unsigned size, std::uint32_t value,
                           const AccessTime& when);
    bool access_unmapped(const Op& op, Address address);
    bool access_closed(Address address);
    // Whether an access at `at`, which is not speculative, may be made as far as the schedule goes.
    // A hold moves it to a later time.
    bool may_access(Time& at) { return !schedule_.counts() || follow_schedule(at); }
    bool follow_schedule(Time& at);
    [[noreturn]] void refuse_accesses() const;

    // From this number of accesses on, load() always takes the slow path, which checks the size of
    // the log. The number is 0 if accesses are noted, since only the slow path notes loads.
    static constexpr unsigned kFewAccesses = 16;
    unsigned few_accesses_ = kFewAccesses;
    AccessLog log_{};
};

// Makes a load that is a plain hit and has not been made before. load_slow() makes all other loads.
inline bool LoadStore::load(const Op& op, Address address, unsigned size, std::uint32_t& value) {
    const Time at = core_.context.time + core_.load_offset();
    if (op.locked || core_.execution.non_speculative || core_.again() ||
        core_.context.accesses >= few_accesses_ || at >= core_.limit ||
        !cache_.load_hits(address, size, at, value))
        return load_slow(op, address, size, value);
    core_.context.time += cache_.hit_wait();
    core_.context.last_access = at;
    log_[core_.context.accesses++] = value;
    core_.execution.next_access = core_.context.accesses;
    return true;
}

}  // namespace symsim
