// SPDX-License-Identifier: MIT
#include "sim/observe/trace_feed.h"

#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "tests/observe/support.h"

namespace symsim {
namespace {

using testing::change;
using testing::kUs;
using testing::probe;
using testing::use;

// A trace that remembers all events it gets, and the bus uses within the window.
struct Taken final : ChunkSink {
    void begin(const Window& asked) override {
        EXPECT_FALSE(begun) << "a window is begun once";
        begun = true;
        window = asked;
    }
    void take(const TraceChunk& chunk) override {
        EXPECT_EQ(chunk.from, reached);
        reached = chunk.to;
        for (const BusUse& one : chunk.uses)
            if (window.contains(one.start)) uses.push_back(one.start / kUs);
        for (const auto& own : chunk.processors)
            for (const TraceEvent& event : own) events.push_back(event);
    }
    bool failed() const override { return false; }
    bool begun = false;
    Window window{kNever, kNever};
    Time reached = 0;
    std::vector<Time> uses;
    std::vector<TraceEvent> events;
};

WindowConfig around(ProbeKind kind, Time span, std::optional<std::uint32_t> value = {}) {
    WindowConfig config;
    config.around = WindowAround{kind, value, span};
    return config;
}
WindowConfig last(Time span) {
    WindowConfig config;
    config.last = span;
    return config;
}

// Reports a bus use each microsecond, calls reached() each ten, and reports the marks at their
// times.
void play(TraceFeed& feed, Time end, const std::vector<Mark>& marks = {}) {
    std::size_t told = 0;
    for (Time us = 0; us * kUs < end; ++us) {
        if (us > 0 && us % 10 == 0) feed.reached(us * kUs);
        feed.used(use(us * kUs, us * kUs, 500'000));
        for (; told < marks.size() && marks[told].time <= us * kUs; ++told)
            feed.passed(1, {marks[told]});
    }
    feed.close(end);
}

std::vector<Time> range(Time from, Time to) {
    std::vector<Time> all;
    for (; from < to; ++from) all.push_back(from);
    return all;
}

TEST(TraceFeed, FixedWindowIsKnownAtOnce) {
    WindowConfig config;
    config.fixed = {20 * kUs, 23 * kUs};
    TraceFeed feed(2, config);
    Taken taken;
    feed.add(taken);
    EXPECT_TRUE(taken.begun);
    play(feed, 40 * kUs);
    EXPECT_EQ(taken.uses, range(20, 23));
    EXPECT_EQ(taken.reached, 40 * kUs + 1);
}

TEST(TraceFeed, EventsOfAProcessorAreInOrderWithMarksBeforeStates) {
    TraceFeed feed(2, {});
    Taken taken;
    feed.add(taken);
    feed.entered(0, ProcessorState::waiting, 5 * kUs);
    feed.passed(0, {change(3 * kUs, Activity::spin), change(5 * kUs, Activity::user)});
    feed.entered(0, ProcessorState::served, 5 * kUs);
    // Reported early: this state belongs to the next chunk.
    feed.entered(0, ProcessorState::executing, 12 * kUs);
    feed.reached(10 * kUs);
    feed.wait();
    ASSERT_EQ(taken.events.size(), 4u);
    const auto codes = [&](std::size_t i) {
        return std::pair(taken.events[i].what, taken.events[i].code);
    };
    using What = TraceEvent::What;
    EXPECT_EQ(codes(0), std::pair(What::activity, std::uint8_t(index(Activity::spin))));
    EXPECT_EQ(codes(1), std::pair(What::activity, std::uint8_t(index(Activity::user))));
    EXPECT_EQ(codes(2), std::pair(What::state, std::uint8_t(index(ProcessorState::waiting))));
    EXPECT_EQ(codes(3), std::pair(What::state, std::uint8_t(index(ProcessorState::served))));
    feed.close(12 * kUs);
    EXPECT_EQ(taken.events.size(), 5u);
}

TEST(TraceFeed, WindowAroundAnEventReachesBackAndForward) {
    TraceFeed feed(2, around(ProbeKind::lock_acquired, 12 * kUs, 7));
    Taken taken;
    feed.add(taken);
    EXPECT_FALSE(taken.begun);
    play(feed, 100 * kUs,
         {probe(20 * kUs, ProbeKind::lock_acquired, 8), probe(30 * kUs, ProbeKind::lock_release, 7),
          probe(45 * kUs, ProbeKind::lock_acquired, 7),
          probe(80 * kUs, ProbeKind::lock_acquired, 7)});
    EXPECT_EQ(taken.uses, range(33, 57));
    EXPECT_EQ(feed.window().from, 33 * kUs);
    EXPECT_EQ(taken.events.size(), 4u) << "what came before is reported too";
}

TEST(TraceFeed, WithoutAValueTheEarliestEventCounts) {
    TraceFeed feed(2, around(ProbeKind::message, 1 * kUs));
    Taken taken;
    feed.add(taken);
    // Processor 0 comes first in the chunk, but its event is later.
    feed.passed(0, {probe(8 * kUs, ProbeKind::message, 1)});
    feed.passed(1, {probe(6 * kUs, ProbeKind::message, 2)});
    play(feed, 20 * kUs);
    EXPECT_EQ(taken.uses, range(5, 7));
}

TEST(TraceFeed, WindowCannotBeginBeforeTheRun) {
    TraceFeed feed(2, around(ProbeKind::message, 50 * kUs));
    Taken taken;
    feed.add(taken);
    play(feed, 100 * kUs, {probe(5 * kUs, ProbeKind::message, 0)});
    EXPECT_EQ(taken.uses, range(0, 55));
    EXPECT_EQ(feed.window().from, 0);
}

TEST(TraceFeed, WindowIsEmptyIfItsEventNeverComes) {
    TraceFeed feed(2, around(ProbeKind::message, 50 * kUs));
    Taken taken;
    feed.add(taken);
    play(feed, 100 * kUs, {probe(5 * kUs, ProbeKind::region_begin, 0)});
    EXPECT_TRUE(taken.begun);
    EXPECT_TRUE(taken.uses.empty());
    EXPECT_EQ(feed.window().from, 100 * kUs);
}

TEST(TraceFeed, LastWindowEndsWithTheRun) {
    TraceFeed feed(2, last(25 * kUs));
    Taken taken;
    feed.add(taken);
    play(feed, 97 * kUs);
    EXPECT_EQ(taken.uses, range(72, 97));
    EXPECT_EQ(feed.window().from, 72 * kUs);
}

TEST(TraceFeed, RunShorterThanTheLastWindowIsShownWhole) {
    TraceFeed feed(2, last(25 * kUs));
    Taken taken;
    feed.add(taken);
    play(feed, 7 * kUs);
    EXPECT_EQ(taken.uses, range(0, 7));
    EXPECT_EQ(feed.window().from, 0);
}

TEST(TraceFeed, KeptEventsAreLimited) {
    TraceFeed feed(2, last(90 * kUs), 25);
    Taken taken;
    feed.add(taken);
    play(feed, 97 * kUs);
    EXPECT_EQ(taken.uses, range(80, 97));
    EXPECT_EQ(feed.window().from, 80 * kUs);
}

TEST(TraceFeedDeathTest, LateEventAborts) {
    TraceFeed feed(2, {});
    feed.reached(10 * kUs);
    feed.entered(1, ProcessorState::waiting, 9 * kUs);
    EXPECT_DEATH(feed.close(20 * kUs), "an event at 9000000 ps, told when all before 10000000 ps");
}

TEST(TraceFeedDeathTest, LateBusUseAborts) {
    TraceFeed feed(2, {});
    feed.reached(10 * kUs);
    feed.used(use(0, 9 * kUs, kUs));
    EXPECT_DEATH(feed.close(20 * kUs), "an event at 9000000 ps, told when all before 10000000 ps");
}

}  // namespace
}  // namespace symsim
