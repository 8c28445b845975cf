// SPDX-License-Identifier: MIT
// Tests RollbackPoints: what a rollback restores of a processor, and to which point it goes back.
#include "sim/engine/speculation/rollback_points.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

struct Window {
    Window() { points.begin_window(100); }
    // The processor executes something that takes until `time`.
    void execute(Time time, std::uint32_t value) {
        processor.context().time = time;
        processor.regs()[eax] = value;
        Mark mark;
        mark.time = time;
        processor.marks().push_back(mark);
    }

    SmallMachine machine{1, {0x90}};
    Processor& processor = machine.processor(0);
    RollbackPoints points{processor, machine.cache(0), machine.observer};
};

TEST(RollbackPoints, ARollbackRestoresTheBeginningOfTheWindow) {
    Window w;
    w.processor.fpu().top = 3;
    w.points.begin_window(200);
    w.execute(250, 1);
    w.processor.fpu().top = 4;
    w.points.save(300, 300);
    w.execute(350, 2);
    w.points.restore();
    EXPECT_EQ(w.processor.regs()[eax], 0u);
    EXPECT_EQ(std::as_const(w.processor).fpu().top, 3);
    EXPECT_TRUE(w.processor.marks().empty());
    EXPECT_EQ(w.points.start(), 200);
}

TEST(RollbackPoints, TheInstructionUnderWayKeepsItsProgress) {
    Window w;
    w.processor.context().accesses = 2;
    w.processor.context().latched = true;
    w.processor.log()[1] = 7;
    w.processor.latched().address = 0x1234;
    w.points.begin_window(200);
    w.processor.context().accesses = 0;
    w.processor.log()[1] = 8;
    w.processor.latched().address = 0;
    w.points.restore();
    EXPECT_EQ(w.processor.context().accesses, 2u);
    EXPECT_EQ(w.processor.log()[1], 7u);
    EXPECT_EQ(w.processor.latched().address, 0x1234u);
}

TEST(RollbackPoints, CommitTimeMovesTheBeginningToTheLastPointReached) {
    Window w;
    w.execute(150, 1);
    w.points.save(200, 180);
    w.execute(250, 2);
    w.points.save(300, 300);
    w.execute(350, 3);
    w.points.commit_up_to(179);
    EXPECT_EQ(w.points.start(), 100);
    w.points.commit_up_to(299);
    EXPECT_EQ(w.points.start(), 200);
    w.points.restore();
    EXPECT_EQ(w.processor.regs()[eax], 1u);
    EXPECT_EQ(w.processor.marks().size(), 1u) << "that before the point is not reported yet";
}

TEST(RollbackPoints, ObserversAreNotifiedOnlyOfWhatIsCommitted) {
    Window w;
    w.execute(150, 1);
    w.points.save(200, 200);
    w.execute(250, 2);
    EXPECT_TRUE(w.machine.observer.marks.empty());
    w.points.commit_up_to(200);
    w.points.restore();
    w.points.commit();
    ASSERT_EQ(w.machine.observer.marks.size(), 1u);
    EXPECT_EQ(w.machine.observer.marks[0].second.time, 150);
    EXPECT_TRUE(w.processor.marks().empty());
}

TEST(RollbackPointsDeathTest, APointThatCanBeRestoredIsNotOverwritten) {
    Window w;
    for (Time at = 200; at < 500; at += 100) w.points.save(at, at);
    w.points.commit_up_to(200);
    w.points.save(500, 500);
    EXPECT_DEATH(w.points.save(600, 600), "no place for a rollback point at 600 ps");
}

}  // namespace
}  // namespace symsim::test
