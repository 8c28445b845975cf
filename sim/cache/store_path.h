// SPDX-License-Identifier: MIT
// Stores: through the write buffer over the interconnect, or in an own line of the cache. A layer
// of CacheController (controller.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/options.h"
#include "sim/base/types.h"
#include "sim/cache/access.h"
#include "sim/cache/load_path.h"
#include "sim/cache/locked_lines.h"

namespace symsim {

class StorePath : public LoadPath {
  public:
    using LoadPath::LoadPath;

    Access store(Address address, unsigned size, const AccessTime& when, std::uint32_t value);

    // The fast path of a store to memory: whether it can be made at once. `own` is the own line in
    // which store_in_line() makes it, at the cost of a hit, or null: then buffer_store() makes it.
    // If it cannot, store() decides. `own` must be null before.
    bool stores_at_once(Address address, const AccessTime& when, Line*& own) {
        if (can_buffer_store(address, when)) return true;
        own = owned_line_for_store(address, when.at);
        return own;
    }
    void buffer_store(Address address, unsigned size, const AccessTime& when, std::uint32_t value);
    void store_in_line(Line& line, Address address, unsigned size, const AccessTime& when,
                       std::uint32_t value) {
        if (!when.committed) store_log_->before_store(line, address, size);
        cache_.use(line, when.at);
        write_line(line, address, size, value);
    }

    // --- for the engine ------------------------------------------------------------------------
    // Needed before the first access that commit time has not reached.
    void set_store_log(StoreLog& log) { store_log_ = &log; }
    // Undoes a store to an own line: the line had `state` before, and memory `value`.
    void undo_store(Line& line, LineState state, Address address, unsigned size,
                    std::uint32_t value) {
        line.state = state;
        memory_.write(address, size, value);
        interconnect_.code().written(address, size);
    }

    // --- for the schedule of the processor -----------------------------------------------------
    // Stores that enter the write buffer before `at` are granted after it. The processor is not
    // speculative before `at`.
    void hold_stores_until(Time at) { stores_held_until_ = at; }

  protected:
    void enqueue_store(TransactionKind kind, Address address, unsigned size, std::uint32_t value,
                       const AccessTime& when);
    Access store_to_the_end(TransactionKind kind, Address address, unsigned size,
                            std::uint32_t value, const AccessTime& when);
    bool store_if_owned(Address address, unsigned size, const AccessTime& when,
                        std::uint32_t value);

    LockedLines locks_;

  private:
    AccessTime held(AccessTime when) const {
        when.at = std::max(when.at, stores_held_until_);
        return when;
    }
    Access store_slow(Address address, unsigned size, const AccessTime& when, std::uint32_t value);
    bool can_buffer_store(Address address, const AccessTime& when) const {
        return buffers_stores_ && port_free(when.at) && (when.committed || ahead_.posts) &&
               !stores_.awaited() && memory_.open(address);
    }
    Line* owned_line_for_store(Address address, Time at) {
        if (!protocol_.has_own_lines() || stores_.awaited() || !port_free(at)) return nullptr;
        Line* const line = cache_.find(address);
        if (!line || !own_line(*line) || interconnect_.code().may_cover(address, 1)) return nullptr;
        return line;
    }
    // Whether stores may be posted speculatively: only where they are made one at a time, and all
    // over the bus.
    bool stores_ahead() const {
        return !protocol_.has_own_lines() && config_.store_policy != StorePolicy::buffered;
    }
    bool ends_lock(Address address);

    Time stores_held_until_ = 0;
};

// Puts a store into the write buffer and posts it to the bus. Inline, so that the compiler knows
// the kind of store.
[[gnu::always_inline]] inline void StorePath::enqueue_store(TransactionKind kind, Address address,
                                                            unsigned size, std::uint32_t value,
                                                            const AccessTime& when) {
    stores_.push(address, size, value);
    Line* const line = is_io(kind) ? nullptr : cache_.find(address);
    if (line) cache_.use(*line, when.at);
    post(kind, address, size, value, kind == TransactionKind::store ? held(when) : when,
         kind == TransactionKind::locked_store && ends_lock(address));
}

[[gnu::always_inline]] inline void StorePath::buffer_store(Address address, unsigned size,
                                                           const AccessTime& when,
                                                           std::uint32_t value) {
    enqueue_store(TransactionKind::store, address, size, value, when);
}

}  // namespace symsim
