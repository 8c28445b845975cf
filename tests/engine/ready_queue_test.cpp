// SPDX-License-Identifier: MIT
// Unit tests of ReadyQueue.
#include "sim/engine/speculation/ready_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace symsim::test {
namespace {

TEST(ReadyQueue, AllProcessorsAreDueAtTheBeginning) {
    for (const std::size_t processors : {1, 2, 3, 20, 64}) {
        const ReadyQueue table(processors);
        EXPECT_EQ(table.first(), 0u);
        EXPECT_EQ(table.at(processors - 1), 0);
    }
}

TEST(ReadyQueue, FirstIsTheLowestNumberOfTheProcessorsDueSoonest) {
    ReadyQueue table(5);
    for (ProcessorId p = 0; p < 5; ++p) table.set(p, 70);
    EXPECT_EQ(table.first(), 0u);
    table.set(3, 20);
    EXPECT_EQ(table.first(), 3u);
    table.set(2, 20);
    EXPECT_EQ(table.first(), 2u);
    table.set(2, kNever);
    table.set(3, kNever);
    EXPECT_EQ(table.first(), 0u);
}

TEST(ReadyQueue, FirstAgreesWithALinearSearch) {
    std::mt19937 random(1);
    for (const std::size_t processors : {1, 2, 7, 20, 33, 64}) {
        ReadyQueue table(processors);
        std::vector<Time> times(processors, 0);
        for (int step = 0; step < 20'000; ++step) {
            const auto p = static_cast<ProcessorId>(random() % processors);
            times[p] = random() % 8 == 0 ? kNever : static_cast<Time>(random() % 50);
            table.set(p, times[p]);
            const auto first = std::min_element(times.begin(), times.end()) - times.begin();
            ASSERT_EQ(table.first(), first) << processors << " processors, step " << step;
            ASSERT_EQ(table.at(p), times[p]);
            ASSERT_EQ(table.soonest(), times[static_cast<std::size_t>(first)]);
        }
    }
}

}  // namespace
}  // namespace symsim::test
