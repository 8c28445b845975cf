// SPDX-License-Identifier: MIT
// The order of replies that wait for the bus.
#include "sim/interconnect/snooping_interconnect.h"

#include <gtest/gtest.h>

#include <vector>

namespace symsim::test {
namespace {

TEST(PendingReplies, GoByTheirTimesAndThenInTheOrderOfTheirGrants) {
    PendingReplies replies;
    EXPECT_EQ(replies.next_ready(), kNever);
    const std::vector<Time> ready = {30, 10, 20, 10, 30, 20};  // of ports 0 to 5
    for (ProcessorId port = 0; port < ready.size(); ++port) replies.add({ready[port], port, 0, {}});
    std::vector<ProcessorId> order;
    while (replies.next_ready() != kNever) {
        const Time next = replies.next_ready();
        const PendingReplies::Reply reply = replies.take_next();
        EXPECT_EQ(reply.ready, next);
        order.push_back(reply.port);
    }
    EXPECT_EQ(order, (std::vector<ProcessorId>{1, 3, 2, 5, 0, 4}));
}

}  // namespace
}  // namespace symsim::test
