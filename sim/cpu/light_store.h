// SPDX-License-Identifier: MIT
// Light instructions that store (light.h): to memory, over the bus, if nothing keeps the store from
// being handed over at once, or in a line of the own cache's. Whether that is so is asked before
// anything changes; the store itself comes last, where the next instruction would begin, since it
// is too long to be inlined and what comes last is a jump.
#pragma once

#include "sim/cpu/light.h"

namespace symsim {

class LightStore : public Light {
  public:
    LightStore(Processor& cpu, Time& time) : Light(cpu, time), cpu_(cpu), time_(time) {}
    template <unsigned Size>
    bool read_for_write(const Op& op, Address offset, std::uint32_t& value) {
        return LightRun::may_write(cpu_, op.segment, offset, Size) && read<Size>(op, offset, value);
    }
    template <unsigned Size>
    bool write(const Op& op, Address offset, std::uint32_t value) {
        return write_at<Size>(op, op.segment, offset, value);
    }
    template <unsigned Size>
    bool write_at(const Op& op, Seg segment, Address offset, std::uint32_t value) {
        if (!LightRun::stores<Size>(cpu_, op, segment, offset, place_, time_)) return false;
        size_ = Size;
        value_ = value;
        return true;
    }
    // What has been told.
    void store(const Op& op) const { LightRun::store(cpu_, op, place_, size_, value_, time_); }

  private:
    Processor& cpu_;
    Time& time_;
    LightRun::Place place_;
    unsigned size_ = 0;
    std::uint32_t value_ = 0;
};

template <class Instruction, bool Enters>
[[gnu::flatten]] void execute_light_store(Processor& cpu, const Op& op, Time time) {
    Time behind_load = time;
    LightStore light(cpu, behind_load);
    if (!LightRun::goes_on(cpu, time) || (Enters && !LightRun::enters(cpu, op, time)) ||
        !Instruction::execute(light, op))
        return light.leave(op, time);
    light.store(op);
}

// An instruction that stores, written for all kinds of processor.
template <class Instruction>
constexpr Routine light_store() {
    return {Instruction::template execute<Processor>, execute_light_store<Instruction, false>,
            execute_light_store<Instruction, true>};
}

}  // namespace symsim
