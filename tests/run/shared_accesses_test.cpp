// SPDX-License-Identifier: MIT
#include "sim/run/access_log.h"

#include <gtest/gtest.h>

namespace symsim::test {
namespace {

constexpr unsigned kLine = 16;
constexpr Address kFlag = 0x1000, kData = 0x2000, kOwn = 0x3000;

LoggedEvent event(Time at, ProcessorId processor, std::uint32_t kind, Address address,
                  std::uint32_t value, Offset eip = 0x100) {
    LoggedEvent e;
    e.at = e.done = at;
    e.processor = processor;
    e.kind = kind;
    e.address = address;
    e.size = 4;
    e.value = value;
    e.eip = eip;
    return e;
}
LoggedEvent load(Time at, ProcessorId p, Address address, std::uint32_t value, Offset eip = 0x100) {
    return event(at, p, LoggedEvent::load, address, value, eip);
}
LoggedEvent store(Time at, ProcessorId p, Address address, std::uint32_t value) {
    return event(at, p, LoggedEvent::store, address, value);
}
LoggedEvent probe(Time at, ProcessorId p) {
    return event(at, p, LoggedEvent::probe + 1, 0, 0);
}
// Load and store of an exchange.
std::vector<LoggedEvent> exchange(Time at, ProcessorId p, std::uint32_t was, std::uint32_t value) {
    std::vector<LoggedEvent> both = {event(at, p, LoggedEvent::locked_load, kFlag, was),
                                     event(at + 1, p, LoggedEvent::locked_store, kFlag, value)};
    both[0].silent = both[1].silent = was == value;
    return both;
}

std::vector<Time> kept(std::vector<LoggedEvent> events) {
    std::vector<Time> times;
    for (const LoggedEvent& e : shared_accesses(std::move(events), kLine)) times.push_back(e.at);
    return times;
}

TEST(SharedAccesses, AreToLinesThatSeveralAccessAndOneStoresTo) {
    EXPECT_EQ(kept({store(1, 0, kFlag, 1), load(2, 1, kFlag + 12, 1), store(3, 0, kOwn, 1),
                    load(4, 0, kData, 0), load(5, 1, kData, 0), load(6, 1, kOwn + kLine, 0)}),
              (std::vector<Time>{1, 2}));
}

TEST(SharedAccesses, LeaveOutWhatASpinLoopRepeats) {
    EXPECT_EQ(kept({load(1, 1, kFlag, 0), load(2, 1, kFlag, 0), load(3, 1, kFlag, 0),
                    store(4, 0, kFlag, 1), load(5, 1, kFlag, 1)}),
              (std::vector<Time>{1, 4, 5}));
}

TEST(SharedAccesses, KeepALoadAfterAStoreOfAnotherThatLeavesTheValue) {
    EXPECT_EQ(kept({load(1, 1, kFlag, 0), store(2, 0, kFlag, 0), load(3, 1, kFlag, 0)}),
              (std::vector<Time>{1, 2, 3}));
}

TEST(SharedAccesses, KeepLoadsAroundAnOwnStoreOrAProbePoint) {
    EXPECT_EQ(kept({store(0, 0, kFlag, 0), load(1, 1, kFlag, 0), store(2, 1, kFlag + 8, 1),
                    load(3, 1, kFlag, 0), probe(4, 1), load(5, 1, kFlag, 0)}),
              (std::vector<Time>{0, 1, 2, 3, 4, 5}));
}

TEST(SharedAccesses, KeepEqualLoadsOfTwoInstructions) {
    EXPECT_EQ(kept({store(0, 0, kFlag, 0), load(1, 1, kFlag, 0, 0x100), load(2, 1, kFlag, 0, 0x108),
                    load(3, 1, kFlag, 0, 0x100), load(4, 1, kFlag, 0, 0x108)}),
              (std::vector<Time>{0, 1, 2}));
}

TEST(SharedAccesses, LeaveOutExchangesThatFailAgain) {
    std::vector<LoggedEvent> events;
    const auto add = [&](std::vector<LoggedEvent> more) {
        events.insert(events.end(), more.begin(), more.end());
    };
    add(exchange(1, 0, 0, 1));
    add(exchange(3, 1, 1, 1));
    add(exchange(5, 1, 1, 1));
    add(exchange(7, 1, 1, 1));
    add({store(9, 0, kFlag, 0)});
    add(exchange(11, 1, 0, 1));
    EXPECT_EQ(kept(events), (std::vector<Time>{1, 2, 3, 4, 9, 11, 12}));
}

// Processor 1 loads the flag twice before the buffered store is performed, once after it.
TEST(SharedAccesses, TakeAStoreWhenItIsPerformed) {
    LoggedEvent buffered = store(1, 0, kFlag, 1);
    buffered.done = 4;
    EXPECT_EQ(kept({buffered, load(2, 1, kFlag, 0), load(3, 1, kFlag, 0), load(5, 1, kFlag, 1)}),
              (std::vector<Time>{1, 2, 5}));
}

}  // namespace
}  // namespace symsim::test
