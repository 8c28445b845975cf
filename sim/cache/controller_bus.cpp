// SPDX-License-Identifier: MIT
// The cache controller as Port: grants and replies of its own transactions, and snoops of other
// ports' transactions.
#include <algorithm>

#include "sim/base/failure.h"
#include "sim/cache/controller.h"
#include "sim/interconnect/transaction_kind.h"

namespace symsim {

// Decides when the store's turn on the bus has come: since its posting this cache may have lost the
// line, or the line may have become an own line.
std::optional<TransactionKind> CacheController::needs(const Request& request, Time at) {
    if (exchanges_ && request.kind == TransactionKind::locked_store)
        exchanged_ = memory_.read(request.address, request.size);
    Line* const line = cache_.find(request.address);
    const std::optional<TransactionKind> kind =
        protocol_.store_needs(line ? line->state : LineState::invalid);
    if (kind)
        return request.kind == TransactionKind::locked_store && kind == TransactionKind::store
                   ? request.kind
                   : kind;
    if (interconnect_.code().covers(request.address, request.size))
        interconnect_.roll_back_line(request.address, at, 0);
    write_line(*line, request.address, request.size, request.value);
    interconnect_.code().written(request.address, request.size);
    store_completes(at);
    return std::nullopt;
}

// What happens to a transaction of each kind when it is granted and when it is answered. One event
// may be both; then its effects are the same.
template <bool kGranted, bool kAnswered>
[[gnu::always_inline]] inline void CacheController::proceed(const Request& request, bool mapped,
                                                            bool shared, Time at) {
    switch (request.kind) {
        case TransactionKind::io_read:
            if (kAnswered && !mapped) unmapped_ = true;
            [[fallthrough]];
        case TransactionKind::fetch:
        case TransactionKind::read:
        case TransactionKind::locked_read:
            if (kGranted) fill_.granted(protocol_);
            if (kAnswered) fill_.answered(protocol_, shared);
            if (kGranted) served(at);
            return;
        case TransactionKind::read_exclusive:
            if (!kGranted) return;
            awaits_own_line_ = true;
            if (awaiting_ != Awaiting::nothing) served(at);
            return;
        case TransactionKind::io_write:
            if (kAnswered && !mapped) unmapped_ = true;
            [[fallthrough]];
        case TransactionKind::store:
        case TransactionKind::locked_store:
        case TransactionKind::upgrade:
            if (!kAnswered && store_posted_) served(at);
            if (kAnswered) store_performed(request, shared, at, !kGranted && store_posted_);
            return;
        case TransactionKind::unlock:
        case TransactionKind::write_back:
            return;
    }
}

// `is_served`: the wait of the processor for this store has been reported as served.
[[gnu::always_inline]] inline void CacheController::store_performed(const Request& request,
                                                                    bool shared, Time at,
                                                                    bool is_served) {
    if (protocol_.stores_change_state() && request.kind != TransactionKind::io_write) {
        if (Line* const line = cache_.find(request.address))
            line->state = protocol_.stored(line->state, shared);
        else if (installs_stored(request))
            install(request.address, protocol_.stored_whole(shared), at, request.activity);
        else if (request.kind == TransactionKind::upgrade)
            impossible("cache {} has lost {:#x} during its upgrade", id_, request.address);
    }
    buffer_.pop();
    stores_complete_at_ =
        at + (request.kind == TransactionKind::upgrade ? upgrade_completion_ : store_completion_);
    port_changed();
    arriving_ = Line::kNoAddress;
    if (awaiting_ == Awaiting::nothing) return;
    if (awaiting_ == Awaiting::completion && buffer_.empty() && !store_posted_ && snoop_hook_) {
        awaiting_ = Awaiting::nothing;
        return snoop_hook_->port_granted(at, clock_.edge_at_or_after(stores_complete_at_));
    }
    waits_at(at);
    if (awaiting_ == Awaiting::slot || (awaiting_ == Awaiting::drained && buffer_.empty())) {
        wake(at);
    } else if (awaiting_ == Awaiting::completion && buffer_.empty()) {
        if (!is_served) served(at);
        wake(stores_complete_at_);
    }
}

void CacheController::granted(const Request& request, Time at) {
    proceed<true, false>(request, true, false, at);
}

void CacheController::answered(const Request& request, bool mapped, bool shared, Time at) {
    proceed<false, true>(request, mapped, shared, at);
}

void CacheController::granted_and_answered(const Request& request, bool mapped, bool shared,
                                           Time at) {
    proceed<true, true>(request, mapped, shared, at);
}

Time CacheController::replied(const Request& request, std::uint32_t io_value, Time arrives) {
    if (request.kind == TransactionKind::read_exclusive) {
        arriving_ = cache_.line_of(request.address);
        install(arriving_, protocol_.filled(request.kind, false), arrives, request.activity);
        store_completes(arrives);
        return arrives;
    }
    fill_.arrive(request.address, io_value);
    const Time seen = clock_.edge_at_or_after(arrives);
    wake_on_edge(seen);
    return seen + 1;
}

// The oldest store has been made in an own line.
void CacheController::store_completes(Time at) {
    buffer_.pop();
    awaits_own_line_ = false;
    stores_complete_at_ = at;
    port_changed();
    const bool enough = awaiting_ == Awaiting::slot || buffer_.empty();
    if (enough && awaiting_ != Awaiting::nothing && awaiting_ != Awaiting::fill) wake(at);
}

bool CacheController::watches(TransactionKind kind) const {
    if (is_store(kind) && !is_io(kind)) return true;
    for (const BusRow& row : protocol_.bus_rows())
        if (bus_event(kind, true) == row.event && (row.next != row.own || row.supplies))
            return true;
    return false;
}

// What the transaction of another cache does to a line of this one.
inline const Protocol::Snoop& CacheController::snooped(LineState own, TransactionKind kind,
                                                       bool changes) const {
    const Protocol::Snoop& effect = protocol_.snooped(own, kind, changes);
    if (effect.next == Protocol::kImpossible)
        impossible("cache {} snoops a {} of a line in state {}", id_, name(kind), index(own));
    return effect;
}

Snooped CacheController::snoop(TransactionKind kind, Address address, bool changes, Time at) {
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
    if (disturbed && snoop_hook_) snoop_hook_->about_to_change(address, line, at);

    Snooped answer;
    answer.shares = line || coming;
    if (coming) fill_.snooped(snooped(fill_.state(), kind, changes).next);
    if (!line) {
        // A fill under way gives the processor its bytes even if the line is not installed.
        answer.absent =
            !awaited && !(snoop_hook_ && snoop_hook_->executes_code(cache_.line_of(address)));
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

void CacheController::roll_back_line(Address address, Time at) {
    if (snoop_hook_) snoop_hook_->about_to_change(address, cache_.find(address), at);
}

}  // namespace symsim
