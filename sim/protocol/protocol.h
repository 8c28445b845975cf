// SPDX-License-Identifier: MIT
// A coherence protocol as CacheController needs it: its rows (protocol_rows.h) spread out, so that
// the answer to each question is at a fixed place. The controller has a copy.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/base/failure.h"
#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"
#include "sim/interconnect/request.h"
#include "sim/protocol/protocol_check.h"
#include "sim/protocol/protocol_rows.h"

namespace symsim {

class Protocol {
  public:
    // `meaning` says in the config's help what a store does.
    constexpr Protocol(std::string_view name, std::string_view meaning, Rows<LocalRow> local,
                       Rows<BusRow> bus);

    constexpr std::string_view name() const { return name_; }
    constexpr std::string_view meaning() const { return meaning_; }
    constexpr const Rows<LocalRow>& local_rows() const { return local_; }
    constexpr const Rows<BusRow>& bus_rows() const { return bus_; }

    // --- a line in a state -----------------------------------------------------------------------
    // Whether a line can be in this state.
    constexpr bool has(LineState own) const {
        return own == LineState::invalid || find_row(local_, own, LocalEvent::store) != nullptr;
    }
    // Whether stores are made in the cache, without a transaction: the line is an own line.
    constexpr bool writable(LineState own) const { return !store_needs_[index(own)]; }
    // Whether real memory does not have the line's bytes: when it is evicted, it is written back.
    constexpr bool dirty(LineState own) const { return dirty_[index(own)]; }
    // The transaction that a store needs; none: it is made in the cache.
    constexpr std::optional<TransactionKind> store_needs(LineState own) const {
        return store_needs_[index(own)];
    }
    // The line's state after a store in the cache, in all protocols.
    static constexpr LineState kWritten = LineState::modified;
    // The line's state after a store over the bus. `shared`: another cache has the line.
    constexpr LineState stored(LineState own, bool is_shared) const {
        return stored_[index(own)].when(is_shared);
    }
    // The state in which a store of all bytes of an absent line installs the line; invalid: it does
    // not. A processor stores 4 bytes at most.
    constexpr LineState stored_whole(bool is_shared) const { return stored_whole_.when(is_shared); }
    // The state of a line that this transaction brings; invalid: the line is not installed.
    constexpr LineState filled(TransactionKind fill, bool is_shared) const {
        return filled_[index(fill)].when(is_shared);
    }

    // What another cache's transaction does to the line. `changes`: it changes bytes of memory.
    struct Snoop {
        LineState next = LineState::invalid;
        bool supplies = false;
    };
    // The state after an event that cannot occur in the state before.
    static constexpr LineState kImpossible = LineState{0xff};
    constexpr const Snoop& snooped(LineState own, TransactionKind kind, bool changes) const {
        return snooped_[index(kind)][2 * index(own) + (changes ? 1 : 0)];
    }

    // --- the protocol as a whole -----------------------------------------------------------------
    constexpr bool has_own_lines() const { return has_own_lines_; }
    // Whether a line that is stored to is in one cache only, its owner's. Then the bus blocks other
    // requests for a line while it changes owner, and unlocking a line needs no transaction.
    constexpr bool lines_have_owners() const { return lines_have_owners_; }
    // Whether there is a cache at all.
    constexpr bool keeps_lines() const { return keeps_lines_; }
    // Whether a store that misses first reads its line, while the processor waits.
    constexpr bool allocates() const { return allocates_; }
    // Whether a store over the bus can change the state of the own copy.
    constexpr bool stores_change_state() const { return stores_change_state_; }
    // Port::reads_become_silent()
    constexpr bool reads_become_silent() const { return reads_become_silent_; }

  private:
    static constexpr std::size_t kPlaces = 8;  // for kLineStates; a power of two is found faster
    template <std::size_t... states>
    static constexpr std::array<std::optional<TransactionKind>, kPlaces> needs_of_stores(
        const Rows<LocalRow>& local, std::index_sequence<states...>) {
        return {need_of_store(local, static_cast<LineState>(states))...};
    }
    static constexpr std::optional<TransactionKind> need_of_store(const Rows<LocalRow>& local,
                                                                  LineState own) {
        const LocalRow* const row = find_row(local, own, LocalEvent::store);
        return row ? row->needs : TransactionKind::store;
    }
    constexpr void spread(const LocalRow& row);
    constexpr void spread(const BusRow& row);
    constexpr bool silent(LineState own) const;
    constexpr bool become_silent() const;

    // What each access needs comes first.
    std::array<std::optional<TransactionKind>, kPlaces> store_needs_;
    std::array<bool, kPlaces> dirty_ = {};
    std::array<NextState, kPlaces> stored_ = {};
    std::array<std::array<Snoop, 2 * kPlaces>, kTransactionKinds> snooped_ = {};
    std::array<NextState, kTransactionKinds> filled_ = {};
    NextState stored_whole_ = {};
    bool has_own_lines_ = false, lines_have_owners_ = false, keeps_lines_ = false;
    bool allocates_ = false, stores_change_state_ = false, reads_become_silent_ = false;
    std::string_view name_, meaning_;
    Rows<LocalRow> local_;
    Rows<BusRow> bus_;
};

constexpr Protocol::Protocol(std::string_view name, std::string_view meaning, Rows<LocalRow> local,
                             Rows<BusRow> bus)
    : store_needs_(needs_of_stores(local, std::make_index_sequence<kPlaces>())),
      name_(name),
      meaning_(meaning),
      local_(local),
      bus_(bus) {
    if (const std::string_view fault = fault_of(local, bus); !fault.empty())
        impossible("protocol {}: {}", name, fault);
    for (auto& answers : snooped_)
        for (std::size_t place = 0; place < answers.size(); ++place)
            answers[place].next = place < 2 ? LineState::invalid : kImpossible;
    for (const LocalRow& row : local) spread(row);
    for (const BusRow& row : bus) spread(row);
    reads_become_silent_ = become_silent();
}

constexpr void Protocol::spread(const LocalRow& row) {
    const std::size_t own = index(row.own);
    switch (row.event) {
        case LocalEvent::load:
            filled_[index(TransactionKind::fetch)] = filled_[index(TransactionKind::read)] =
                row.next;
            keeps_lines_ = row.next.alone != LineState::invalid;
            break;
        case LocalEvent::locked_load:
            if (row.needs) filled_[index(*row.needs)] = row.next;
            break;
        case LocalEvent::store:
            stored_[own] = row.next;
            has_own_lines_ |= !row.needs;
            if (!row.needs) break;
            allocates_ |= *row.needs == TransactionKind::read;
            if (*row.needs == TransactionKind::read_exclusive) {
                lines_have_owners_ = true;
                filled_[index(*row.needs)] = row.next;
            } else if (row.own != LineState::invalid) {
                stores_change_state_ |= row.next != NextState(row.own);
            }
            break;
        case LocalEvent::whole_store:
            stored_whole_ = row.next;
            stores_change_state_ = true;
            break;
        case LocalEvent::evict:
            dirty_[own] = true;
            break;
    }
}

constexpr void Protocol::spread(const BusRow& row) {
    const bool also_same = !find_row(bus_, row.own, BusEvent::same_store);
    for (std::size_t kind = 0; kind < kTransactionKinds; ++kind)
        for (const bool changes : {false, true}) {
            const std::optional<BusEvent> event =
                bus_event(static_cast<TransactionKind>(kind), changes || also_same);
            if (event && *event == row.event)
                snooped_[kind][2 * index(row.own) + (changes ? 1 : 0)] = {row.next, row.supplies};
        }
}

// Whether a line in this state is silent: another cache's read does not change the state, and the
// own processor cannot change it without a transaction.
constexpr bool Protocol::silent(LineState own) const {
    if (own == LineState::invalid) return true;
    return !writable(own) && snooped(own, TransactionKind::read, false).next == own;
}

constexpr bool Protocol::become_silent() const {
    const NextState loaded = filled_[index(TransactionKind::read)];
    if (loaded.alone != loaded.shared || !silent(loaded.alone)) return false;
    for (const BusRow& row : bus_)
        if (row.event == BusEvent::read && !silent(row.next)) return false;
    return true;
}

}  // namespace symsim
