// SPDX-License-Identifier: MIT
// Light instructions: those of which a program has most. They change registers and flags only,
// behind one load at most. Where that hits, nothing can come between its beginning and its end, so
// nothing needs to be remembered of it, and one follows the other without a loop between them: the
// last thing each does is to jump to the next (compilers make that of a call in last place).
//
// Each is written once, for two kinds of processor. Light is the one that knows only the simple
// case; where there is more to do, it gives up before anything has changed, and the instruction is
// executed as any other, by Processor itself.
#pragma once

#include "sim/cpu/handlers.h"
#include "sim/cpu/processor.h"

namespace symsim {

class Light {
  public:
    explicit Light(Processor& cpu) : cpu_(cpu) {}
    Registers& regs() { return cpu_.regs(); }
    Flags& flags() { return cpu_.flags(); }
    const System& system() const { return cpu_.system(); }
    template <unsigned Size>
    bool read(const Op& op, Address offset, std::uint32_t& value) {
        return read_at<Size>(op, op.segment, offset, value);
    }
    template <unsigned Size>
    bool read_at(const Op&, Seg segment, Address offset, std::uint32_t& value) {
        return cpu_.read_light<Size>(segment, offset, value);
    }

  private:
    Processor& cpu_;
};

// `Enters`: its first or its last byte is in another line than what was before.
template <class Instruction, bool Enters>
void execute_light(Processor& cpu, const Op& op) {
    Light light(cpu);
    if (!cpu.begins_light(op) || (Enters && !cpu.enters_light(op)) ||
        !Instruction::execute(light, op))
        return cpu.leave_light(op);
    cpu.complete_light(op);
    op.next->light(cpu, *op.next);
}

// A jump within the page, which says whether and in how many clocks beside its own.
template <class Jump, bool Enters>
void execute_light_jump(Processor& cpu, const Op& op) {
    if (!cpu.begins_light(op) || (Enters && !cpu.enters_light(op))) return cpu.leave_light(op);
    if (Jump::taken(cpu.flags())) return cpu.jump_light(op, Jump::kTakenClocks);
    cpu.complete_light(op);
    op.next->light(cpu, *op.next);
}

// An instruction written for both kinds of processor: a class whose `execute` takes either.
template <class Instruction>
constexpr Routine light() {
    return {Instruction::template execute<Processor>, execute_light<Instruction, false>,
            execute_light<Instruction, true>};
}
template <class Jump>
constexpr Routine light_jump() {
    return {Jump::execute, execute_light_jump<Jump, false>, execute_light_jump<Jump, true>};
}
// The same where it stores.
template <class Instruction>
constexpr Routine heavy() {
    return Handler{Instruction::template execute<Processor>};
}

}  // namespace symsim
