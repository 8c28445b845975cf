// SPDX-License-Identifier: MIT
#include "sim/cache/cache_port.h"

#include "sim/base/failure.h"

namespace symsim {

CachePort::CachePort(ProcessorId id, const ControllerConfig& config, const Protocol& protocol,
                     Interconnect& interconnect)
    : id_(id),
      clock_(config.processor_period),
      protocol_(protocol),
      cache_(config.geometry),
      memory_(interconnect.memory()),
      interconnect_(interconnect),
      hit_wait_(clock_.cycles(config.hit_wait_clocks)),
      store_completion_(Clock(config.bus.period()).cycles(config.bus.store_completion_cycles)),
      upgrade_completion_(Clock(config.bus.period()).cycles(config.upgrade_completion_cycles)),
      exchanges_(protocol.has_own_lines() && !protocol.lines_have_owners() &&
                 config.update_exchange == UpdateExchange::one_update),
      config_(config) {
    // Without a write buffer the processor itself must wait for each store.
    if (config_.write_buffer_depth == 0) config_.store_policy = StorePolicy::stall;
    blocks_port_ = config_.store_policy == StorePolicy::block_port;
    buffers_stores_ = !protocol.has_own_lines() && !protocol.allocates() && blocks_port_;
    interconnect_.attach(*this);
}

// Decides when the store's turn on the bus has come: since its posting this cache may have lost the
// line, or the line may have become an own line.
std::optional<TransactionKind> CachePort::needs(const Request& request, Time at) {
    if (exchanges_ && request.kind == TransactionKind::locked_store)
        exchanged_ = memory_.read(request.address, request.size);
    Line* const line = cache_.find(request.address);
    const std::optional<TransactionKind> kind =
        protocol_.store_needs(line ? line->state : LineState::invalid);
    if (kind)
        return request.kind == TransactionKind::locked_store && kind == TransactionKind::store
                   ? request.kind
                   : kind;
    if (!line) impossible("port {} stores to {:#x} in a line it has not", id_, request.address);
    if (interconnect_.code().covers(request.address, request.size))
        interconnect_.roll_back_line(request.address, at, 0);
    write_line(*line, request.address, request.size, request.value);
    interconnect_.code().written(request.address, request.size);
    store_made_in_cache(at);
    return std::nullopt;
}

// What happens to a transaction of each kind when it is granted and when it is answered. One event
// may be both. At its grant only the wait is reported.
template <bool kGranted, bool kAnswered>
[[gnu::always_inline]] inline void CachePort::proceed(const Request& request, bool mapped,
                                                      bool shared, Time at) {
    switch (request.kind) {
        case TransactionKind::io_read:
            if (kAnswered && !mapped) unmapped_ = true;
            [[fallthrough]];
        case TransactionKind::fetch:
        case TransactionKind::read:
        case TransactionKind::locked_read:
            if (kAnswered) fill_.answered(protocol_, shared);
            if (kGranted) waiter_->served(at);
            return;
        case TransactionKind::read_exclusive:
            if (kAnswered) stores_.await_line();
            if (kGranted && awaiting_ != Awaiting::nothing) waiter_->served(at);
            return;
        case TransactionKind::io_write:
            if (kAnswered && !mapped) unmapped_ = true;
            [[fallthrough]];
        case TransactionKind::store:
        case TransactionKind::locked_store:
        case TransactionKind::upgrade:
            if (!kAnswered && stores_.awaited()) waiter_->served(at);
            if (kAnswered) store_performed(request, shared, at, !kGranted && stores_.awaited());
            return;
        case TransactionKind::unlock:
        case TransactionKind::write_back:
            return;
    }
}

// `is_served`: the wait of the processor for this store has been reported as served.
[[gnu::always_inline]] inline void CachePort::store_performed(const Request& request, bool shared,
                                                              Time at, bool is_served) {
    if (protocol_.stores_change_state() && request.kind != TransactionKind::io_write) {
        if (Line* const line = cache_.find(request.address))
            line->state = protocol_.stored(line->state, shared);
        else if (installs_stored(request))
            install(request.address, protocol_.stored_whole(shared), at, request.activity);
        else if (request.kind == TransactionKind::upgrade)
            impossible("cache {} has lost {:#x} during its upgrade", id_, request.address);
    }
    const Time complete =
        at + (request.kind == TransactionKind::upgrade ? upgrade_completion_ : store_completion_);
    stores_.performed(complete);
    const Awaiting what = awaiting_;
    if (what == Awaiting::nothing) return;
    const bool drained = stores_.buffer().empty();
    if (what == Awaiting::completion && drained && !stores_.awaited()) {
        awaiting_ = Awaiting::nothing;
        return waiter_->port_granted(at, clock_.edge_at_or_after(complete));
    }
    waiter_->waits_at(at);
    if (what == Awaiting::slot || (what == Awaiting::drained && drained)) {
        wake(at);
    } else if (what == Awaiting::completion && drained) {
        if (!is_served) waiter_->served(at);
        wake(complete);
    }
}

void CachePort::granted(const Request& request, Time at) {
    proceed<true, false>(request, true, false, at);
}

void CachePort::answered(const Request& request, bool mapped, bool shared, Time at) {
    proceed<false, true>(request, mapped, shared, at);
}

void CachePort::granted_and_answered(const Request& request, bool mapped, bool shared, Time at) {
    proceed<true, true>(request, mapped, shared, at);
}

Time CachePort::replied(const Request& request, std::uint32_t io_value, Time arrives) {
    if (request.kind == TransactionKind::read_exclusive) {
        const Address line = cache_.line_of(request.address);
        stores_.line_arrives(line);
        install(line, protocol_.filled(request.kind, false), arrives, request.activity);
        store_made_in_cache(arrives);
        return arrives;
    }
    fill_.arrive(request.address, io_value);
    return wake(arrives) + 1;
}

// The oldest store has been made in an own line.
void CachePort::store_made_in_cache(Time at) {
    stores_.made_in_cache(at);
    const bool enough = awaiting_ == Awaiting::slot || stores_.buffer().empty();
    if (enough && awaiting_ != Awaiting::nothing && awaiting_ != Awaiting::fill) wake(at);
}

bool CachePort::watches(TransactionKind kind) const {
    if (is_store(kind) && !is_io(kind)) return true;
    for (const BusRow& row : protocol_.bus_rows())
        if (bus_event(kind, true) == row.event && (row.next != row.own || row.supplies))
            return true;
    return false;
}

// What the transaction of another cache does to a line of this one.
inline const Protocol::Snoop& CachePort::snooped(LineState own, TransactionKind kind,
                                                 bool changes) const {
    const Protocol::Snoop& effect = protocol_.snooped(own, kind, changes);
    if (effect.next == Protocol::kImpossible)
        impossible("cache {} snoops a {} of a line in state {}", id_, name(kind), index(own));
    return effect;
}

Snooped CachePort::snoop(TransactionKind kind, Address address, bool changes, Time at) {
    Line* const line = cache_.find(address);
    const bool awaited =
        fill_.under_way() && cache_.line_of(address) == cache_.line_of(fill_.address());
    const bool coming = awaited && fill_.state() != LineState::invalid;
    // Bytes of a line that the cache does not contain may still be in the prefetch queue.
    const LineState state = line ? line->state : LineState::shared;
    const Protocol::Snoop* effect = &protocol_.snooped(state, kind, changes);
    // For a line stored to here, the bus may have computed `changes` from bytes that a speculative
    // store has put there.
    const bool unlike = changes || (line && protocol_.dirty(line->state));
    const bool disturbed = effect->next != state || (unlike && is_store(kind));
    if (disturbed) waiter_->about_to_change(address, line, at);

    Snooped answer;
    answer.shares = line || coming;
    if (coming) fill_.snooped(snooped(fill_.state(), kind, changes).next);
    if (!line) {
        // A fill under way gives the processor its bytes even if the line is not installed.
        answer.absent = !awaited && !waiter_->executes_code(cache_.line_of(address));
        return answer;
    }
    if (disturbed) {  // a rollback may have changed the state back
        effect = &snooped(line->state, kind, changes);
        line->state = effect->next;
        if (line->state == LineState::invalid) Cache::invalidate(*line);
    }
    answer.supplies = effect->supplies;
    return answer;
}

void CachePort::roll_back_line(Address address, Time at) {
    waiter_->about_to_change(address, cache_.find(address), at);
}

void CachePort::roll_back(Time at) {
    waiter_->roll_back(at);
}

void CachePort::install(Address line, LineState state, Time at, Activity activity) {
    if (Line* const here = cache_.find(line)) {
        here->state = state;
        cache_.use(*here, at);
        return;
    }
    const Line evicted = cache_.install(line, state, at);
    if (index(evicted.state) >= kLineStates)
        impossible("cache {} evicts {:#x} in state {}", id_, evicted.address, index(evicted.state));
    if (protocol_.dirty(evicted.state))
        post(TransactionKind::write_back, evicted.address, cache_.line_bytes(), 0,
             {at, true, activity});
}

Access CachePort::await(Awaiting what, const AccessTime& when) {
    awaiting_ = what;
    if (!when.committed) return Access::waiting;
    if (what == Awaiting::line || (what == Awaiting::completion && stores_.buffer().empty())) {
        waiter_->served(when.at);
        wake(stores_.complete_at());
    } else if (stores_.awaits_line()) {
        waiter_->served(when.at);
    } else {
        waiter_->waiting(when.at);
    }
    return Access::waiting;
}

}  // namespace symsim
