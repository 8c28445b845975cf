// SPDX-License-Identifier: MIT
// Tests the state tables of the protocols: the answer for each state and kind of transaction.
// Letters are I invalid, V shared, E exclusive, M modified.
#include "sim/cache/protocol.h"
#include "sim/interconnect/transaction_kind.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace symsim {
namespace {

constexpr std::array kStates = {LineState::invalid, LineState::shared, LineState::exclusive,
                                LineState::modified};
constexpr std::string_view kLetters = "IVEM";
// All transactions that other caches can snoop.
constexpr std::array kSnooped = {
    TransactionKind::fetch,        TransactionKind::read,   TransactionKind::read_exclusive,
    TransactionKind::upgrade,      TransactionKind::store,  TransactionKind::locked_read,
    TransactionKind::locked_store, TransactionKind::unlock, TransactionKind::write_back};
constexpr std::array kFills = {TransactionKind::fetch, TransactionKind::read,
                               TransactionKind::locked_read};

struct Table {
    const char* name;
    std::unique_ptr<Protocol> (*make)();
    // The state after each snooped kind, in the order of kSnooped, from V, E and M. The second
    // string is for a transaction that does not change memory's bytes.
    std::string valid, valid_unchanged, exclusive, modified;
    // The transaction that a store needs in states I, V, E, M: b store, i upgrade, o
    // read-exclusive,
    // - none.
    std::string store;
    // The state after the fills of kFills: no other cache has the line, and another has it.
    std::string filled, filled_shared;
    // The state after an own store over the bus, from I and V: no other cache has the line, and
    // another has it.
    std::string stored, stored_shared;
    bool owners, keeps, allocates;
};

const Table kTables[] = {
    {"write-through", write_through, "VVIIIVIVV", "VVIIIVIVV", "", "", "bb", "VVV", "VVV", "IV",
     "IV", false, true, false},
    {"allocate", write_through_allocate, "VVIIIVIVV", "VVIIIVIVV", "", "", "bb", "VVV", "VVV", "IV",
     "IV", false, true, true},
    {"on-change", write_through_on_change, "VVIIIVIVV", "VVVVVVVVV", "", "", "bb", "VVV", "VVV",
     "IV", "IV", false, true, false},
    {"write-back", write_back, "VVIIIIIVV", "VVIIIIIVV", "VVIIIIIEE", "VVIIIIIMM", "oi--", "VVM",
     "VVM", "MM", "MM", true, true, false},
    {"illinois", illinois, "VVIIIIIVV", "VVIIIIIVV", "VVIIIIIEE", "VVIIIIIMM", "oi--", "EEM",
     "VVM", "MM", "MM", true, true, false},
    {"write-update", write_update, "VVVVVVVVV", "VVVVVVVVV", "VVVEEVEEE", "VVVMMVMMM", "bb--",
     "EEE", "VVV", "IE", "IV", false, true, false},
    {"none", no_cache, "VVIIIVIVV", "VVIIIVIVV", "", "", "bb", "III", "III", "II", "II", false,
     false, false},
};

char letter(LineState state) {
    return kLetters[index(state)];
}

TEST(Protocols, AnswerAsTheTablesSay) {
    for (const Table& table : kTables) {
        SCOPED_TRACE(table.name);
        const auto protocol = table.make();
        const auto snooped = [&](LineState own, bool changes) {
            std::string row;
            for (const TransactionKind kind : kSnooped)
                row += letter(protocol->snooped(own, kind, changes));
            return row;
        };
        EXPECT_EQ(snooped(LineState::shared, true), table.valid);
        EXPECT_EQ(snooped(LineState::shared, false), table.valid_unchanged);
        if (!table.exclusive.empty()) {
            EXPECT_EQ(snooped(LineState::exclusive, true), table.exclusive);
            EXPECT_EQ(snooped(LineState::modified, true), table.modified);
            EXPECT_EQ(snooped(LineState::modified, false), table.modified);
        }
        for (std::size_t i = 0; i < table.store.size(); ++i) {
            const auto kind = protocol->store(kStates[i]);
            const char needs = !kind                                      ? '-'
                               : *kind == TransactionKind::store          ? 'b'
                               : *kind == TransactionKind::upgrade        ? 'i'
                               : *kind == TransactionKind::read_exclusive ? 'o'
                                                                          : '?';
            EXPECT_EQ(needs, table.store[i]) << letter(kStates[i]);
        }
        std::string filled, filled_shared, stored, stored_shared;
        for (const TransactionKind kind : kFills) {
            filled += letter(protocol->filled(kind, false));
            filled_shared += letter(protocol->filled(kind, true));
        }
        for (const LineState own : {LineState::invalid, LineState::shared}) {
            stored += letter(protocol->stored(own, false));
            stored_shared += letter(protocol->stored(own, true));
        }
        EXPECT_EQ(filled, table.filled);
        EXPECT_EQ(filled_shared, table.filled_shared);
        EXPECT_EQ(stored, table.stored);
        EXPECT_EQ(stored_shared, table.stored_shared);
        const bool updates = table.name == std::string("write-update");
        EXPECT_EQ(letter(protocol->stored_whole(false)), updates ? 'E' : 'I');
        EXPECT_EQ(letter(protocol->stored_whole(true)), updates ? 'V' : 'I');
        EXPECT_EQ(protocol->lines_have_owners(), table.owners);
        EXPECT_EQ(protocol->keeps_lines(), table.keeps);
        EXPECT_EQ(protocol->allocates(), table.allocates);
    }
}

// A line that the cache does not have stays absent, whatever others do.
TEST(Protocols, AnAbsentLineStaysAbsentAfterASnoop) {
    for (const Table& table : kTables)
        for (const TransactionKind kind : kSnooped)
            EXPECT_EQ(table.make()->snooped(LineState::invalid, kind, true), LineState::invalid)
                << table.name << " " << name(kind);
}

TEST(ProtocolTable, AnswersLikeTheProtocol) {
    for (const Table& table : kTables) {
        const auto protocol = table.make();
        const ProtocolTable answers(*protocol);
        bool change = false;
        for (const TransactionKind kind :
             {TransactionKind::fetch, TransactionKind::read, TransactionKind::locked_read})
            for (const bool shared : {false, true})
                EXPECT_EQ(answers.filled(kind, shared), protocol->filled(kind, shared))
                    << table.name << " " << name(kind) << " " << shared;
        for (const LineState own : kStates) {
            EXPECT_EQ(answers.store(own), protocol->store(own)) << table.name;
            for (const bool flag : {false, true}) {
                const LineState stored = protocol->stored(own, flag);
                change |= stored != own;
                EXPECT_EQ(answers.stored(own, flag), stored) << table.name << " " << flag;
                for (const TransactionKind kind : kSnooped)
                    EXPECT_EQ(answers.snooped(own, kind, flag), protocol->snooped(own, kind, flag))
                        << table.name << " " << name(kind) << " " << flag;
            }
        }
        for (const bool shared : {false, true})
            EXPECT_EQ(answers.stored_whole(shared), protocol->stored_whole(shared)) << table.name;
        EXPECT_EQ(answers.stores_change_state(), change) << table.name;
    }
}

// With write-update and Illinois a read asks who shares the line, and the first reader gets it exclusive. So its
// reads are not silent.
TEST(ProtocolTable, ReadsMakeALineSilentUnlessReadersDifferInState) {
    EXPECT_TRUE(ProtocolTable(*write_back()).reads_become_silent());
    EXPECT_TRUE(ProtocolTable(*write_through()).reads_become_silent());
    EXPECT_FALSE(ProtocolTable(*write_update()).reads_become_silent());
    EXPECT_FALSE(ProtocolTable(*illinois()).reads_become_silent());
}

TEST(Protocols, MakeProtocolReturnsTheRightProtocol) {
    EXPECT_FALSE(make_protocol(ProtocolKind::write_through)->lines_have_owners());
    EXPECT_TRUE(make_protocol(ProtocolKind::write_back)->lines_have_owners());
    EXPECT_TRUE(make_protocol(ProtocolKind::illinois)->lines_have_owners());
    EXPECT_FALSE(make_protocol(ProtocolKind::no_cache)->keeps_lines());
    EXPECT_EQ(make_protocol(ProtocolKind::write_update)->filled(TransactionKind::read, false),
              LineState::exclusive);
    EXPECT_FALSE(make_protocol(ProtocolKind::write_through)->allocates());
    EXPECT_TRUE(make_protocol(ProtocolKind::write_through_allocate)->allocates());
    EXPECT_EQ(make_protocol(ProtocolKind::write_through_on_change)
                  ->snooped(LineState::shared, TransactionKind::store, false),
              LineState::shared);
}

}  // namespace
}  // namespace symsim
