// SPDX-License-Identifier: MIT
// Changes single rows of the two tables of nodes: the action, the next state; or takes the row out.
// The random test must find each change, unless it is one of kHarmless. It misses each row that is
// taken out, so it reaches them all.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "sim/nodes/home_protocol.h"
#include "sim/nodes/node_protocol.h"
#include "tests/coherence/protocol_case.h"
#include "tests/coherence/round.h"

namespace symsim::test {
namespace {

constexpr std::string_view kNodeActions[] = {"serve",       "wait",    "ask_shared", "ask_owned",
                                             "ask_upgrade", "evict",   "write_back", "receive",
                                             "clean",       "give_up", "ack",        "resume"};
constexpr std::string_view kHomeActions[] = {"look_up",          "wait",
                                             "reply_shared",     "reply_exclusive",
                                             "intervene_shared", "intervene_exclusive",
                                             "invalidate",       "none",
                                             "take_back"};

// Changes without effect: the mutants whose names begin so.
struct Harmless {
    std::string_view mutant, reason;
};
constexpr std::string_view kWaits = "a request that waits does not change the state";
constexpr std::string_view kNothingThere = "there is no copy to keep or to give, only the answer";
constexpr std::string_view kOnlyWriteBack =
    "an eviction drops the copies in any case, and asks only "
    "whether the home gets the block back";
constexpr Harmless kHarmless[] = {
    {"node asked_shared, load: to ", kWaits},
    {"node asked_shared, store: to ", kWaits},
    {"node asked_owned, load: to ", kWaits},
    {"node asked_owned, store: to ", kWaits},
    {"node asked_upgrade, load: to ", kWaits},
    {"node asked_upgrade, store: to ", kWaits},
    {"node leaving, load: to ", kWaits},
    {"node leaving, store: to ", kWaits},
    {"node absent, invalidate: clean", kNothingThere},
    {"node absent, invalidate: give_up", kNothingThere},
    {"node asked_shared, invalidate: clean", kNothingThere},
    {"node asked_shared, invalidate: give_up", kNothingThere},
    {"node asked_owned, invalidate: clean", kNothingThere},
    {"node asked_owned, invalidate: give_up", kNothingThere},
    {"node leaving, shared_intervention: clean", kNothingThere},
    {"node leaving, shared_intervention: give_up", kNothingThere},
    {"node leaving, exclusive_intervention: clean", kNothingThere},
    {"node leaving, exclusive_intervention: give_up", kNothingThere},
    {"node shared, evict: serve", kOnlyWriteBack},
    {"node shared, evict: wait", kOnlyWriteBack},
    {"node shared, evict: ask_shared", kOnlyWriteBack},
    {"node shared, evict: ask_owned", kOnlyWriteBack},
    {"node shared, evict: ask_upgrade", kOnlyWriteBack},
    {"node shared, evict: receive", kOnlyWriteBack},
    {"node shared, evict: clean", kOnlyWriteBack},
    {"node shared, evict: give_up", kOnlyWriteBack},
    {"node shared, evict: ack", kOnlyWriteBack},
    {"node shared, evict: resume", kOnlyWriteBack},
    {"node owned, shared_intervention: give_up", "the owner keeps no copy where it could keep one"},
};
bool harmless(std::string_view mutant) {
    return std::any_of(std::begin(kHarmless), std::end(kHarmless), [=](const Harmless& h) {
        return mutant.substr(0, h.mutant.size()) == h.mutant;
    });
}

struct Mutant {
    std::string name;
    std::vector<NodeRow> node;
    std::vector<HomeRow> home;
};

const std::vector<NodeRow> kNodeRows(std::begin(node_rows::kRows), std::end(node_rows::kRows));
const std::vector<HomeRow> kHomeRows(std::begin(home_rows::kRows), std::end(home_rows::kRows));

// `add(name, rows)` for each change of a table.
template <class Row, class States, class Events, class Actions, class Add>
void change_rows(const std::vector<Row>& rows, const States& states, const Events& events,
                 const Actions& actions, Add&& add) {
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const Row& row = rows[n];
        const std::string name =
            fmt::format("{}, {}", states[index(row.state)], events[index(row.event)]);
        std::vector<Row> changed = rows;
        for (std::size_t action = 0; action < std::size(actions); ++action) {
            changed[n].action = static_cast<decltype(row.action)>(action);
            if (changed[n].action != row.action)
                add(fmt::format("{}: {}", name, actions[action]), changed);
        }
        changed = rows;
        for (std::size_t next = 0; next < std::size(states); ++next) {
            changed[n].next = static_cast<decltype(row.next)>(next);
            if (changed[n].next != row.next)
                add(fmt::format("{}: to {}", name, states[next]), changed);
        }
        changed = rows;
        changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(n));
        add(name + ": no row", changed);
    }
}

std::vector<Mutant> all_mutants() {
    std::vector<Mutant> all;
    change_rows(kNodeRows, kNodeStateNames, kNodeEventNames, kNodeActions,
                [&](const std::string& name, const std::vector<NodeRow>& rows) {
                    all.push_back({"node " + name, rows, kHomeRows});
                });
    change_rows(kHomeRows, kHomeStateNames, kHomeEventNames, kHomeActions,
                [&](const std::string& name, const std::vector<HomeRow>& rows) {
                    all.push_back({"home " + name, kNodeRows, rows});
                });
    return all;
}

bool finds(const Mutant& mutant) {
    constexpr std::uint64_t kSeeds = 80;
    const NodeProtocol node(mutant.node);
    const HomeProtocol home(mutant.home);
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        ProtocolCase its = seed % 2 == 0 ? illinois_case() : write_back_case();
        its.node = &node;
        its.home = &home;
        Reached reached;
        RoundConfig config = random_round_on_nodes(
            seed, *its.protocol, seed % 3 == 0 ? StorePolicy::stall : StorePolicy::buffered);
        config.accesses_per_port = std::max(2'000 / config.ports, 1u);
        Round round(config, its, reached);
        try {
            round.run();
        } catch (const Incoherent&) {
            return true;
        }
    }
    return false;
}

// Whether the random test finds something wrong with the mutant: by the oracle, or because the
// simulator reports a state that is impossible, which ends the process; or because an event never
// ends.
bool found(const Mutant& mutant) {
    // Seconds of a processor, so that a busy host does not matter. A guess: all rounds take
    // some seconds.
    constexpr rlimit kLimit = {60, 60};
    const pid_t child = fork();
    if (child == 0) {
        std::fclose(stderr);
        setrlimit(RLIMIT_CPU, &kLimit);
        _exit(finds(mutant) ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status != 0;
}

TEST(NodesMutants, AreFoundByTheRandomTest) {
    unsigned number = 0, found_ones = 0;
    for (const Mutant& mutant : all_mutants()) {
        ++number;
        const bool is_found = found(mutant);
        found_ones += is_found;
        EXPECT_EQ(is_found, !harmless(mutant.name)) << mutant.name;
    }
    std::cout << number << " changed tables, of which the random test finds " << found_ones << "\n";
}

TEST(NodesMutants, TwoRowsForOneEventAreRefused) {
    std::vector<NodeRow> node = kNodeRows;
    node.push_back(node.front());
    EXPECT_DEATH(NodeProtocol{node}, "two rows for one event");
    std::vector<HomeRow> home = kHomeRows;
    home.push_back(home.front());
    EXPECT_DEATH(HomeProtocol{home}, "two rows for one event");
}

// The unchanged tables are none of the mutants that are found.
TEST(NodesMutants, TheTablesThemselvesAreRight) {
    EXPECT_FALSE(found({"none", kNodeRows, kHomeRows}));
}

}  // namespace
}  // namespace symsim::test
