// SPDX-License-Identifier: MIT
// The fast path: executes the most frequent instructions without the execute loop.
//
// A fast-path instruction makes at most one load and changes registers and flags after it. Some
// also make one store. If the load hits, nothing can interrupt the instruction, so its progress
// (UnderWay, the access log) need not be recorded. Each instruction ends by calling
// the function of the next one (Op::fast). Compilers make this tail call a jump, so no loop is
// needed. The processor's time is an argument, which stays in a register of the host.
//
// Each instruction is written once, as a template on the class of processor. FastPath is a class of
// processor that handles only the simple case. In any other case its functions return false before
// anything has changed. Processor then executes the instruction on the slow path. The functions
// below inline everything they call (flatten), so that no registers of the host need saving.
#pragma once

#include "sim/cpu/core/processor.h"
#include "sim/cpu/isa/handlers.h"

namespace symsim {

class FastPath {
  public:
    static constexpr bool k32BitAddressesOnly = true;

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
        if (!cpu_.finds(segment, offset, Size, false, place_) || is_split(place_, Size))
            return false;
        if (cpu_.cache().load_hits(place_, Size, time_, value)) {
            time_ += cpu_.cache().hit_wait();
            return true;
        }
        missing_ = Size;
        return false;
    }
    // Ends the run at an instruction that could not be executed. If its load did not hit, wait()
    // handles the load.
    void leave(const Op& op, Time begun) const {
        if (missing_ == 0) return cpu_.leave(op, begun);
        cpu_.wait(op, place_, missing_, begun);
    }

  protected:
    Processor& cpu_;
    Time& time_;

  private:
    Address place_ = 0;
    unsigned missing_ = 0;  // bytes
};

// Executes an instruction and then the next one. `Enters`: a cache line
// begins in the instruction.
template <class Instruction, bool Enters>
[[gnu::flatten]] void execute_fast(Processor& cpu, const Op& op, Time time) {
    FastPath fast(cpu, time);
    if (!cpu.continues(time) || (Enters && !cpu.enters(op, time)) ||
        !Instruction::execute(fast, op))
        return fast.leave(op, time);
    cpu.core().complete();
    time += cpu.clock().cycles(op.clocks);
    op.next->fast(cpu, *op.next, time);
}

// A direct jump. `Jump` says whether it is taken, and how many clocks beyond Op::clocks it then
// needs.
template <class Jump, bool Enters>
[[gnu::flatten]] void execute_fast_jump(Processor& cpu, const Op& op, Time time) {
    if (!cpu.continues(time) || (Enters && !cpu.enters(op, time))) return cpu.leave(op, time);
    if (Jump::taken(cpu.flags())) return cpu.jump(op, time, Jump::kTakenClocks);
    cpu.core().complete();
    time += cpu.clock().cycles(op.clocks);
    op.next->fast(cpu, *op.next, time);
}

// An indirect branch: its target is in a register or in memory. Branch::take() makes the other
// changes of registers, such as ret's of the stack pointer.
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
    if (!cpu.continues(time) || (Enters && !cpu.enters(op, time)) ||
        !Branch::find_target(fast, op, address))
        return fast.leave(op, time);
    const Op* const target = cpu.target_at(address);
    if (!target) return cpu.leave(op, time);  // the slow path loads the target again
    Branch::take(fast, op);
    cpu.branch_to(op, *target, after_load);
}

// The Routine of an instruction. `Instruction::execute` is a template on the class of processor.
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

// Fast-path instructions that store. The store is made in a line that the processor's own cache
// owns, or goes over the bus if the write buffer can take it at once.
//
// FastPathStore checks that the store can be made before anything changes. The store itself comes
// last, in the place of the call of the next instruction. It is too long to be inlined, and a call
// in last place is only a jump.
class FastPathStore : public FastPath {
  public:
    using FastPath::FastPath;
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
    Processor::Place place_;
    unsigned size_ = 0;
    std::uint32_t value_ = 0;
};

template <class Instruction, bool Enters>
[[gnu::flatten]] void execute_fast_store(Processor& cpu, const Op& op, Time time) {
    Time after_load = time;
    FastPathStore fast(cpu, after_load);
    if (!cpu.continues(time) || (Enters && !cpu.enters(op, time)) ||
        !Instruction::execute(fast, op))
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
