// SPDX-License-Identifier: MIT
// Random instructions executed by the simulated processor and by Unicorn must leave the same
// registers, flags and memory, or raise the same exception. Environment variables choose the number
// of vectors (SYMSIM_LOCKSTEP_VECTORS), the seed (SYMSIM_LOCKSTEP_SEED) and the number of the first
// vector (SYMSIM_LOCKSTEP_FIRST).
#include "tests/lockstep/lockstep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

#include "tests/lockstep/exclusions.h"
#include "tests/lockstep/generator.h"
#include "tests/lockstep/grammar.h"

namespace symsim::test {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

// After how many vectors the whole memory is compared, and progress is printed.
constexpr std::uint64_t kMemoryEvery = 20'000, kTellEvery = 1'000'000;
// Mismatches shown before the test gives up: several often show what they have in common.
constexpr int kMostReports = 10;

// The forms that must each be executed to the end at least once; null: none need be.
const std::vector<Pattern>* to_complete(World world) {
    switch (world) {
        case World::flat:
            return &grammar();
        case World::floating:
            return &float_grammar();
        case World::i486:
            return &i486_grammar();
        default:
            return nullptr;
    }
}

class LockstepIn : public testing::TestWithParam<World> {};

TEST_P(LockstepIn, RandomInstructionsHaveTheSameResultsAsOnUnicorn) {
    const std::uint64_t seed = from_environment("SYMSIM_LOCKSTEP_SEED", 386);
    const std::uint64_t count =
        from_environment("SYMSIM_LOCKSTEP_VECTORS", GetParam() == World::flat ? 250'000 : 60'000);
    const std::uint64_t first = from_environment("SYMSIM_LOCKSTEP_FIRST", 0);
    std::printf("seed %" PRIu64 ", vectors %" PRIu64 " from number %" PRIu64 "\n", seed, count,
                first);
    Lockstep lockstep(GetParam());
    std::map<std::string, std::uint64_t> left_out;
    std::set<const Pattern*> completed;
    std::uint64_t compared = 0, faulted = 0;
    int mismatches = 0;
    for (std::uint64_t n = 0; n < count && mismatches < kMostReports; ++n) {
        const Vector vector = Generator::make(GetParam(), seed, first + n);
        if (const Exclusion* const why = excluded(vector)) {
            ++left_out[why->name];
            continue;
        }
        if (const auto difference = lockstep.differs(seed, vector)) {
            ++mismatches;
            ADD_FAILURE() << *difference;
            continue;
        }
        ++compared;
        if (lockstep.last_faulted())
            ++faulted;
        else
            completed.insert(vector.pattern);
        if (n % kMemoryEvery == 0 || n + 1 == count) {
            const auto difference = lockstep.memory_differs();
            ASSERT_FALSE(difference)
                << *difference << ", in the vectors before number " << vector.number;
        }
        if (n > 0 && n % kTellEvery == 0) {
            std::printf("%" PRIu64 " million vectors, %" PRIu64 " with an exception\n",
                        n / 1'000'000, faulted);
            std::fflush(stdout);
        }
    }
    std::printf("%" PRIu64 " vectors compared, %" PRIu64 " of them raised an exception\n", compared,
                faulted);
    for (const auto& [name, vectors] : left_out)
        std::printf("%" PRIu64 " vectors left out: %s\n", vectors, name.c_str());
    for (const auto& [name, vectors] : lockstep.excuses())
        std::printf("%" PRIu64 " outcomes excused: %s\n", vectors, name.c_str());
    const std::vector<Pattern>* const all = to_complete(GetParam());
    if (!all || count < 50'000) return;
    for (const Pattern& pattern : *all) {
        const bool always_raises = pattern.trait == Trait::undefined ||
                                   std::string(pattern.name) == "int" ||
                                   std::string(pattern.name) == "int3";
        EXPECT_TRUE(always_raises || completed.count(&pattern))
            << pattern.name << " " << pattern.encoding << " has never been compared";
    }
}

// Without the oracle: every Unicorn model has these instructions.
TEST(Lockstep, A386RefusesTheInstructionsOfThe486) {
    SimulatedCpu cpu(Isa::i386);
    std::set<const Pattern*> seen;
    for (std::uint64_t number = 0; number < 2000; ++number) {
        const Vector vector = Generator::make(World::i486, 386, number);
        if (vector.pattern < &i486_grammar().front() || vector.pattern > &i486_grammar().back())
            continue;
        std::copy(vector.bytes.begin(), vector.bytes.end(), cpu.memory() + vector.eip);
        const Outcome outcome = cpu.execute({vector.eip, Flags::kAlwaysSet, vector.regs});
        constexpr int kUndefinedOpcode = 6;
        EXPECT_EQ(outcome.vector, kUndefinedOpcode) << vector.pattern->name << " number " << number;
        EXPECT_EQ(outcome.eip, vector.eip);
        seen.insert(vector.pattern);
    }
    EXPECT_EQ(seen.size(), i486_grammar().size());
}

INSTANTIATE_TEST_SUITE_P(Worlds, LockstepIn,
                         testing::Values(World::flat, World::kernel, World::user, World::narrow,
                                         World::selectors, World::real, World::floating,
                                         World::i486),
                         [](const auto& world) { return std::string(name_of(world.param)); });

}  // namespace
}  // namespace symsim::test
