// SPDX-License-Identifier: MIT
// The time at which the delivery of an exception begins.
#include <gtest/gtest.h>

#include "tests/cpu/clock_tables.h"
#include "tests/support/small_machine.h"

namespace symsim::test {
namespace {

// Found by random guests: delivery began before the second half of the divisor had been read, so
// the processor asked for the gate at a time that had already passed.
TEST(ExceptionTime, BeginsWhenTheLastOperandHasArrived) {
    std::vector<std::uint8_t> code(128, 0xf4);
    code[0] = 0xf7;  // div dword [ebx]
    code[1] = 0x33;
    SmallMachine machine(1, code);
    Processor& processor = machine.processor(0);
    load_tables(machine.memory, processor, SmallMachine::kCode);
    processor.context().regs[ebx] = SmallMachine::kData + 14;  // across two lines
    processor.context().regs[esp] = SmallMachine::kData + 0x1000;
    machine.step_until(100 * kMicrosecond);
    EXPECT_EQ(processor.context().eip, SmallMachine::kCode + 65) << "behind the handler's hlt";
    EXPECT_GE(machine.observer.states.size(), 10u);
    Time before = 0;
    for (const auto& [id, at, state] : machine.observer.states) {
        EXPECT_GE(at, before) << name(state);
        before = at;
    }
}

}  // namespace
}  // namespace symsim::test
