// SPDX-License-Identifier: MIT
// The cache controller's handling of stores: over the bus, or in an own line of the cache.
#include "sim/cache/controller.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

Access CacheController::store(Address address, unsigned size, const AccessTime& when,
                              std::uint32_t value) {
    if (can_buffer_store(address, size, when)) {
        buffer_store(address, size, when, value);
        return Access::made;
    }
    return protocol_.has_own_lines() ? store_owned(address, size, when, value)
                                     : store_slow(address, size, when, value);
}

[[gnu::noinline]] Access CacheController::store_owned(Address address, unsigned size,
                                                      const AccessTime& when, std::uint32_t value) {
    if (Line* const line = owned_line_for_store(address, when.at)) {
        store_in_line(*line, address, size, when, value);
        return Access::hit;
    }
    address = decoded(address);
    if (store_if_owned(address, size, when, value)) return Access::hit;
    return store_slow(address, size, when, value);
}

[[gnu::noinline]] Access CacheController::store_slow(Address address, unsigned size,
                                                     const AccessTime& when, std::uint32_t value) {
    address = decoded(address);
    const bool device = address >= kDeviceSpace;
    const bool there = device || memory_.contains(address, size);
    if (!when.committed && (device || !there || !stores_ahead())) return Access::retry;
    if (!when.committed && !port_free(when.at)) return await_port(when);
    if (!may_post(when)) return Access::retry;
    if (store_posted_) {  // this call asks again: the store has been posted, and is complete
        store_posted_ = false;
        return unmapped_ ? Access::unmapped : Access::made;
    }
    if (device && board_device_ && board_device_->answers(address)) {
        board_device_->write(id_, address, value, when.at);
        return Access::hit;
    }
    if (device && sync_bus_ && sync_bus_->answers(address, size))
        return sync_access(address, when, true, value);
    if (!there) return Access::unmapped;
    const bool to_the_end = device || config_.store_policy == StorePolicy::stall;
    if (to_the_end || config_.store_policy == StorePolicy::block_port) {
        if (!port_free(when.at)) return await(Awaiting::completion, when);
    } else if (buffer_.size() >= config_.write_buffer_depth) {
        return await(Awaiting::slot, when);
    }
    // If the line is invalidated on its way, it is not installed, and the store goes to memory
    // without it.
    if (protocol_.allocates() && !device && !cache_.find(address) &&
        !take_fill(TransactionKind::read, address, when))
        return request_fill(TransactionKind::read, cache_.line_of(address),
                            config_.geometry.line_bytes, when);
    enqueue_store(device ? TransactionKind::io_write : TransactionKind::store, address, size, value,
                  when);
    if (!to_the_end) return Access::made;
    store_posted_ = true;
    unmapped_ = false;
    return await(Awaiting::completion, when);
}

Access CacheController::locked_store(Address address, unsigned size, const AccessTime& when,
                                     std::uint32_t value) {
    address = decoded(address);
    if (!when.committed && (protocol_.has_own_lines() || !may_post(when))) return Access::retry;
    if (store_posted_) {
        store_posted_ = false;
        return Access::made;
    }
    if (protocol_.has_own_lines() && store_if_owned(address, size, when, value)) return Access::hit;
    enqueue_store(TransactionKind::locked_store, address, size, value, when);
    store_posted_ = true;
    unmapped_ = false;
    return await(Awaiting::completion, when);
}

// All copies of a shared line are the same, and no port has stored to it speculatively. So needs()
// reads the old value from memory when the store is granted, and the exchange needs no lock.
std::optional<Access> CacheController::exchange(Address address, unsigned size,
                                                const AccessTime& when, std::uint32_t value,
                                                std::uint32_t& before) {
    if (exchanging_ != kNoExchange) {
        exchanging_ = kNoExchange;
        store_posted_ = false;
        before = exchanged_;
        return Access::made;
    }
    address = decoded(address);
    if (address >= kDeviceSpace || !memory_.contains(address, size)) return std::nullopt;
    if (!when.committed) return Access::retry;
    take_fill(TransactionKind::read, address, when);
    if (!port_free(when.at) && config_.store_policy != StorePolicy::buffered)
        return await(Awaiting::completion, when);
    if (!buffer_.empty()) return await(Awaiting::drained, when);
    const Line* const line = cache_.find(address);
    if (!line)
        return request_fill(TransactionKind::read, cache_.line_of(address), cache_.line_bytes(),
                            when);
    if (own_line(*line)) return std::nullopt;
    enqueue_store(TransactionKind::locked_store, address, size, value, when);
    exchanging_ = address;
    store_posted_ = true;
    unmapped_ = false;
    return await(Awaiting::completion, when);
}

// A store to an own line does not use the bus. It can be made speculatively, except where decoded
// code is: other processors may have that code in their prefetch queues, whoever owns the line.
// When a speculative store is executed again (repeats_), code may have been decoded there since.
// That does not matter, since no processor had it when the store was first made.
bool CacheController::store_if_owned(Address address, unsigned size, const AccessTime& when,
                                     std::uint32_t value) {
    if (store_posted_ || !buffer_.empty() || address >= kDeviceSpace) return false;
    if (when.at < stores_complete_at_ &&
        (config_.store_policy != StorePolicy::buffered || arriving(address, when.at)))
        return false;
    Line* const line = cache_.find(address);
    if (!line || !own_line(*line)) return false;
    if (!when.committed) {
        if (!repeats_ && interconnect_.code().covers(line->address, config_.geometry.line_bytes))
            return false;
    } else if (interconnect_.code().covers(address, size)) {
        interconnect_.roll_back_line(address, when.at, id_);
    }
    store_in_line(*line, address, size, when, value);
    interconnect_.code().written(address, size);
    return true;
}

}  // namespace symsim
