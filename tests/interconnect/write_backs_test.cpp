// SPDX-License-Identifier: MIT
// Write-backs that wait in their ports' queues: which of them supplies a line.
#include "sim/interconnect/lines_in_transit.h"

#include <gtest/gtest.h>

#include <array>

namespace symsim::test {
namespace {

constexpr std::uint32_t kLineBytes = 16;

class WriteBacksTest : public ::testing::Test {
  protected:
    void post(ProcessorId port, Address line) {
        Request request;
        request.kind = TransactionKind::write_back;
        request.address = line;
        queues[port].push_front(request);
        write_backs.posted(port, line);
    }
    void remove(ProcessorId port, std::size_t place) {
        const Address line = queues[port][place].address;
        queues[port].erase(place);
        write_backs.gone(port, line, queues[port]);
    }
    std::optional<WriteBacks::Found> find(ProcessorId destination, Address line) const {
        return write_backs.find(destination, line, [this](ProcessorId port) -> const RequestQueue& {
            return queues[port];
        });
    }

    std::array<RequestQueue, 4> queues;
    WriteBacks write_backs{kLineBytes};
};

TEST_F(WriteBacksTest, TheWriteBackOfAnotherPortSuppliesItsLine) {
    post(1, 0x100);
    post(1, 0x200);
    const auto found = find(0, 0x100);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->port, 1u);
    EXPECT_EQ(found->place, 1u);
    EXPECT_FALSE(find(1, 0x100)) << "not to the port itself";
    EXPECT_FALSE(find(0, 0x300));
    EXPECT_FALSE(find(0, 0x100 + kLineSlots * kLineBytes)) << "another line of the same slot";
}

TEST_F(WriteBacksTest, WhatHasLeftItsQueueSuppliesNothing) {
    post(1, 0x100);
    post(1, 0x200);
    remove(1, 1);
    EXPECT_FALSE(find(0, 0x100));
    EXPECT_FALSE(write_backs.none());
    remove(1, 0);
    EXPECT_FALSE(find(0, 0x200));
    EXPECT_TRUE(write_backs.none());
}

TEST_F(WriteBacksTest, APortWithOtherRequestsOnlyWritesNothingBack) {
    Request read;
    read.address = 0x200;
    queues[2].push_back(read);
    post(2, 0x100);
    remove(2, 0);
    EXPECT_TRUE(write_backs.none());
}

}  // namespace
}  // namespace symsim::test
