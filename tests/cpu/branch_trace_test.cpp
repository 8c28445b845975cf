// SPDX-License-Identifier: MIT
// BranchTrace: the last branches reported after iterations of a loop have been skipped.
#include "sim/cpu/state/branch_trace.h"

#include <gtest/gtest.h>

namespace symsim::test {
namespace {

Branch nth(std::uint64_t n) {
    return {static_cast<Address>(0x1000 + n), static_cast<Address>(0x2000 + n)};
}

// Records branches 0 to first + period - 1, repeats the last `period` of them until there are
// `count`, and checks the branches reported.
void expect_repeated(std::uint64_t first, std::uint64_t period, std::uint64_t count) {
    BranchTrace trace;
    for (std::uint64_t n = 0; n < first + period; ++n) trace.add(n, nth(n).from, nth(n).to);
    trace.repeat(first, period, count);
    const auto last = trace.last(count);
    ASSERT_EQ(last.size(), std::min(count, BranchTrace::kReported));
    for (std::size_t i = 0; i < last.size(); ++i) {
        const std::uint64_t n = count - last.size() + i;
        const Branch wanted = nth(n < first ? n : first + (n - first) % period);
        EXPECT_EQ(last[i].from, wanted.from) << n << " of " << count << " by " << period;
        EXPECT_EQ(last[i].to, wanted.to);
    }
}

TEST(BranchTrace, BranchesOfARepeatedLoopAreReportedAsOftenAsTheyWereTaken) {
    for (const std::uint64_t first : {0, 5, 40, 300})
        for (const std::uint64_t period : {1, 2, 3, 31, 32, 33, 200})
            for (const std::uint64_t more : {0, 1, 7, 31, 32, 1000, 1'000'003})
                expect_repeated(first, period, first + period + more);
}

TEST(BranchTrace, ARepeatWithoutBranchesAddsNone) {
    BranchTrace trace;
    trace.add(0, 1, 2);
    trace.repeat(1, 0, 1);
    ASSERT_EQ(trace.last(1).size(), 1u);
    EXPECT_EQ(trace.last(1)[0].from, 1u);
}

}  // namespace
}  // namespace symsim::test
