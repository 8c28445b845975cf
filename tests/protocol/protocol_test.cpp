// SPDX-License-Identifier: MIT
// Tests the protocols as the controller sees them: the answer for each state and transaction.
// Letters are I invalid, S shared, E exclusive, M modified; a dot is what cannot occur.
#include "sim/protocol/protocol.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <vector>

#include "sim/base/transaction_kind.h"
#include "sim/protocol/protocols.h"

namespace symsim {
namespace {

constexpr std::array kStates = {LineState::invalid, LineState::shared, LineState::exclusive,
                                LineState::modified};
constexpr std::string_view kLetters = "ISEM";
// All transactions, those that other caches can snoop first.
constexpr std::array kSnooped = {TransactionKind::fetch,          TransactionKind::read,
                                 TransactionKind::read_exclusive, TransactionKind::upgrade,
                                 TransactionKind::store,          TransactionKind::locked_read,
                                 TransactionKind::locked_store};
constexpr std::array kFills = {TransactionKind::fetch, TransactionKind::read,
                               TransactionKind::locked_read};

struct Table {
    const Protocol& protocol;
    // The state after each snooped kind, in the order of kSnooped, from S, E and M. The second
    // string is for a transaction that does not change memory's bytes.
    std::string shared, shared_unchanged, exclusive, modified;
    // The transaction that a store needs in states I, S, E, M: b store, r read, i upgrade, o
    // read-exclusive, - none. A state that no line has is a dot.
    std::string store;
    // The state after the fills of kFills: no other cache has the line, and another has it.
    std::string filled, filled_shared;
    // The state after an own store, from I, S, E and M: no other cache has the line, and another
    // has it.
    std::string stored, stored_shared;
    // The state that a store of a whole line brings, alone and shared.
    std::string whole;
    bool owners, keeps, allocates;
};

const Table kTables[] = {
    {protocols::write_through, "SS..ISI", "SS..ISI", ".......", ".......", "bb..", "SSS", "SSS",
     "IS..", "IS..", "II", false, true, false},
    {protocols::write_through_allocate, "SS..ISI", "SS..ISI", ".......", ".......", "rb..", "SSS",
     "SSS", "SS..", "SS..", "II", false, true, true},
    {protocols::write_through_on_change, "SS..ISI", "SS..SSS", ".......", ".......", "bb..", "SSS",
     "SSS", "IS..", "IS..", "II", false, true, false},
    {protocols::write_back, "SSII.I.", "SSII.I.", ".......", "SSI..I.", "oi.-", "SSM", "SSM",
     "MM.M", "MM.M", "II", true, true, false},
    {protocols::illinois, "SSII.I.", "SSII.I.", "SSI..I.", "SSI..I.", "oi--", "EEM", "SSM", "MMMM",
     "MMMM", "II", true, true, false},
    {protocols::write_update, "SS..SSS", "SS..SSS", "SS..ESE", "SS..MSM", "bb--", "EEE", "SSS",
     "IEMM", "ISMM", "ES", false, true, false},
    {protocols::no_cache, "SS..ISI", "SS..ISI", ".......", ".......", "b...", "III", "III", "I...",
     "I...", "II", false, false, false},
};

char letter(LineState state) {
    return state == Protocol::kImpossible ? '.' : kLetters[index(state)];
}

char letter(std::optional<TransactionKind> store) {
    return !store                                      ? '-'
           : *store == TransactionKind::store          ? 'b'
           : *store == TransactionKind::read           ? 'r'
           : *store == TransactionKind::upgrade        ? 'i'
           : *store == TransactionKind::read_exclusive ? 'o'
                                                       : '?';
}

TEST(Protocols, AnswerAsTheTablesSay) {
    for (const Table& table : kTables) {
        const Protocol& protocol = table.protocol;
        SCOPED_TRACE(protocol.name());
        const auto snooped = [&](LineState own, bool changes) {
            std::string row;
            for (const TransactionKind kind : kSnooped)
                row += letter(protocol.snooped(own, kind, changes).next);
            return row;
        };
        EXPECT_EQ(snooped(LineState::shared, true), table.shared);
        EXPECT_EQ(snooped(LineState::shared, false), table.shared_unchanged);
        for (const bool changes : {false, true}) {
            EXPECT_EQ(snooped(LineState::invalid, changes), "IIIIIII");
            EXPECT_EQ(snooped(LineState::exclusive, changes), table.exclusive);
            EXPECT_EQ(snooped(LineState::modified, changes), table.modified);
        }
        std::string store, stored, stored_shared, filled, filled_shared;
        for (const LineState own : kStates) {
            const bool has = protocol.has(own);
            store += has ? letter(protocol.store_needs(own)) : '.';
            stored += has ? letter(protocol.stored(own, false)) : '.';
            stored_shared += has ? letter(protocol.stored(own, true)) : '.';
            EXPECT_EQ(protocol.dirty(own), has && own == LineState::modified);
            EXPECT_EQ(protocol.writable(own), store.back() == '-');
        }
        for (const TransactionKind kind : kFills) {
            filled += letter(protocol.filled(kind, false));
            filled_shared += letter(protocol.filled(kind, true));
        }
        EXPECT_EQ(store, table.store);
        EXPECT_EQ(stored, table.stored);
        EXPECT_EQ(stored_shared, table.stored_shared);
        EXPECT_EQ(filled, table.filled);
        EXPECT_EQ(filled_shared, table.filled_shared);
        EXPECT_EQ(letter(protocol.stored_whole(false)), table.whole[0]);
        EXPECT_EQ(letter(protocol.stored_whole(true)), table.whole[1]);
        EXPECT_EQ(protocol.has_own_lines(), table.store.find('-') != std::string::npos);
        EXPECT_EQ(protocol.lines_have_owners(), table.owners);
        EXPECT_EQ(protocol.keeps_lines(), table.keeps);
        EXPECT_EQ(protocol.allocates(), table.allocates);
    }
}

TEST(Protocols, OnlyADirtyLineIsSuppliedByItsCache) {
    for (const Protocol* protocol : kProtocols)
        for (const LineState own : kStates)
            for (const TransactionKind kind : kSnooped)
                EXPECT_EQ(protocol->snooped(own, kind, true).supplies,
                          protocol->dirty(own) && has_reply(kind) &&
                              protocol->snooped(own, kind, true).next != Protocol::kImpossible)
                    << protocol->name() << " " << letter(own) << " " << name(kind);
}

TEST(Protocols, OnlyWriteUpdateAndTheProtocolsWithOwnersChangeTheStateOfAStoredCopy) {
    for (const Protocol* protocol : kProtocols)
        EXPECT_EQ(protocol->stores_change_state(), protocol->has_own_lines()) << protocol->name();
}

// With write-update and Illinois a read asks who shares the line, and the first reader gets it
// exclusive. So its reads are not silent.
TEST(Protocols, ReadsMakeALineSilentUnlessReadersDifferInState) {
    EXPECT_TRUE(protocols::write_back.reads_become_silent());
    EXPECT_TRUE(protocols::write_through.reads_become_silent());
    EXPECT_FALSE(protocols::write_update.reads_become_silent());
    EXPECT_FALSE(protocols::illinois.reads_become_silent());
}

TEST(Protocols, EachHasItsOwnName) {
    std::set<std::string_view> names;
    for (const Protocol* protocol : kProtocols) {
        EXPECT_TRUE(names.insert(protocol->name()).second) << protocol->name();
        EXPECT_FALSE(protocol->meaning().empty()) << protocol->name();
    }
}

// --- rows that the controller cannot work with

using Local = std::vector<LocalRow>;
using Snooped = std::vector<BusRow>;
using namespace protocol_words;

const Local kLocal = {{invalid, local_load, read, shared},
                      {invalid, local_locked_load, locked_read, modified},
                      {shared, local_locked_load, locked_read, modified},
                      {modified, local_locked_load, none, modified},
                      {invalid, local_store, read_exclusive, modified},
                      {shared, local_store, upgrade, modified},
                      {modified, local_store, none, modified},
                      {modified, local_evict, write_back, invalid}};
const Snooped kBus = {{shared, bus_read, shared}, {modified, bus_read, shared, supplies}};

TEST(ProtocolCheck, FindsNothingWrongWithARightTable) {
    EXPECT_EQ(fault_of(kLocal, kBus), "");
}

TEST(ProtocolCheck, FindsAWrongLocalRow) {
    const std::vector<std::pair<LocalRow, std::string_view>> wrong = {
        {{invalid, local_load, upgrade, shared}, "a load has another row"},
        {{shared, local_load, read, shared}, "a load has another row"},
        {{modified, local_locked_load, locked_read, modified}, "a line is locked in the cache"},
        {{shared, local_locked_load, none, shared}, "a line is locked in the cache"},
        {{shared, local_locked_load, read, modified}, "a locked load needs another transaction"},
        {{shared, local_locked_load, locked_read, shared}, "a locked read leads to several"},
        {{modified, local_locked_load, none, shared}, "a locked read leads to several"},
        {{invalid, local_store, none, modified}, "a line is locked in the cache"},
        {{modified, local_store, none, exclusive}, "a store in the cache leads to another"},
        {{shared, local_store, write_back, modified}, "a store needs a transaction that does not"},
        {{shared, local_store, read, shared}, "a store that allocates"},
        {{invalid, local_store, read, modified}, "a store that allocates"},
        {{shared, local_whole_store, store, shared}, "a store of a whole line"},
        {{modified, local_evict, store, invalid}, "an evicted line"},
        {{modified, local_evict, write_back, shared}, "an evicted line"},
        {{invalid, local_load, read, exclusive}, "no row for a store or a locked load"},
    };
    for (const auto& [row, fault] : wrong) {
        Local rows;
        for (const LocalRow& other : kLocal)
            rows.push_back(other.own == row.own && other.event == row.event ? row : other);
        if (!find_row(Rows<LocalRow>(kLocal), row.own, row.event)) rows.push_back(row);
        EXPECT_EQ(fault_of(rows, kBus).substr(0, fault.size()), fault);
    }
}

TEST(ProtocolCheck, FindsMissingAndDoubleRows) {
    for (std::size_t n = 0; n + 1 < kLocal.size(); ++n) {
        Local rows = kLocal;
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(n));
        EXPECT_NE(fault_of(rows, kBus), "") << n;
    }
    Local twice = kLocal;
    twice.push_back(kLocal.back());
    EXPECT_EQ(fault_of(twice, kBus), "two rows for one event");
    EXPECT_EQ(fault_of(kLocal, Snooped{kBus[0], kBus[0]}), "two rows for one event");
}

TEST(ProtocolCheck, FindsAWrongBusRow) {
    EXPECT_EQ(fault_of(kLocal, Snooped{{invalid, bus_read, invalid}}), "an absent line snoops");
    EXPECT_EQ(fault_of(kLocal, Snooped{{shared, bus_read, shared, supplies}}),
              "a cache supplies a line that memory has");
}

}  // namespace
}  // namespace symsim
