// SPDX-License-Identifier: MIT
// Stacks of calls: what has returned, what was left without a return, and whose stack it is.
#include "sim/observe/call_stacks.h"

#include <gtest/gtest.h>

namespace symsim {
namespace {

using Backs = std::vector<Address>;

class CallStacksTest : public ::testing::Test {
  protected:
    void probe(ProcessorId processor, ProbeKind kind, std::uint32_t number) {
        add(processor, {now_, Mark::What::probe, Activity::kernel, kind, number, 0});
    }
    void call(ProcessorId processor, Address slot, Address back) {
        add(processor, {now_, Mark::What::call, Activity::user, {}, slot, back});
    }
    void end_call(ProcessorId processor, Address esp) {
        add(processor, {now_, Mark::What::call_end, Activity::user, {}, esp, 0});
    }
    Backs calls(ProcessorId processor, Address esp) {
        stacks_.settle(now_);
        return stacks_.calls(processor, esp);
    }
    void start(ProcessorId processor, std::uint32_t thread) {
        probe(processor, ProbeKind::process_create, thread);
        probe(processor, ProbeKind::process_run, thread);
    }

  private:
    void add(ProcessorId processor, const Mark& mark) {
        stacks_.passed(processor, mark);
        ++now_;
    }
    CallStacks stacks_{2};
    Time now_ = 1;
};

TEST_F(CallStacksTest, ACallIsThereUntilItReturns) {
    start(0, 100);
    call(0, 0x9000, 1);
    call(0, 0x8f00, 2);
    EXPECT_EQ(calls(0, 0x8e00), (Backs{2, 1}));
    end_call(0, 0x8f04);
    EXPECT_EQ(calls(0, 0x8f10), (Backs{1}));
    end_call(0, 0x9004);
    EXPECT_EQ(calls(0, 0x9010), Backs{});
}

// longjmp: at once by esp, and for good by the next call.
TEST_F(CallStacksTest, CallsThatWereLeftAreGone) {
    start(0, 100);
    call(0, 0x9000, 1);
    call(0, 0x8f00, 2);
    call(0, 0x8e00, 3);
    EXPECT_EQ(calls(0, 0x8ff0), (Backs{1}));
    call(0, 0x8f80, 4);
    EXPECT_EQ(calls(0, 0x8f80), (Backs{4, 1}));
}

TEST_F(CallStacksTest, AThreadTakesItsStackToAnotherProcessor) {
    start(0, 100);
    call(0, 0x9000, 1);
    probe(0, ProbeKind::process_preempt, 100);
    start(0, 101);
    call(0, 0x9000, 7);
    probe(1, ProbeKind::process_run, 100);
    EXPECT_EQ(calls(1, 0x8000), (Backs{1}));
    EXPECT_EQ(calls(0, 0x8000), (Backs{7}));
}

TEST_F(CallStacksTest, AForkedThreadContinuesOnACopy) {
    start(0, 100);
    call(0, 0x9000, 1);
    probe(0, ProbeKind::process_create, 101);
    end_call(0, 0x9004);
    probe(1, ProbeKind::process_run, 101);
    EXPECT_EQ(calls(1, 0x8000), (Backs{1}));
    EXPECT_EQ(calls(0, 0x9010), Backs{});
}

TEST_F(CallStacksTest, ASignalsOwnStackAndTheKernelsAreOthers) {
    start(0, 100);
    call(0, 0x9000, 1);
    call(0, 0x8000'0000, 2);  // far above: another stack
    call(0, 0xc000'8f80, 3);
    call(0, 0xc000'7f80, 4);  // the page below: another thread's
    EXPECT_EQ(calls(0, 0xc000'8f00), (Backs{3}));
    EXPECT_EQ(calls(0, 0xc000'7f00), (Backs{4}));
    EXPECT_EQ(calls(0, 0x7fff'ff00), (Backs{2}));
    EXPECT_EQ(calls(0, 0x8f00), (Backs{1}));
}

}  // namespace
}  // namespace symsim
