// SPDX-License-Identifier: MIT
// The order of the ports' oldest requests, and which of them are not eligible yet.
#include "sim/interconnect/request.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

namespace symsim::test {
namespace {

void request(OldestRequests& requests, ProcessorId port, Time eligible) {
    requests.set(port, TransactionKind::read, 16 * port, eligible);
}

std::vector<ProcessorId> order(const OldestRequests& requests) {
    std::vector<ProcessorId> ports;
    for (ProcessorId p = requests.first(); p != kNobody; p = requests.after(p)) ports.push_back(p);
    return ports;
}

TEST(OldestRequests, AreInTheOrderInWhichTheyBecomeEligible) {
    OldestRequests requests;
    EXPECT_EQ(requests.first(), kNobody);
    for (const auto& [port, eligible] : {std::pair{3u, 20}, {1u, 30}, {2u, 10}, {0u, 20}})
        request(requests, port, eligible);
    EXPECT_EQ(order(requests), (std::vector<ProcessorId>{2, 3, 0, 1}));
    request(requests, 2, 40);  // its next one
    requests.clear(0);
    EXPECT_EQ(order(requests), (std::vector<ProcessorId>{3, 1, 2}));
    EXPECT_EQ(requests.eligible(0), kNever);
}

TEST(OldestRequests, AreAheadUntilTheyAreEligible) {
    OldestRequests requests;
    request(requests, 1, 10);
    request(requests, 2, 20);
    EXPECT_EQ(requests.first_ahead(), 1u);
    requests.come_to(10);
    EXPECT_EQ(requests.first_ahead(), 2u);
    EXPECT_EQ(requests.eligible_ports(), ProcessorSet::only(1));
    request(requests, 3, 5);  // behind an earlier request of its port: eligible at once
    EXPECT_FALSE(requests.ahead().contains(3));
    EXPECT_EQ(requests.first(), 3u);
}

TEST(OldestRequests, RandomOnesAreWhatASearchOfAllPortsFinds) {
    constexpr ProcessorId kPorts = 12;
    std::mt19937 random(1);
    OldestRequests requests;
    std::array<Time, kPorts> eligible;
    eligible.fill(kNever);
    Time now = 0;
    for (int step = 0; step < 20'000; ++step) {
        const ProcessorId port = random() % kPorts;
        const unsigned what = random() % 4;
        if (what == 0) {
            now += random() % 4;
            requests.come_to(now);
        } else if (what == 1) {
            eligible[port] = kNever;
            requests.clear(port);
        } else {
            eligible[port] = std::max<Time>(0, now - 3 + static_cast<Time>(random() % 16));
            request(requests, port, eligible[port]);
        }
        ProcessorSet pending, ahead;
        ProcessorId first_ahead = kNobody;
        for (ProcessorId p = 0; p < kPorts; ++p) {
            if (eligible[p] == kNever) continue;
            pending.add(p);
            if (eligible[p] <= now) continue;
            ahead.add(p);
        }
        const std::vector<ProcessorId> ports = order(requests);
        for (const ProcessorId p : ports)
            if (first_ahead == kNobody && ahead.contains(p)) first_ahead = p;
        ASSERT_EQ(requests.pending(), pending);
        ASSERT_EQ(requests.ahead(), ahead);
        ASSERT_EQ(requests.first_ahead(), first_ahead);
        ASSERT_TRUE(std::is_sorted(ports.begin(), ports.end(),
                                   [&](auto a, auto b) { return eligible[a] < eligible[b]; }));
        ASSERT_EQ(ports.size(),
                  static_cast<std::size_t>(std::count_if(eligible.begin(), eligible.end(),
                                                         [](Time t) { return t != kNever; })));
    }
}

}  // namespace
}  // namespace symsim::test
