// SPDX-License-Identifier: MIT
// Changes single entries of each protocol's table: a next state, or who supplies the line. The
// random test must find each change, unless it is one of kHarmless. So no entry of a table is
// beyond the random test.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "sim/protocol/protocols.h"
#include "tests/coherence/protocol_case.h"
#include "tests/coherence/round.h"

namespace symsim::test {
namespace {

constexpr std::string_view kStates[] = {"invalid", "shared", "exclusive", "modified", "owned"};
constexpr std::string_view kLocalEvents[] = {"load", "locked_load", "store", "whole_store",
                                             "evict"};
constexpr std::string_view kBusEvents[] = {"read",    "locked_read", "read_exclusive",
                                           "upgrade", "store",       "same_store"};

// Changes without effect.
struct Harmless {
    std::string_view protocol, mutant, reason;
};
constexpr std::string_view kNothingStored = "a store that misses does not touch the cache";
constexpr std::string_view kKindIsPosted =
    "without own lines the bus does not ask what a store needs (Port::decides_at_grant)";
constexpr std::string_view kNoLines =
    "the pseudo-state of the prefetch queue, which no read empties";
constexpr Harmless kHarmless[] = {
    {"WriteThrough", "invalid, local store to shared", kNothingStored},
    {"OnChange", "invalid, local store to shared", kNothingStored},
    {"WriteUpdate", "invalid, local store to shared", kNothingStored},
    {"WriteUpdate", "invalid, local store to exclusive", kNothingStored},
    {"WriteUpdate", "invalid, local store to modified", kNothingStored},
    {"WriteThrough", "invalid, local store by upgrade", kKindIsPosted},
    {"WriteThrough", "shared, local store by upgrade", kKindIsPosted},
    {"Allocate", "shared, local store by upgrade", kKindIsPosted},
    {"OnChange", "invalid, local store by upgrade", kKindIsPosted},
    {"OnChange", "shared, local store by upgrade", kKindIsPosted},
    {"NoCache", "invalid, local store by upgrade", kKindIsPosted},
    {"NoCache", "shared, bus read to invalid", kNoLines},
    {"NoCache", "shared, bus locked_read to invalid", kNoLines},
    {"Moesi", "owned, bus upgrade supplies", "an upgrade needs no data"},
    {"WriteUpdate", "modified, bus store supplies", "a store needs no data"},
};
bool harmless(std::string_view protocol, std::string_view mutant) {
    return std::any_of(std::begin(kHarmless), std::end(kHarmless), [=](const Harmless& h) {
        return h.protocol == protocol && h.mutant == mutant;
    });
}

struct Mutant {
    std::string name;
    std::vector<LocalRow> local;
    std::vector<BusRow> bus;
};

class Mutants {
  public:
    explicit Mutants(const Protocol& protocol)
        : local_(protocol.local_rows().begin(), protocol.local_rows().end()),
          bus_(protocol.bus_rows().begin(), protocol.bus_rows().end()) {
        for (std::size_t state = 0; state < kLineStates; ++state)
            if (protocol.has(static_cast<LineState>(state)))
                states_.push_back(static_cast<LineState>(state));
        for (LocalRow& row : local_) change_local(row);
        for (BusRow& row : bus_) change_bus(row);
    }
    // Those that the controller cannot even be built with (fault_of()).
    unsigned refused() const { return refused_; }
    const std::vector<Mutant>& all() const { return all_; }

  private:
    template <class Value, class Other>
    void change(Value& value, Other other, const std::string& name) {
        if (value == other) return;
        const Value before = value;
        value = other;
        if (fault_of(local_, bus_).empty())
            all_.push_back({name, local_, bus_});
        else
            ++refused_;
        value = before;
    }
    void change_local(LocalRow& row) {
        const std::string name =
            fmt::format("{}, local {}", kStates[index(row.own)], kLocalEvents[index(row.event)]);
        const NextState before = row.next;
        for (const LineState next : states_) {
            const std::string to = fmt::format("{} to {}", name, kStates[index(next)]);
            if (before.alone == before.shared) {
                row.next.shared = next;
                change(row.next.alone, next, to);
                row.next = before;
            } else {
                change(row.next.alone, next, to + " alone");
                change(row.next.shared, next, to + " shared");
            }
        }
        for (const TransactionKind kind :
             {TransactionKind::upgrade, TransactionKind::store, TransactionKind::read_exclusive})
            change(row.needs, std::optional(kind),
                   fmt::format("{} by {}", name, symsim::name(kind)));
        change(row.needs, std::optional<TransactionKind>(), name + " without a transaction");
    }
    void change_bus(BusRow& row) {
        const std::string name =
            fmt::format("{}, bus {}", kStates[index(row.own)], kBusEvents[index(row.event)]);
        for (const LineState next : states_)
            change(row.next, next, fmt::format("{} to {}", name, kStates[index(next)]));
        change(row.supplies, !row.supplies, name + (row.supplies ? " is silent" : " supplies"));
    }

    std::vector<LocalRow> local_;
    std::vector<BusRow> bus_;
    std::vector<LineState> states_;
    std::vector<Mutant> all_;
    unsigned refused_ = 0;
};

bool finds(const ProtocolCase& original, const Mutant& mutant) {
    constexpr std::uint64_t kSeeds = 40;
    const Protocol changed("mutant", "changed", mutant.local, mutant.bus);
    ProtocolCase its = original;
    its.protocol = &changed;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
        for (const StorePolicy policy : {StorePolicy::buffered, StorePolicy::stall}) {
            Reached reached;
            RoundConfig config = random_round(seed, changed, policy);
            config.accesses_per_port = 1'500 / config.ports;
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
// simulator reports a state that is impossible, which ends the process.
bool found(const ProtocolCase& original, const Mutant& mutant) {
    const pid_t child = fork();
    if (child == 0) {
        std::fclose(stderr);
        _exit(finds(original, mutant) ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status != 0;
}

TEST(Mutants, AreFoundByTheRandomTest) {
    unsigned number = 0, refused = 0;
    for (const ProtocolCase& original :
         {write_through_case(), write_through_allocate_case(), write_through_on_change_case(),
          write_back_case(), illinois_case(), moesi_case(), write_update_case(), no_cache_case()}) {
        const Mutants mutants(*original.protocol);
        refused += mutants.refused();
        for (const Mutant& mutant : mutants.all()) {
            ++number;
            EXPECT_EQ(found(original, mutant), !harmless(original.name, mutant.name))
                << original.name << ": " << mutant.name;
        }
    }
    std::cout << number << " changed tables, and " << refused << " that no cache can be built of\n";
}

}  // namespace
}  // namespace symsim::test
