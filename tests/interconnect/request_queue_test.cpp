// SPDX-License-Identifier: MIT
// The queue of a port's requests.
#include "sim/base/transaction_kind.h"
#include "sim/interconnect/request.h"

#include <gtest/gtest.h>

namespace symsim {
namespace {

Request request(Address address, TransactionKind kind = TransactionKind::read) {
    Request made;
    made.kind = kind;
    made.address = address;
    made.posted = 1;
    return made;
}

std::vector<Address> addresses(const RequestQueue& queue) {
    std::vector<Address> all;
    for (std::size_t n = 0; n < queue.size(); ++n) all.push_back(queue[n].address);
    return all;
}

using Addresses = std::vector<Address>;

TEST(RequestQueue, IsEmptyAtFirstAndAfterTheLastPop) {
    RequestQueue queue;
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.size(), 0u);
    queue.push_back(request(1));
    EXPECT_FALSE(queue.empty());
    queue.pop_front();
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(queue.size(), 0u);
}

TEST(RequestQueue, KeepsTheOrderAtBothEnds) {
    RequestQueue queue;
    queue.push_back(request(2));
    queue.push_back(request(3));
    queue.push_front(request(1));
    EXPECT_EQ(addresses(queue), (Addresses{1, 2, 3}));
    EXPECT_EQ(queue.front().address, 1u);
    queue.pop_front();
    EXPECT_EQ(addresses(queue), (Addresses{2, 3}));
    queue.push_front(request(4));
    queue.push_back(request(5));
    EXPECT_EQ(addresses(queue), (Addresses{4, 2, 3, 5}));
}

TEST(RequestQueue, ErasesTheRequestAtAnyPosition) {
    for (std::size_t n = 0; n < 3; ++n) {
        RequestQueue queue;
        Addresses left;
        for (Address a = 0; a < 3; ++a) {
            queue.push_back(request(a));
            if (a != n) left.push_back(a);
        }
        queue.erase(n);
        EXPECT_EQ(addresses(queue), left);
    }
}

TEST(RequestQueue, FindsARequestOnlyAmongThoseOfItsKindAtTheFront) {
    RequestQueue queue;
    EXPECT_EQ(queue.find_first(TransactionKind::write_back, 1), RequestQueue::kNone);
    queue.push_back(request(1, TransactionKind::write_back));
    queue.push_back(request(2, TransactionKind::write_back));
    queue.push_back(request(3));
    queue.push_back(request(4, TransactionKind::write_back));
    EXPECT_EQ(queue.find_first(TransactionKind::write_back, 1), 0u);
    EXPECT_EQ(queue.find_first(TransactionKind::write_back, 2), 1u);
    EXPECT_EQ(queue.find_first(TransactionKind::write_back, 3), RequestQueue::kNone);
    EXPECT_EQ(queue.find_first(TransactionKind::write_back, 4), RequestQueue::kNone);
    EXPECT_EQ(queue.find_first(TransactionKind::read, 1), RequestQueue::kNone);
}

}  // namespace
}  // namespace symsim
