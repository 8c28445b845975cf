// SPDX-License-Identifier: MIT
// What CacheController relies on in the rows of a protocol. The compiler checks it: the protocols
// are constants.
#pragma once

#include <string_view>

#include "sim/protocol/protocol_rows.h"

namespace symsim {

constexpr bool needs(const LocalRow& row, TransactionKind kind) {
    return row.needs && *row.needs == kind;
}

// An owner's cache alone has the bytes of a line that must be written back.
constexpr bool is_dirty(const Rows<LocalRow>& local, LineState state) {
    return find_row(local, state, LocalEvent::evict) != nullptr;
}

// What is wrong with a row by itself, or nothing.
constexpr std::string_view fault_of_row(const Rows<LocalRow>& local, const LocalRow& row) {
    const bool absent = row.own == LineState::invalid;
    const LocalRow* const load = find_row(local, LineState::invalid, LocalEvent::load);
    const LocalRow* const lock = find_row(local, LineState::invalid, LocalEvent::locked_load);
    const LocalRow* const store = find_row(local, row.own, LocalEvent::store);
    switch (row.event) {
        case LocalEvent::load:
            if (!absent || !needs(row, TransactionKind::read))
                return "a load has another row than that of a read of an absent line";
            break;
        case LocalEvent::locked_load:
            if (!store || store->needs.has_value() != row.needs.has_value())
                return "a line is locked in the cache, and stores to it are not made there";
            if (row.needs && !needs(row, TransactionKind::locked_read))
                return "a locked load needs another transaction than a locked read";
            if (row.next != (row.needs && lock ? lock->next : NextState(row.own)))
                return "a locked read leads to several states, or a lock in the cache to another";
            break;
        case LocalEvent::store:
            if (row.needs ? !needs(row, TransactionKind::read) && !is_store(*row.needs) : absent)
                return "a store needs a transaction that does not store";
            if (!row.needs && row.next != NextState(LineState::modified))
                return "a store in the cache leads to another state than modified";
            if (needs(row, TransactionKind::read) && (!absent || !load || row.next != load->next))
                return "a store that allocates leads to another state than a load";
            break;
        case LocalEvent::whole_store:
            if (!absent || !needs(row, TransactionKind::store))
                return "a store of a whole line has another row than that of an absent line";
            break;
        case LocalEvent::evict:
            if (!needs(row, TransactionKind::write_back) ||
                row.next != NextState(LineState::invalid))
                return "an evicted line is not written back, or not invalid";
            break;
    }
    return {};
}

// What is wrong with the rows, or nothing.
constexpr std::string_view fault_of(const Rows<LocalRow>& local, const Rows<BusRow>& bus) {
    if (!find_row(local, LineState::invalid, LocalEvent::load)) return "no row for a load";
    for (const LocalRow& row : local) {
        if (find_row(local, row.own, row.event) != &row) return "two rows for one event";
        if (const std::string_view fault = fault_of_row(local, row); !fault.empty()) return fault;
        for (const LineState state : {row.own, row.next.alone, row.next.shared})
            if (!find_row(local, state, LocalEvent::store) ||
                !find_row(local, state, LocalEvent::locked_load))
                return "no row for a store or a locked load in a state that lines get";
    }
    for (const BusRow& row : bus) {
        if (find_row(bus, row.own, row.event) != &row) return "two rows for one event";
        if (row.own == LineState::invalid) return "an absent line snoops";
        if (row.supplies && !is_dirty(local, row.own))
            return "a cache supplies a line that memory has";
    }
    return {};
}

}  // namespace symsim
