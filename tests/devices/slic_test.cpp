// SPDX-License-Identifier: MIT
// The interrupt controllers (SLICs) alone, without SystemC kernel and processors: messages and
// their bus, bins, masks, priorities, the timer, and the order in which interrupts are
// acknowledged.
#include "sim/devices/slic.h"
#include "sim/base/activity.h"
#include "sim/base/observer.h"
#include "sim/base/processor_set.h"
#include "tests/support/part_configs.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace symsim::test {
namespace {

using namespace slic;
using Register = slic::Register;

constexpr Time kCycle = 100'000;
constexpr Time kOneMessage = 4 * kMicrosecond;

// Records what an observer gets.
struct Told final : Observer {
    void passed(ProcessorId, const std::vector<Mark>&) override {}
    void entered(ProcessorId, ProcessorState, Time) override {}
    void used(const BusUse&) override {}
    void messaged(const InterruptMessage& message) override { messages.push_back(message); }
    void interrupted(ProcessorId processor, Time at, std::uint8_t vector,
                     std::uint32_t message) override {
        interrupts.emplace_back(processor, at, vector, message);
    }
    std::vector<InterruptMessage> messages;
    std::vector<std::tuple<ProcessorId, Time, int, std::uint32_t>> interrupts;
};

class SlicBench : public ::testing::Test, public InterruptPins {
  protected:
    // Time, processor, and level of the interrupt line; 2 for an NMI.
    using Seen = std::tuple<Time, ProcessorId, int>;

    explicit SlicBench(std::uint32_t processors = 4)
        : slic({}, {processors, kCycle, &signals, nullptr, &told}) {
        signals.connect(*this);
        // No bin can interrupt before the mask enables it.
        for (ProcessorId p = 0; p < processors; ++p) write(p, kMask, 0xff, 0);
        run(kMicrosecond);
        seen.clear();
    }
    void interrupt_line(ProcessorId processor, bool asserted, Time at) override {
        seen.emplace_back(at, processor, asserted);
    }
    void nmi(ProcessorId processor, Time at) override { seen.emplace_back(at, processor, 2); }

    std::uint32_t read(ProcessorId p, Register r, Time at) {
        return slic.read({p, kBase + r, 4, at}).value;
    }
    void write(ProcessorId p, Register r, std::uint32_t value, Time at) {
        slic.write({p, kBase + r, 4, at}, value);
    }
    void send(ProcessorId from, std::uint32_t to, std::uint32_t bin, std::uint32_t message, Time at,
              Command command = kSendInterrupt) {
        write(from, kDestination, to, at);
        write(from, kBin, bin, at);
        write(from, kMessage, message, at);
        write(from, kCommand, command, at);
    }
    // Handles all edges before `end`.
    void run(Time end) {
        while (signals.next_event() < end) signals.advance(signals.next_event());
    }
    // Sends a message and runs until it is delivered. Returns a time after that.
    Time deliver(ProcessorId from, std::uint32_t to, std::uint32_t bin, std::uint32_t message,
                 Time at, Command command = kSendInterrupt) {
        send(from, to, bin, message, at, command);
        run(at + kOneMessage + 2 * kCycle);
        return at + kOneMessage + 2 * kCycle;
    }

    Told told;
    DeviceSignals signals;
    Slic slic;
    std::vector<Seen> seen;
};

TEST_F(SlicBench, MessageArrivesOneMessageTimeAfterTheNextBusEdge) {
    const Time at = 10 * kMicrosecond + 30'000;
    const Time granted = 10 * kMicrosecond + kCycle;
    send(1, 2, 3, 0x55, at);
    EXPECT_EQ(signals.next_event(), granted);
    EXPECT_EQ(read(1, kCommand, at), kBusy);
    run(granted + kOneMessage);
    EXPECT_TRUE(seen.empty());
    EXPECT_EQ(read(1, kCommand, granted + kOneMessage - 1), kBusy);
    run(granted + kOneMessage + 1);
    EXPECT_EQ(seen, (std::vector<Seen>{{granted + kOneMessage, 2, 1}}));
    EXPECT_EQ(read(1, kCommand, granted + kOneMessage), 0u);
    EXPECT_EQ(read(2, kPending, granted + kOneMessage), 1u << 3);
    EXPECT_EQ(slic.acknowledge(2, granted + kOneMessage), 0x40 + 3);
    EXPECT_EQ(read(2, kMessage, granted + kOneMessage), 0x55u);
    EXPECT_EQ(seen.back(), (Seen{granted + kOneMessage, 2, 0}));
}

// Three messages at once go in order of their senders' numbers. Each takes one message time, and a
// cycle to arbitrate.
TEST_F(SlicBench, SlicBusCarriesOneMessageAtATime) {
    const Time at = 10 * kMicrosecond;
    for (const ProcessorId p : {3u, 0u, 1u}) send(p, 2, 1, p, at);
    run(100 * kMicrosecond);
    const Time first = at + kCycle + kOneMessage;
    const Time turn = kCycle + kOneMessage;
    EXPECT_EQ(seen, (std::vector<Seen>{{first, 2, 1}}));
    std::vector<std::uint32_t> order;
    for (int n = 0; n < 3; ++n) {
        slic.acknowledge(2, 100 * kMicrosecond);
        order.push_back(read(2, kMessage, 100 * kMicrosecond));
    }
    EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1, 3}));

    seen.clear();
    const Time again = 200 * kMicrosecond;
    for (const ProcessorId p : {3u, 0u, 1u}) send(p, p, 1, 0, again);
    run(300 * kMicrosecond);
    const Time begin = again + kCycle + kOneMessage;
    EXPECT_EQ(seen,
              (std::vector<Seen>{{begin, 0, 1}, {begin + turn, 1, 1}, {begin + 2 * turn, 3, 1}}));
}

TEST_F(SlicBench, MessageInProgressCannotBeChanged) {
    const Time at = 10 * kMicrosecond;
    send(0, 1, 2, 7, at);
    send(0, 3, 4, 8, at + kMicrosecond);
    run(at + 100 * kMicrosecond);
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(std::get<1>(seen[0]), 1u);
    slic.acknowledge(1, at + 100 * kMicrosecond);
    EXPECT_EQ(read(1, kMessage, at + 100 * kMicrosecond), 7u);
}

TEST_F(SlicBench, LowestPriorityOfAGroupTakesTheMessage) {
    Time at = 10 * kMicrosecond;
    const std::uint32_t priorities[] = {0, 9, 4, 4};
    for (ProcessorId p = 0; p < 4; ++p) {
        write(p, kPriority, priorities[p], at);
        write(p, kGroups, p == 0 ? 0 : 1u << 5, at);  // 0 has the lowest, but is not in the group
    }
    at = deliver(0, kGroup + 5, 1, 0, at);
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(std::get<1>(seen[0]), 2u) << "of equals the lowest number";
    write(1, kPriority, 3, at);
    at = deliver(0, kGroup + 5, 1, 0, at);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(std::get<1>(seen[1]), 1u);
    EXPECT_EQ(read(0, kCommand, at), 0u);
    at = deliver(0, kGroup + 4, 1, 0, at);
    EXPECT_EQ(seen.size(), 2u);
    EXPECT_EQ(read(0, kCommand, at), kRejected) << "a group without members";
}

TEST_F(SlicBench, MessageToAllReachesTheSenderToo) {
    const Time at = deliver(2, kAll, 6, 0x11, 10 * kMicrosecond);
    ASSERT_EQ(seen.size(), 4u);
    for (ProcessorId p = 0; p < 4; ++p) {
        EXPECT_EQ(seen[p], (Seen{10 * kMicrosecond + kCycle + kOneMessage, p, 1}));
        EXPECT_EQ(slic.acknowledge(p, at), 0x40 + 6);
    }
}

// The only destination of processors whose numbers are those of groups.
TEST_F(SlicBench, ProcessorIsReachedByItsNumberWithABitInFront) {
    const Time at = deliver(0, kProcessor + 2, 3, 7, 10 * kMicrosecond);
    EXPECT_EQ(slic.acknowledge(2, at), 0x43);
    EXPECT_EQ(read(2, kMessage, at), 7u);
    EXPECT_EQ(read(0, kDestination, at), kProcessor + 2);
    const Time later = deliver(0, kProcessor + 4, 3, 7, at);
    EXPECT_EQ(read(0, kCommand, later), kRejected);
}

TEST_F(SlicBench, NmiIgnoresTheMask) {
    write(3, kMask, 0, 5 * kMicrosecond);
    run(10 * kMicrosecond);
    send(0, 3, 0, 0, 10 * kMicrosecond, kSendNmi);
    run(20 * kMicrosecond);
    EXPECT_EQ(seen, (std::vector<Seen>{{10 * kMicrosecond + kCycle + kOneMessage, 3, 2}}));
    EXPECT_EQ(read(3, kPending, 20 * kMicrosecond), 0u);
}

TEST_F(SlicBench, FullBinRejectsMessages) {
    Time at = 10 * kMicrosecond;
    for (std::uint32_t n = 0; n < kBinDepth; ++n) {
        at = deliver(0, 1, 2, n & 0xff, at);
        EXPECT_EQ(read(0, kCommand, at), 0u) << n;
    }
    at = deliver(0, 1, 2, 0, at);
    EXPECT_EQ(read(0, kCommand, at), kRejected);
    at = deliver(0, 1, 3, 0, at);  // another bin is free; the new command clears kRejected
    EXPECT_EQ(read(0, kCommand, at), 0u);
    EXPECT_EQ(slic.acknowledge(1, at), 0x40 + 3);
    EXPECT_EQ(slic.acknowledge(1, at), 0x40 + 2);
    EXPECT_EQ(read(1, kMessage, at), 0u);
    at = deliver(0, 1, 2, 0, at);  // one place is free again
    EXPECT_EQ(read(0, kCommand, at), 0u);
}

TEST_F(SlicBench, MessageToNoProcessorIsRejected) {
    const Time at = deliver(0, 4, 1, 0, 10 * kMicrosecond);
    EXPECT_EQ(read(0, kCommand, at), kRejected);
    EXPECT_TRUE(seen.empty());
}

TEST_F(SlicBench, MaskTakesEffectHalfAMicrosecondLater) {
    Time at = 10 * kMicrosecond;
    write(0, kMask, 0, at);
    at = deliver(1, 0, 2, 0, at + kMicrosecond);
    EXPECT_TRUE(seen.empty());
    write(0, kMask, 1u << 2, at);
    EXPECT_EQ(read(0, kMask, at), 1u << 2);
    run(at + 500'000);
    EXPECT_TRUE(seen.empty());
    run(at + 500'001);
    EXPECT_EQ(seen, (std::vector<Seen>{{at + 500'000, 0, 1}}));
    write(0, kMask, 0, at + kMicrosecond);
    run(at + kMicrosecond + 500'001);
    EXPECT_EQ(seen.back(), (Seen{at + kMicrosecond + 500'000, 0, 0}));
    EXPECT_EQ(read(0, kPending, at + 2 * kMicrosecond), 1u << 2);
}

TEST_F(SlicBench, HighestBinIsAcknowledgedFirstAndEachBinInOrder) {
    Time at = 10 * kMicrosecond;
    for (const auto& [bin, message] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
             {2, 1}, {5, 2}, {0, 0x40}, {2, 3}, {0, 0x81}, {7, 4}})
        at = deliver(1, 0, bin, message, at);
    EXPECT_EQ(read(0, kPending, at), 1u << 7 | 1u << 5 | 1u << 2 | 1u);
    std::vector<std::pair<unsigned, std::uint32_t>> taken;
    for (int n = 0; n < 5; ++n) {
        const unsigned vector = slic.acknowledge(0, at);
        taken.emplace_back(vector - 0x40, vector == 0x40 ? 0 : read(0, kMessage, at));
    }
    EXPECT_EQ(taken, (std::vector<std::pair<unsigned, std::uint32_t>>{
                         {7, 4}, {5, 2}, {2, 1}, {2, 3}, {0, 0}}));
    EXPECT_EQ(read(0, kSoftware, at), 0xc1u) << "bits of bin 0 are gathered";
    EXPECT_EQ(read(0, kSoftware, at), 0u) << "and cleared by reading";
    EXPECT_EQ(seen.size(), 2u) << "the line goes up with the first and down with the last";
}

TEST_F(SlicBench, BitsOfBin0AfterTheAcknowledgementInterruptAgain) {
    Time at = deliver(1, 0, 0, 1, 10 * kMicrosecond);
    slic.acknowledge(0, at);
    at = deliver(1, 0, 0, 2, at);
    EXPECT_EQ(read(0, kSoftware, at), 1u);
    EXPECT_EQ(slic.acknowledge(0, at), 0x40);
    EXPECT_EQ(read(0, kSoftware, at), 2u);
}

TEST_F(SlicBench, VectorBaseIsAMultipleOf8) {
    write(0, kVectorBase, 0xa7, kMicrosecond);
    const Time at = deliver(1, 0, 4, 0, 10 * kMicrosecond);
    EXPECT_EQ(slic.acknowledge(0, at), 0xa0 + 4);
}

// A reload value of n gives a period of n + 1 counts: 99 gives 100 Hz with counts of 100 us.
TEST_F(SlicBench, TimerInterruptsEachPeriodWithoutDrift) {
    for (const auto& [reload, control, period] : std::vector<std::tuple<int, int, Time>>{
             {99, 1, 10 * kMillisecond}, {0, 1, 100 * kMicrosecond}, {24, 3, 5 * kMicrosecond}}) {
        DeviceSignals its_signals;
        its_signals.connect(*this);
        Slic one({}, {1, kCycle, &its_signals});
        seen.clear();
        one.write({0, kBase + kMask, 4, 0}, 1u << kClockBin);
        one.write({0, kBase + kTimerReload, 4, 0}, static_cast<std::uint32_t>(reload));
        const Time start = 1'234'567;
        its_signals.advance(500'000);
        one.write({0, kBase + kTimerControl, 4, start}, static_cast<std::uint32_t>(control));
        for (int n = 1; n <= 5; ++n) {
            ASSERT_EQ(its_signals.next_event(), start + n * period);
            its_signals.advance(its_signals.next_event());
            ASSERT_EQ(seen.size(), static_cast<std::size_t>(2 * n - 1));
            EXPECT_EQ(seen.back(), (Seen{start + n * period, 0, 1}));
            EXPECT_EQ(one.acknowledge(0, start + n * period + 700), 0x40 + kClockBin);
        }
        one.write({0, kBase + kTimerControl, 4, start + 5 * period + 1000}, 0);
        its_signals.advance(start + 20 * period);
        EXPECT_EQ(its_signals.next_event(), kNever);
        EXPECT_EQ(seen.size(), 10u) << "stopped";
    }
}

TEST_F(SlicBench, UnacknowledgedTimerTicksMergeIntoOne) {
    write(0, kTimerReload, 0, kMicrosecond);
    write(0, kTimerControl, 1, kMicrosecond);
    run(kMillisecond);
    EXPECT_EQ(slic.acknowledge(0, kMillisecond), 0x40 + kClockBin);
    EXPECT_EQ(read(0, kPending, kMillisecond), 0u);
}

TEST_F(SlicBench, TimerCountsDownAndRestartsWhenWritten) {
    write(0, kTimerReload, 9, kMicrosecond);
    write(0, kTimerControl, 1, kMicrosecond);
    const Time start = kMicrosecond, count = 100 * kMicrosecond;
    EXPECT_EQ(read(0, kTimerCount, start), 9u);
    EXPECT_EQ(read(0, kTimerCount, start + count - 1), 9u);
    EXPECT_EQ(read(0, kTimerCount, start + count), 8u);
    EXPECT_EQ(read(0, kTimerCount, start + 9 * count), 0u);
    write(0, kTimerControl, 1, start + 5 * count);
    run(start + 15 * count);
    EXPECT_TRUE(seen.empty()) << "the edge of the first start is void";
    run(start + 15 * count + 1);
    EXPECT_EQ(seen, (std::vector<Seen>{{start + 15 * count, 0, 1}}));
}

TEST_F(SlicBench, BytesOfRegistersCanBeRead) {
    write(0, kMask, 0xa5, kMicrosecond);
    EXPECT_EQ(slic.read({0, kBase + kMask, 1, kMicrosecond}).value, 0xa5u);
    EXPECT_EQ(slic.read({0, kBase + kMask + 1, 1, kMicrosecond}).value, 0u);
    EXPECT_TRUE(slic.read({0, kBase, 1, kMicrosecond}).answered);
    EXPECT_TRUE(slic.read({0, kBase + kSize - 1, 1, kMicrosecond}).answered);
    EXPECT_TRUE(slic.range().contains(kBase));
    EXPECT_TRUE(slic.range().contains(kBase + kSize - 1));
    EXPECT_FALSE(slic.range().contains(kBase + kSize));
    EXPECT_FALSE(slic.range().contains(kBase - 1));
}

TEST_F(SlicBench, RegistersAreWrittenWhole) {
    for (Address offset = 0; offset < kSize; ++offset)
        for (const unsigned size : {1u, 2u, 3u, 4u})
            EXPECT_EQ(slic.write({0, kBase + offset, size, kMicrosecond}, 0).answered,
                      size == 4 && offset % 4 == 0)
                << offset << " " << size;
}

TEST_F(SlicBench, OnlyAReadOfTheSoftwareBitsClearsThem) {
    const Time at = deliver(0, 1, 0, 0x5a, 10 * kMicrosecond);
    slic.acknowledge(1, at);
    EXPECT_EQ(slic.read({1, kBase + kSoftware + 1, 1, at}).value, 0u);
    EXPECT_EQ(slic.read({1, kBase + kSoftware, 1, at}).value, 0x5au);
    EXPECT_EQ(slic.read({1, kBase + kSoftware, 4, at}).value, 0u);
}

TEST_F(SlicBench, ObserverGetsMessagesAtArrivalAndInterruptsAtAcknowledgement) {
    const Time sent = 10 * kMicrosecond + 30'000;
    const Time start = 10 * kMicrosecond + kCycle;
    const Time arrived = start + kOneMessage;
    send(1, kAll, 3, 0x55, sent);
    run(arrived);
    EXPECT_TRUE(told.messages.empty());
    run(arrived + 1);
    ASSERT_EQ(told.messages.size(), 1u);
    const InterruptMessage& message = told.messages[0];
    EXPECT_EQ(message.number, 1u);
    EXPECT_EQ(message.sender, 1u);
    EXPECT_EQ(message.sent, sent);
    EXPECT_EQ(message.start, start);
    EXPECT_EQ(message.arrived, arrived);
    EXPECT_EQ(message.bin, 3);
    EXPECT_FALSE(message.nmi);
    EXPECT_EQ(message.receivers, ProcessorSet::first(4));
    EXPECT_TRUE(told.interrupts.empty());
    const Time later = arrived + kMicrosecond;
    slic.acknowledge(2, later);
    EXPECT_EQ(told.interrupts, (decltype(told.interrupts){{2, later, 0x43, 1}}));
}

TEST_F(SlicBench, ObserverGetsNmisAndMessagesWithoutReceiver) {
    Time at = deliver(0, 2, 0, 0, 10 * kMicrosecond, kSendNmi);
    slic.nmi_taken(2, at);
    at = deliver(3, kGroup + 1, 3, 0, at + kMicrosecond);  // a group without members
    ASSERT_EQ(told.messages.size(), 2u);
    EXPECT_TRUE(told.messages[0].nmi);
    EXPECT_EQ(told.messages[0].receivers, ProcessorSet::only(2));
    EXPECT_FALSE(told.messages[1].nmi);
    EXPECT_EQ(told.messages[1].number, 2u);
    EXPECT_EQ(told.messages[1].sender, 3u);
    EXPECT_EQ(told.messages[1].receivers, ProcessorSet());
    EXPECT_EQ(told.interrupts.size(), 1u);
    EXPECT_EQ(std::get<2>(told.interrupts.at(0)), 2);
    EXPECT_EQ(std::get<3>(told.interrupts.at(0)), 1u);
}

// A message that a full bin rejects has no receiver. Bits of bin 0 are gathered, and the last
// message announces their interrupt. An interrupt of the timer has no message.
TEST_F(SlicBench, ObserverGetsTheMessageThatAnnouncedAnInterrupt) {
    Time at = 10 * kMicrosecond;
    for (unsigned n = 0; n <= kBinDepth; ++n) at = deliver(0, 1, 2, n, at);
    EXPECT_EQ(told.messages[kBinDepth - 1].receivers, ProcessorSet::only(1));
    EXPECT_EQ(told.messages[kBinDepth].receivers, ProcessorSet());
    slic.acknowledge(1, at);
    slic.acknowledge(1, at);
    EXPECT_EQ(std::get<3>(told.interrupts.at(0)), 1u);
    EXPECT_EQ(std::get<3>(told.interrupts.at(1)), 2u);
    const auto first = static_cast<std::uint32_t>(told.messages.size() + 1);
    at = deliver(0, 3, 0, 1, at);
    at = deliver(0, 3, 0, 2, at);
    slic.acknowledge(3, at);
    EXPECT_EQ(told.interrupts.back(), (std::tuple{ProcessorId{3}, at, 0x40, first + 1}));
    write(2, kTimerReload, 0, at);
    write(2, kTimerControl, 3, at);
    run(at + kMicrosecond);
    slic.acknowledge(2, at + kMicrosecond);
    EXPECT_EQ(told.interrupts.back(),
              (std::tuple{ProcessorId{2}, at + kMicrosecond, 0x47, std::uint32_t{0}}));
}

}  // namespace
}  // namespace symsim::test
