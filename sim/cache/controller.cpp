// SPDX-License-Identifier: MIT
#include "sim/cache/controller.h"

namespace symsim {

Access CacheController::locked_load(Address address, unsigned size, const AccessTime& when,
                                    std::uint32_t& value) {
    address = decoded(address);
    const Address line = cache_.line_of(address);
    if (!when.committed && (protocol_.has_own_lines() || locks_.has(line) || !may_post(when)))
        return Access::retry;
    if (!memory_.open(address)) return when.committed ? Access::unmapped : Access::retry;
    if (take_fill(TransactionKind::locked_read, line, when)) {
        if (!locks_.has(line)) locks_.add(line, true);
        value = peek(address, size);
        return Access::made;
    }
    if (!port_free(when.at) && config_.store_policy != StorePolicy::buffered)
        return await(Awaiting::completion, when);
    if (!stores_.buffer().empty()) return await(Awaiting::drained, when);
    if (arriving(address, when.at)) return await(Awaiting::line, when);
    if (locks_.add_dword(line)) {
        value = peek(address, size);  // second dword of an operand across two: the line is here
        return Access::hit;
    }
    Line* const here = protocol_.has_own_lines() ? cache_.find(line) : nullptr;
    if (here && own_line(*here)) {
        interconnect_.lock_in_cache(id_, line, when.at);
        locks_.add(line, false);
        cache_.use(*here, when.at);
        value = peek(address, size);
        return Access::hit;
    }
    return request_fill(TransactionKind::locked_read, line, cache_.line_bytes(), when);
}

Access CacheController::locked_store(Address address, unsigned size, const AccessTime& when,
                                     std::uint32_t value) {
    address = decoded(address);
    if (!when.committed && (protocol_.has_own_lines() || !may_post(when))) return Access::retry;
    if (stores_.awaited()) {
        stores_.take_awaited();
        return Access::made;
    }
    if (protocol_.has_own_lines() && store_if_owned(address, size, when, value)) return Access::hit;
    return store_to_the_end(TransactionKind::locked_store, address, size, value, when);
}

// All copies of a shared line are the same, and no port has stored to it speculatively. So needs()
// reads the old value from memory when the store is granted, and the exchange needs no lock.
std::optional<Access> CacheController::exchange(Address address, unsigned size,
                                                const AccessTime& when, std::uint32_t value,
                                                std::uint32_t& before) {
    if (exchanging_ != kNoExchange) {
        exchanging_ = kNoExchange;
        stores_.take_awaited();
        before = exchanged_;
        return Access::made;
    }
    address = decoded(address);
    if (!memory_.open(address)) return std::nullopt;
    if (!when.committed) return Access::retry;
    take_fill(TransactionKind::read, address, when);
    if (!port_free(when.at) && config_.store_policy != StorePolicy::buffered)
        return await(Awaiting::completion, when);
    if (!stores_.buffer().empty()) return await(Awaiting::drained, when);
    const Line* const line = cache_.find(address);
    if (!line)
        return request_fill(TransactionKind::read, cache_.line_of(address), cache_.line_bytes(),
                            when);
    if (own_line(*line)) return std::nullopt;
    exchanging_ = address;
    return store_to_the_end(TransactionKind::locked_store, address, size, value, when);
}

void CacheController::unlock(const AccessTime& when) {
    for (const LockedLine& entry : locks_.all()) release_lock(entry, when);
    locks_.clear();
}

void CacheController::unlock(Address address, const AccessTime& when) {
    const Address line = cache_.line_of(decoded(address));
    release_lock(locks_.remove(line), when);
}

Access CacheController::get_sub_page(Address address, const AccessTime& when) {
    if (!when.committed) return Access::retry;
    const Address line = cache_.line_of(decoded(address));
    if (!config_.sub_page_locks || !memory_.open(line) || sub_pages_.has(line))
        return Access::unmapped;
    std::uint32_t unused = 0;
    const Access got = locked_load(line, 4, when, unused);
    if (got == Access::hit || got == Access::made) sub_pages_.add(line, locks_.remove(line).on_bus);
    return got;
}

// The section's stores are complete before others can have the sub-page.
Access CacheController::release_sub_page(Address address, const AccessTime& when) {
    if (!when.committed) return Access::retry;
    const Address line = cache_.line_of(decoded(address));
    if (!sub_pages_.has(line)) return Access::unmapped;
    if (!port_free(when.at) && config_.store_policy != StorePolicy::buffered)
        return await(Awaiting::completion, when);
    if (!stores_.buffer().empty()) return await(Awaiting::drained, when);
    release_lock(sub_pages_.remove(line), when);
    return Access::hit;
}

void CacheController::release_lock(const LockedLine& lock, const AccessTime& when) {
    if (lock.ended_by_store) return;
    if (lock.on_bus && !protocol_.lines_have_owners())
        post(TransactionKind::unlock, lock.line, 0, 0, when);
    else
        interconnect_.release(id_, lock.line, lock.on_bus, when.at);
}

void CacheController::withdraw(Time at) {
    awaiting_ = Awaiting::nothing;
    if (ahead_.posted_at < at) return;
    ahead_.posted_at = -1;
    if (is_store(interconnect_.withdraw(id_))) stores_.withdraw();
}

}  // namespace symsim
