// SPDX-License-Identifier: MIT
// Sets of processors, of one word and of several. Each is compared with a std::set.
#include "sim/base/processor_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace symsim {
namespace {

using Numbers = std::vector<ProcessorId>;

template <class Set>
class ProcessorSetTest : public ::testing::Test {
  protected:
    static constexpr unsigned most() { return 8 * sizeof(Set); }
    // Sets with few members, with many, with those at the ends of words, and the empty one.
    static std::vector<std::set<ProcessorId>> samples() {
        std::mt19937 random(1);
        std::vector<std::set<ProcessorId>> all = {{}, {0}, {most() - 1}, {0, 63, most() - 1}};
        if (most() > 64) all.insert(all.end(), {{64}, {63, 64}, {1, 65}});
        for (const unsigned members : {1u, 2u, 5u, 40u, 200u}) {
            all.emplace_back();
            for (unsigned n = 0; n < members; ++n) all.back().insert(random() % most());
        }
        return all;
    }
    static Set make(const std::set<ProcessorId>& members) {
        Set set;
        for (const ProcessorId p : members) set.add(p);
        return set;
    }
    template <class Range>
    static Numbers numbers(const Range& range) {
        Numbers all;
        for (const ProcessorId p : range) all.push_back(p);
        return all;
    }
};

using Sizes = ::testing::Types<BasicProcessorSet<64>, BasicProcessorSet<128>,
                               BasicProcessorSet<192>, BasicProcessorSet<256>>;
TYPED_TEST_SUITE(ProcessorSetTest, Sizes);

static_assert(sizeof(BasicProcessorSet<64>) == 8 && sizeof(BasicProcessorSet<128>) == 16);

TYPED_TEST(ProcessorSetTest, ContainsWhatWasAddedAndNotRemoved) {
    for (const auto& members : this->samples()) {
        TypeParam set = this->make(members);
        EXPECT_EQ(set.empty(), members.empty());
        for (ProcessorId p = 0; p < this->most(); ++p)
            EXPECT_EQ(set.contains(p), members.count(p) == 1) << p;
        for (const ProcessorId p : members) {
            EXPECT_FALSE(set.empty());
            EXPECT_FALSE(set.without(p).contains(p));
            set.remove(p);
            EXPECT_FALSE(set.contains(p));
        }
        EXPECT_TRUE(set.empty());
    }
}

TYPED_TEST(ProcessorSetTest, SetAddsOrRemoves) {
    const ProcessorId last = this->most() - 1;
    TypeParam set = TypeParam::only(1);
    set.set(last, true);
    EXPECT_EQ(this->numbers(set), (Numbers{1, last}));
    set.set(last, true);
    set.set(1, false);
    EXPECT_EQ(set, TypeParam::only(last));
    set.set(1, false);
    EXPECT_EQ(set, TypeParam::only(last));
}

TYPED_TEST(ProcessorSetTest, FirstHasTheLowestNumbers) {
    for (const unsigned count : {0u, 1u, 5u, 63u, 64u, this->most() - 1, this->most()}) {
        const Numbers all = this->numbers(TypeParam::first(count));
        ASSERT_EQ(all.size(), count);
        for (ProcessorId p = 0; p < count; ++p) EXPECT_EQ(all[p], p);
    }
}

TYPED_TEST(ProcessorSetTest, IterationGoesFromLowestToHighest) {
    for (const auto& members : this->samples()) {
        TypeParam set = this->make(members);
        EXPECT_EQ(this->numbers(set), Numbers(members.begin(), members.end()));
        if (members.empty()) continue;
        EXPECT_EQ(set.lowest(), *members.begin());
        set.remove_lowest();
        EXPECT_EQ(this->numbers(set), Numbers(std::next(members.begin()), members.end()));
    }
}

TYPED_TEST(ProcessorSetTest, IterationDoesNotSeeChanges) {
    TypeParam set = this->make({1, 2, 60});
    Numbers seen;
    for (const ProcessorId p : set) {
        seen.push_back(p);
        set.remove(2);
        set.add(61);
    }
    EXPECT_EQ(seen, (Numbers{1, 2, 60}));
}

TYPED_TEST(ProcessorSetTest, RotationBeginsAtItsStartAndPassesEachOnce) {
    for (const auto& members : this->samples())
        for (ProcessorId start = 0; start < this->most(); ++start) {
            Numbers expected(members.lower_bound(start), members.end());
            expected.insert(expected.end(), members.begin(), members.lower_bound(start));
            const TypeParam set = this->make(members);
            ASSERT_EQ(this->numbers(set.in_turn(start)), expected) << start;
        }
}

TYPED_TEST(ProcessorSetTest, PlaceInTurnCountsFromTheStart) {
    const ProcessorId last = this->most() - 1;
    EXPECT_EQ(TypeParam::place_in_turn(5, 5), 0u);
    EXPECT_EQ(TypeParam::place_in_turn(7, 5), 2u);
    EXPECT_EQ(TypeParam::place_in_turn(0, last), 1u);
    EXPECT_EQ(TypeParam::place_in_turn(4, 5), last);
}

TYPED_TEST(ProcessorSetTest, PlacesBeforeAreThoseFromTheStartOn) {
    for (ProcessorId start = 0; start < this->most(); ++start) {
        TypeParam before;
        for (ProcessorId place = 0; place < this->most(); ++place) {
            const ProcessorId processor = (start + place) % this->most();
            ASSERT_EQ(TypeParam::place_in_turn(processor, start), place);
            ASSERT_EQ(TypeParam::places_before(processor, start), before)
                << "before " << processor << " from " << start << " on";
            before.add(processor);
        }
    }
}

TYPED_TEST(ProcessorSetTest, UnionIntersectionAndDifference) {
    for (const auto& a : this->samples())
        for (const auto& b : this->samples()) {
            const TypeParam one = this->make(a), other = this->make(b);
            for (ProcessorId p = 0; p < this->most(); ++p) {
                const bool in_a = a.count(p) == 1, in_b = b.count(p) == 1;
                ASSERT_EQ((one | other).contains(p), in_a || in_b) << p;
                ASSERT_EQ((one & other).contains(p), in_a && in_b) << p;
                ASSERT_EQ((one - other).contains(p), in_a && !in_b) << p;
            }
            ASSERT_EQ(one == other, a == b);
            ASSERT_EQ(one != other, a != b);
        }
}

}  // namespace
}  // namespace symsim
