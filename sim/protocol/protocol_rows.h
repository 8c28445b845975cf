// SPDX-License-Identifier: MIT
// The rows of a coherence protocol: for each state of a line and each event the next state, the
// transaction that the event needs, and what supplies the line. A protocol is one file, which
// states its rows; protocols.h registers it. docs/how-it-works/model.md ("Cache") describes the
// protocols.
//
// There are two kinds of rows, as in Sweazey & Smith (ISCA 1986):
//   LocalRow  The own processor's access. The next state holds from the grant of the transaction
//             on; for a read_exclusive, from the arrival of the line. It can depend on the bus's
//             shared line, by which other caches report that they have the line too.
//   BusRow    Another cache's transaction, which this cache snoops. It takes effect at its grant.
// A pair of state and event without a row cannot occur. A load or fetch of a line that is in the
// cache has no row: it needs nothing and changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

#include "sim/base/transaction_kind.h"
#include "sim/base/types.h"

namespace symsim {

// The state of a line in a cache. Each protocol uses some; what a state permits is in its table.
// Shared: other caches may have the line too. Exclusive: no other cache has it. Modified: no other
// cache has it, and real memory does not have its bytes yet. Owned: real memory does not have its
// bytes yet, and other caches may have the line, shared.
enum class LineState : std::uint8_t { invalid, shared, exclusive, modified, owned };
constexpr std::size_t kLineStates = 5;

enum class LocalEvent : std::uint8_t {
    load,         // a load or fetch that misses
    locked_load,  // the load of a locked instruction
    store,
    whole_store,  // a store of all bytes of an absent line; without a row, as `store`
    evict,        // another line needs the place; without a row, no transaction
};
// Another cache's transaction. `same_store` writes the bytes that memory has already, as a failed
// test-and-set does; without a row, it is as `store`.
enum class BusEvent : std::uint8_t {
    read,
    locked_read,
    read_exclusive,
    upgrade,
    store,
    same_store
};
// The event that the transaction is for caches that snoop it; none: no cache snoops it.
constexpr std::optional<BusEvent> bus_event(TransactionKind kind, bool changes) {
    switch (kind) {
        case TransactionKind::fetch:
        case TransactionKind::read:
            return BusEvent::read;
        case TransactionKind::locked_read:
            return BusEvent::locked_read;
        case TransactionKind::read_exclusive:
            return BusEvent::read_exclusive;
        case TransactionKind::upgrade:
            return BusEvent::upgrade;
        case TransactionKind::store:
        case TransactionKind::locked_store:
            return changes ? BusEvent::store : BusEvent::same_store;
        case TransactionKind::unlock:
        case TransactionKind::write_back:
        case TransactionKind::io_read:
        case TransactionKind::io_write:
            break;
    }
    return std::nullopt;
}

// The next state if no other cache has the line, and if one has. A protocol that does not look at
// the shared line gives one state.
struct NextState {
    constexpr NextState() = default;
    constexpr NextState(LineState either) : alone(either), shared(either) {}
    constexpr NextState(LineState if_alone, LineState if_shared)
        : alone(if_alone), shared(if_shared) {}
    constexpr bool operator!=(const NextState& other) const {
        return alone != other.alone || shared != other.shared;
    }
    constexpr LineState when(bool is_shared) const { return is_shared ? shared : alone; }

    LineState alone = LineState::invalid, shared = LineState::invalid;
};

struct LocalRow {
    LineState own;
    LocalEvent event;
    std::optional<TransactionKind> needs;  // none: the access is made in the cache
    NextState next;
};

struct BusRow {
    LineState own;
    BusEvent event;
    LineState next;
    bool supplies = false;  // this cache supplies the line; otherwise memory does
};

// What the rows of a protocol use, without their enums.
namespace protocol_words {
constexpr auto invalid = LineState::invalid;
constexpr auto shared = LineState::shared;
constexpr auto exclusive = LineState::exclusive;
constexpr auto modified = LineState::modified;
constexpr auto owned = LineState::owned;

constexpr auto local_load = LocalEvent::load;
constexpr auto local_locked_load = LocalEvent::locked_load;
constexpr auto local_store = LocalEvent::store;
constexpr auto local_whole_store = LocalEvent::whole_store;
constexpr auto local_evict = LocalEvent::evict;
constexpr auto bus_read = BusEvent::read;
constexpr auto bus_locked_read = BusEvent::locked_read;
constexpr auto bus_read_exclusive = BusEvent::read_exclusive;
constexpr auto bus_upgrade = BusEvent::upgrade;
constexpr auto bus_store = BusEvent::store;
constexpr auto bus_same_store = BusEvent::same_store;

constexpr std::nullopt_t none = std::nullopt;
constexpr auto read = TransactionKind::read;
constexpr auto locked_read = TransactionKind::locked_read;
constexpr auto read_exclusive = TransactionKind::read_exclusive;
constexpr auto upgrade = TransactionKind::upgrade;
constexpr auto store = TransactionKind::store;
constexpr auto write_back = TransactionKind::write_back;

constexpr bool supplies = true;
}  // namespace protocol_words

// The rows of a protocol, which outlive it.
template <class Row>
class Rows {
  public:
    template <class Container>
    constexpr Rows(const Container& rows) : data_(std::data(rows)), size_(std::size(rows)) {}
    constexpr const Row* begin() const { return data_; }
    constexpr const Row* end() const { return data_ + size_; }

  private:
    const Row* data_;
    std::size_t size_;
};

template <class Row, class Event>
constexpr const Row* find_row(const Rows<Row>& rows, LineState own, Event event) {
    for (const Row& row : rows)
        if (row.own == own && row.event == event) return &row;
    return nullptr;
}

}  // namespace symsim
