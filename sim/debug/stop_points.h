// SPDX-License-Identifier: MIT
// Decides where a debugged machine stops: at breakpoints, at watchpoints, and after a step.
// GdbSession sets the stop points, and asks before each instruction whether to stop.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "sim/cpu/core/processor.h"

namespace symsim {

// Why the machine has stopped, and which processor caused the stop.
struct Stop {
    enum class Why { attached, interrupt, step, breakpoint, watchpoint, failed };
    Why why = Why::attached;
    ProcessorId processor = 0;
    // For a watchpoint: the accesses it watches for, and the address it was set at.
    enum class Watch { write, read, access };
    Watch watch = Watch::write;
    Address address = 0;  // linear, as GDB gave it
};

class StopPoints {
  public:
    void insert(LinearAddress linear) { breakpoints_.insert(linear); }
    // Until the machine resumes without a step, the breakpoint still stops all processors but the
    // one that steps. GDB removes a breakpoint to step one processor over it, and assumes that the
    // other processors stand still meanwhile.
    void remove(LinearAddress linear) {
        if (breakpoints_.erase(linear)) removed_but_active_.insert(linear);
    }
    void watch(Stop::Watch what, LinearAddress linear, Address physical, std::uint32_t size) {
        watched_.push_back({what, linear, physical, size});
    }
    void unwatch(Stop::Watch what, LinearAddress linear, std::uint32_t size);
    void clear();

    // The machine resumes. `stepping` is the processor that shall stop after its next instruction,
    // or null. `from` is the processor that caused the stop. It does not stop again before the
    // instruction it is at.
    void go_on(const Processor* stepping, const Processor& from);

    // The reason to stop before the instruction that `processor` is about to begin; empty: none.
    std::optional<Stop> at_begin(const Processor& processor);
    // The processor has accessed an operand. If a watchpoint watches for the access, the machine
    // stops after the instruction.
    void accessed(ProcessorId processor, Address physical, unsigned size, bool write);

  private:
    struct Watched {
        Stop::Watch what;
        LinearAddress linear;
        Address physical;
        std::uint32_t size;
    };
    // One execution of an instruction. The count of instructions distinguishes it from a later
    // execution of the same instruction, as in a loop.
    struct Place {
        ProcessorId processor = 0;
        std::uint64_t instructions = 0;
        Offset eip = 0;
        bool operator==(const Place& b) const {
            return processor == b.processor && instructions == b.instructions && eip == b.eip;
        }
    };
    static Place place_of(const Processor& processor) {
        return {processor.id(), processor.context().instructions, processor.context().eip};
    }

    std::set<Address> breakpoints_;         // linear addresses
    std::set<Address> removed_but_active_;  // removed breakpoints that still count: see remove()
    std::vector<Watched> watched_;
    std::vector<Stop> seen_;         // watchpoints hit by instructions that are under way
    std::optional<Place> left_;      // where the processor that caused the last stop stood
    std::optional<Place> stepping_;  // where the processor that steps began its step
};

}  // namespace symsim
