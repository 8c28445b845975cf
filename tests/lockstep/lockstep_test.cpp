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
#include <sstream>
#include <vector>

#include "sim/cpu/isa/decoder.h"
#include "sim/cpu/isa/instruction_sets.h"
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
        case World::i686:
            return &added_grammar();
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

// The words of the table of instruction sets, with the set that adds each.
std::map<std::string, Isa> added_words() {
    std::map<std::string, Isa> all;
    for (const InstructionSet& set : kInstructionSets)
        for (const std::string_view list : {set.added, set.added_lockable}) {
            std::istringstream words{std::string(list)};
            for (std::string word; words >> word;) all[word] = set.isa;
        }
    return all;
}

// Without the oracle, whose models have more: the grammars have all that the table adds, and a
// processor has what the table adds up to it.
TEST(Lockstep, EachProcessorHasWhatTheTableSays) {
    const std::map<std::string, Isa> all = added_words();
    std::map<std::string, Isa> unseen = all;
    for (const char* const own : {"cpuid", "rdtsc"}) unseen.erase(own);
    for (std::uint64_t number = 0; number < 6000; ++number) {
        const Vector vector =
            Generator::make(number % 2 ? World::i686 : World::floating, 386, number);
        const std::string name = vector.pattern->name;
        const auto added = all.find(name);
        if (vector.locked || vector.pattern->trait == Trait::undefined) continue;
        for (const InstructionSet& set : kInstructionSets) {
            Op op;
            const auto complaint =
                Decoder(set.isa).decode(vector.bytes.data(), vector.bytes.size(), true, op);
            EXPECT_EQ(!complaint, added == all.end() || set.isa >= added->second)
                << name << " on " << set.name;
        }
        unseen.erase(name);
    }
    for (const auto& [word, isa] : unseen) ADD_FAILURE() << word << " is in no grammar";
}

INSTANTIATE_TEST_SUITE_P(Worlds, LockstepIn,
                         testing::Values(World::flat, World::kernel, World::user, World::narrow,
                                         World::selectors, World::real, World::floating,
                                         World::i686),
                         [](const auto& world) { return std::string(name_of(world.param)); });

}  // namespace
}  // namespace symsim::test
