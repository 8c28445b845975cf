// SPDX-License-Identifier: MIT
#include "sim/observe/merge_runs.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

namespace symsim::test {
namespace {

using Items = std::vector<std::pair<int, int>>;  // what is sorted by, and where it was

Items merged(Items items) {
    merge_runs(items, [](const auto& a, const auto& b) { return a.first < b.first; });
    return items;
}

// As std::stable_sort, however many runs there are.
TEST(MergeRuns, SortsAndKeepsEqualOnesAsTheyCame) {
    std::mt19937 random(1);
    for (int runs = 0; runs <= 21; ++runs) {
        Items items;
        for (int run = 0; run < runs; ++run) {
            const auto begin = static_cast<std::ptrdiff_t>(items.size());
            for (unsigned n = random() % 9; n > 0; --n)
                items.emplace_back(random() % 7, static_cast<int>(items.size()));
            std::sort(items.begin() + begin, items.end());
        }
        Items expected = items;
        std::stable_sort(expected.begin(), expected.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        EXPECT_EQ(merged(items), expected) << runs;
    }
}

TEST(MergeRuns, SortsWhatIsInTheOppositeOrder) {
    EXPECT_EQ(merged({{3, 0}, {2, 1}, {1, 2}}), (Items{{1, 2}, {2, 1}, {3, 0}}));
}

}  // namespace
}  // namespace symsim::test
