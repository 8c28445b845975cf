// SPDX-License-Identifier: MIT
// FastPath instructions: those of which a program has most. They change registers and flags, behind
// one load at most; some store as well (fast_store.h). Where the load hits, nothing can come
// between their beginning and their end, so nothing needs to be remembered of them, and one follows
// the other without a loop between them: the last thing each does is to jump to the next (compilers
// make that of a call in last place). The processor's time goes along in a register of the host.
//
// Each is written once, for several kinds of processor. FastPath is one that knows only the simple
// case; where there is more to do, it gives up before anything has changed, and the instruction is
// executed as any other, by Processor itself. No function is called on the way: all is inlined
// (flatten), so that there are no registers of the host to save.
#pragma once

#include "sim/cpu/core/processor.h"
#include "sim/cpu/isa/handlers.h"

namespace symsim {

class FastPath {
  public:
    static constexpr bool kWideAddresses = true;

    FastPath(Processor& cpu, Time& time) : cpu_(cpu), time_(time) {}
    Registers& regs() { return cpu_.regs(); }
    const Registers& regs() const { return cpu_.regs(); }
    Flags& flags() { return cpu_.flags(); }
    const System& system() const { return cpu_.system(); }
    template <unsigned Size>
    bool read(const Op& op, Offset offset, std::uint32_t& value) {
        return read_at<Size>(op, op.segment, offset, value);
    }
    template <unsigned Size>
    bool read_at(const Op&, Seg segment, Offset offset, std::uint32_t& value) {
        if (!FastPathRun::locates<Size>(cpu_, segment, offset, place_)) return false;
        if (FastPathRun::load<Size>(cpu_, place_, value, time_)) return true;
        missing_ = Size;
        return false;
    }
    // An instruction that could not be executed: its load did not hit, or for another reason.
    void leave(const Op& op, Time begun) const {
        if (missing_ == 0) return FastPathRun::leave(cpu_, op, begun);
        FastPathRun::wait(cpu_, op, place_, missing_, begun);
    }

  private:
    Processor& cpu_;
    Time& time_;
    Address place_ = 0;
    unsigned missing_ = 0;  // bytes
};

// `Enters`: its first or its last byte is in another line than what was before.
template <class Instruction, bool Enters>
[[gnu::flatten]] void execute_fast(Processor& cpu, const Op& op, Time time) {
    FastPath fast(cpu, time);
    if (!FastPathRun::goes_on(cpu, time) || (Enters && !FastPathRun::enters(cpu, op, time)) ||
        !Instruction::execute(fast, op))
        return fast.leave(op, time);
    FastPathRun::complete(cpu);
    time += cpu.clock().cycles(op.clocks);
    op.next->fast(cpu, *op.next, time);
}

// A jump within the page, which says whether and in how many clocks beside its own.
template <class Jump, bool Enters>
[[gnu::flatten]] void execute_fast_jump(Processor& cpu, const Op& op, Time time) {
    if (!FastPathRun::goes_on(cpu, time) || (Enters && !FastPathRun::enters(cpu, op, time)))
        return FastPathRun::leave(cpu, op, time);
    if (Jump::taken(cpu.flags())) return FastPathRun::jump(cpu, op, time, Jump::kTakenClocks);
    FastPathRun::complete(cpu);
    time += cpu.clock().cycles(op.clocks);
    op.next->fast(cpu, *op.next, time);
}

// A branch that finds its target in a register or in memory, and then takes something with it.
template <class Branch>
bool execute_branch(Processor& cpu, const Op& op) {
    std::uint32_t target;
    if (!Branch::find_target(cpu, op, target) || !cpu.branch(target)) return false;
    Branch::take(cpu, op);
    return true;
}
template <class Branch, bool Enters>
[[gnu::flatten]] void execute_fast_branch(Processor& cpu, const Op& op, Time time) {
    Time after_load = time;
    FastPath fast(cpu, after_load);
    std::uint32_t address;
    if (!FastPathRun::goes_on(cpu, time) || (Enters && !FastPathRun::enters(cpu, op, time)) ||
        !Branch::find_target(fast, op, address))
        return fast.leave(op, time);
    const Op* const target = FastPathRun::target_at(cpu, address);
    if (!target) return FastPathRun::leave(cpu, op, time);  // it loads again
    Branch::take(fast, op);
    FastPathRun::branch(cpu, op, *target, after_load);
}

// An instruction written for all kinds of processor: a class whose `execute` takes any.
template <class Instruction>
constexpr Routine fast() {
    return {Instruction::template execute<Processor>, execute_fast<Instruction, false>,
            execute_fast<Instruction, true>};
}
template <class Jump>
constexpr Routine fast_jump() {
    return {Jump::execute, execute_fast_jump<Jump, false>, execute_fast_jump<Jump, true>};
}
template <class Branch>
constexpr Routine fast_branch() {
    return {execute_branch<Branch>, execute_fast_branch<Branch, false>,
            execute_fast_branch<Branch, true>};
}
}  // namespace symsim
