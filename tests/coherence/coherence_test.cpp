// SPDX-License-Identifier: MIT
// Random coherence test of real cache controllers and bus, after gem5's random testers. There are
// no processors, machines are so small that conflicts are frequent, and an oracle knows which
// values may be read.
//
// SYMSIM_COHERENCE_ACCESSES sets the number of accesses, SYMSIM_COHERENCE_SEED the first seed. A
// round depends on its seed alone. To repeat only a failing round, set its seed and one access.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <tuple>

#include "tests/coherence/protocol_case.h"
#include "tests/coherence/round.h"

namespace symsim::test {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Coverage is checked only from this number of accesses on; fewer do not reach all events.
constexpr std::uint64_t kAccessesThatReachAll = 60'000;
constexpr std::uint64_t kCases = 24;
constexpr std::uint64_t kCasesOnNodes = 6;

using Case = std::tuple<ProtocolCase, StorePolicy>;
class Coherence : public ::testing::TestWithParam<Case> {
  protected:
    // The rounds of `make` by seed, until they have made one of `cases` equal shares of the
    // accesses. Returns how many accesses.
    template <class Make>
    std::uint64_t run_rounds(std::uint64_t cases, Make&& make) {
        const auto& [protocol, policy] = GetParam();
        const std::uint64_t wanted =
            (from_environment("SYMSIM_COHERENCE_ACCESSES", 3'000'000) + cases - 1) / cases;
        const std::uint64_t first = from_environment("SYMSIM_COHERENCE_SEED", 1);
        std::uint64_t accesses = 0, ahead = 0, stores = 0, rollbacks = 0, stores_back = 0;
        std::uint64_t seed = first;
        Time longest = 0;
        for (; accesses < wanted; ++seed) {
            Round round(make(seed, *protocol.protocol, policy), protocol, reached_);
            try {
                round.run();
            } catch (const Incoherent& wrong) {
                ADD_FAILURE() << wrong.what() << "\nagain: SYMSIM_COHERENCE_SEED=" << seed
                              << " SYMSIM_COHERENCE_ACCESSES=1\n"
                              << round.dump();
                return accesses;
            }
            accesses += round.accesses();
            ahead += round.hits_ahead();
            stores += round.stores_ahead();
            rollbacks += round.rollbacks();
            stores_back += round.stores_rolled_back();
            longest = std::max(longest, round.longest_wait());
        }
        std::cout << fmt::format(
            "seeds {} to {}: {} accesses, {} hits ahead and {} stores, {} times rolled back and {} "
            "stores, longest wait {} bus cycles\n",
            first, seed - 1, accesses, ahead, stores, rollbacks, stores_back, longest);
        return accesses;
    }

    Reached reached_;
};

TEST_P(Coherence, HoldsForRandomAccesses) {
    const auto& [protocol, policy] = GetParam();
    const std::uint64_t accesses = run_rounds(kCases, random_round);
    if (HasFailure() || accesses < kAccessesThatReachAll) return;
    const Declared declared = protocol.declared(policy);
    const auto check = [](const Coverage& coverage, std::string_view table) {
        EXPECT_EQ(coverage.differences(table), "") << coverage.table();
    };
    check(reached_.lines, declared.lines);
    check(reached_.buffer, declared.buffer);
    check(reached_.locks, declared.locks);
}

// Which rows of the nodes' tables the rounds reach is tested by taking rows out: mutants_test.cpp.
class CoherenceOnNodes : public Coherence {};
TEST_P(CoherenceOnNodes, HoldsForRandomAccesses) {
    run_rounds(kCasesOnNodes, random_round_on_nodes);
}

std::string test_name(const ::testing::TestParamInfo<Case>& info) {
    constexpr std::array names = {"Buffered", "BlockPort", "Stall"};
    const auto& [protocol, policy] = info.param;
    return protocol.name + names[index(policy)];
}

const auto kPolicies =
    ::testing::Values(StorePolicy::buffered, StorePolicy::block_port, StorePolicy::stall);

INSTANTIATE_TEST_SUITE_P(
    Protocols, Coherence,
    ::testing::Combine(::testing::Values(write_through_case(), write_through_allocate_case(),
                                         write_through_on_change_case(), write_back_case(),
                                         illinois_case(), moesi_case(), write_update_case(),
                                         no_cache_case()),
                       kPolicies),
    test_name);
INSTANTIATE_TEST_SUITE_P(Protocols, CoherenceOnNodes,
                         ::testing::Combine(::testing::Values(write_back_case(), illinois_case()),
                                            kPolicies),
                         test_name);

}  // namespace
}  // namespace symsim::test
