// SPDX-License-Identifier: MIT
#include "sim/cache/store_path.h"

namespace symsim {

Access StorePath::store(Address address, unsigned size, const AccessTime& when,
                        std::uint32_t value) {
    Line* own = nullptr;
    if (!stores_at_once(address, when, own)) return store_slow(address, size, when, value);
    if (own) {
        store_in_line(*own, address, size, when, value);
        return Access::hit;
    }
    buffer_store(address, size, when, value);
    return Access::made;
}

[[gnu::noinline]] Access StorePath::store_slow(Address address, unsigned size,
                                               const AccessTime& when, std::uint32_t value) {
    address = decoded(address);
    if (protocol_.has_own_lines() && store_if_owned(address, size, when, value)) return Access::hit;
    const bool device = address >= kDeviceSpace;
    const bool there = device || memory_.open(address);
    if (!when.committed && (device || !there || !stores_ahead())) return Access::retry;
    if (!when.committed && !port_free(when.at)) return await_port(when);
    if (!may_post(when)) return Access::retry;
    if (stores_.awaited()) {  // this call asks again: the store has been posted, and is complete
        stores_.take_awaited();
        return unmapped_ ? Access::unmapped : Access::made;
    }
    if (device)
        if (const auto made = device_access(address, size, when, true, value)) return *made;
    if (!there) return Access::unmapped;
    const bool to_the_end = device || config_.store_policy == StorePolicy::stall;
    if (to_the_end || config_.store_policy == StorePolicy::block_port) {
        if (!port_free(when.at)) return await(Awaiting::completion, when);
    } else if (stores_.buffer().size() >= config_.write_buffer_depth) {
        return await(Awaiting::slot, when);
    }
    // If the line is invalidated on its way, it is not installed, and the store goes to memory
    // without it.
    if (protocol_.allocates() && !device && !cache_.find(address) &&
        !take_fill(TransactionKind::read, address, when))
        return request_fill(TransactionKind::read, cache_.line_of(address),
                            config_.geometry.line_bytes, when);
    const TransactionKind kind = device ? TransactionKind::io_write : TransactionKind::store;
    if (to_the_end) return store_to_the_end(kind, address, size, value, when);
    enqueue_store(kind, address, size, value, when);
    return Access::made;
}

// A store to an own line does not use the bus. It can be made speculatively, except where decoded
// code is: other processors may have that code in their prefetch queues, whoever owns the line.
// When a speculative store is executed again (ahead_.repeats), code may have been decoded there
// since. That does not matter, since no processor had it when the store was first made.
bool StorePath::store_if_owned(Address address, unsigned size, const AccessTime& when,
                               std::uint32_t value) {
    if (stores_.awaited() || !stores_.buffer().empty() || address >= kDeviceSpace) return false;
    if (when.at < stores_.complete_at() &&
        (config_.store_policy != StorePolicy::buffered || arriving(address, when.at)))
        return false;
    Line* const line = cache_.find(address);
    if (!line || !own_line(*line)) return false;
    if (!when.committed) {
        if (!ahead_.repeats &&
            interconnect_.code().covers(line->address, config_.geometry.line_bytes))
            return false;
    } else if (interconnect_.code().covers(address, size)) {
        interconnect_.roll_back_line(address, when.at, id_);
    }
    store_in_line(*line, address, size, when, value);
    interconnect_.code().written(address, size);
    return true;
}

// Posts a store for whose completion the processor waits.
Access StorePath::store_to_the_end(TransactionKind kind, Address address, unsigned size,
                                   std::uint32_t value, const AccessTime& when) {
    enqueue_store(kind, address, size, value, when);
    stores_.await_last();
    unmapped_ = false;
    return await(Awaiting::completion, when);
}

// Whether the locked store to `address`, which is about to be posted, ends the lock of its line
// when it is granted.
bool StorePath::ends_lock(Address address) {
    return config_.bus.unlock != UnlockPolicy::cycle && !protocol_.lines_have_owners() &&
           locks_.end_by_store(cache_.line_of(address));
}

}  // namespace symsim
