// SPDX-License-Identifier: MIT
// The cache controller of one processor: the cache's tags, the write buffer, and the port to the
// bus. What a coherence protocol decides is in sim/protocol/.
//
// Built in layers, a class each. Each uses those below it and knows none above it.
//   CacheController  locked accesses, exchanges, what the engine asks
//   StorePath        stores: over the interconnect or in an own line
//   LoadPath         loads and fetches, fills, devices
//   CachePort        what the interconnect calls: grants, answers, replies, snoops
// Parts: Cache (tags), StorePort with the WriteBuffer, Fill, LockedLines.
//
// Who calls it
//   - The processor asks for one access at a time, and may have to ask again: access.h.
//   - The interconnect calls the functions of Port (port.h) at its events, in order of time.
//   - The engine that drives the processor is its Waiter. The fast engine lets processors run ahead
//     of the bus, so the controller also calls it before a line changes that the processor may have
//     used. Stores that may have to be undone go to a StoreLog.
//
// Terms
//   own line    A line in a state in which stores are made in the cache, without a transaction:
//               Protocol::writable().
//   granted     The interconnect has taken the request.
//   performed   The store is in memory, and others have snooped it: when it is answered. On the bus
//               that is when it is granted.
//   complete    The store is over: bus.store_completion_cycles after it was performed, or
//               upgrade_completion_cycles for an upgrade. A read-exclusive completes when its line
//               arrives. cache.store_policy says what waits for it.
//   cache port  Occupied from the posting of a store until its completion. Under the store policy
//               block-port, loads, stores and fetches after a branch wait until it is free.
//
// An access lies within one aligned dword; the processor splits others. docs/how-it-works/model.md
// ("Cache") describes the model.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cache/access.h"
#include "sim/cache/locked_lines.h"
#include "sim/cache/store_path.h"

namespace symsim {

class CacheController final : public StorePath {
  public:
    using StorePath::StorePath;

    // --- for the processor ---------------------------------------------------------------------
    // A locked load locks the line's address. It brings the line over the bus unless it is an own
    // line. A locked store waits for its completion. After the instruction's last locked store
    // comes unlock().
    Access locked_load(Address address, unsigned size, const AccessTime& when,
                       std::uint32_t& value);
    Access locked_store(Address address, unsigned size, const AccessTime& when,
                        std::uint32_t value);
    void unlock(const AccessTime& when);
    // Unlocks one line only: after a locked update of a page table or a descriptor, which the
    // processor makes on its own. The instruction may hold other locks.
    void unlock(Address address, const AccessTime& when);
    // Gets the sub-page of the address: locks its line until release_sub_page(). Both only at
    // commit time. Unmapped: there are no such locks, or no memory, or the processor has it already
    // or not.
    Access get_sub_page(Address address, const AccessTime& when);
    Access release_sub_page(Address address, const AccessTime& when);
    // Whether exchange() may be called (UpdateExchange::one_update).
    bool exchanges() const { return exchanges_; }
    // The address of the exchange whose update is posted, and that has not been made yet; or
    // kNoExchange.
    static constexpr Address kNoExchange = ~Address{0};  // where there is no memory
    Address exchanging() const { return exchanging_; }
    // An exchange by one update: stores `value` over the bus. `before` is what memory and all
    // copies had when the bus granted the store. A line that is not in the cache is read first. No
    // answer: the line is an own line, or there is no memory; then use locked_load() and
    // locked_store().
    std::optional<Access> exchange(Address address, unsigned size, const AccessTime& when,
                                   std::uint32_t value, std::uint32_t& before);

    // --- for the engine ------------------------------------------------------------------------
    // Whether the instruction under way has locked a line that stays locked until the processor
    // continues.
    bool must_unlock() const {
        return locks_.await_unlock() ||
               (fill_.arrived() && fill_.kind() == TransactionKind::locked_read);
    }
    // The processor does not wait. Withdraws its request if that was posted for `at` or later,
    // speculatively.
    void withdraw(Time at);

  private:
    void release_lock(const LockedLine& lock, const AccessTime& when);

    Address exchanging_ = kNoExchange;  // see exchanging()
    LockedLines sub_pages_;             // got and not released
};

}  // namespace symsim
