// SPDX-License-Identifier: MIT
// Fast-path instructions that store (fast_path.h). The store goes over the bus if the write buffer
// can take it at once. Or it is made in a line that the processor's own cache owns.
//
// FastPathStore checks that the store can be made before anything changes. The store itself comes
// last, in the place of the call of the next instruction. It is too long to be inlined, and a call
// in last place is only a jump.
#pragma once

#include "sim/cpu/core/fast_path.h"

namespace symsim {

class FastPathStore : public FastPath {
  public:
    FastPathStore(Processor& cpu, Time& time) : FastPath(cpu, time), cpu_(cpu), time_(time) {}
    template <unsigned Size>
    bool read_for_write(const Op& op, Offset offset, std::uint32_t& value) {
        Address place;
        return cpu_.finds(op.segment, offset, Size, true, place) && read<Size>(op, offset, value);
    }
    template <unsigned Size>
    bool write(const Op& op, Offset offset, std::uint32_t value) {
        return write_at<Size>(op, op.segment, offset, value);
    }
    template <unsigned Size>
    bool write_at(const Op& op, Seg segment, Offset offset, std::uint32_t value) {
        if (!cpu_.can_store<Size>(op, segment, offset, place_, time_)) return false;
        size_ = Size;
        value_ = value;
        return true;
    }
    // Makes the store that write_at() has accepted.
    void store(const Op& op) const { cpu_.store_at_once(op, place_, size_, value_, time_); }

  private:
    Processor& cpu_;
    Time& time_;
    Processor::Place place_;
    unsigned size_ = 0;
    std::uint32_t value_ = 0;
};

template <class Instruction, bool Enters>
[[gnu::flatten]] void execute_fast_store(Processor& cpu, const Op& op, Time time) {
    Time after_load = time;
    FastPathStore fast(cpu, after_load);
    if (!cpu.goes_on(time) || (Enters && !cpu.enters(op, time)) || !Instruction::execute(fast, op))
        return fast.leave(op, time);
    fast.store(op);
}

// The Routine of an instruction that stores. `Instruction::execute` is a template on the class of
// processor.
template <class Instruction>
constexpr Routine fast_store() {
    return {Instruction::template execute<Processor>, execute_fast_store<Instruction, false>,
            execute_fast_store<Instruction, true>};
}

}  // namespace symsim
