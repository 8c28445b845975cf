// SPDX-License-Identifier: MIT
// Decides where a debugged machine stops: at breakpoints, at watchpoints, and after a step.
// GdbSession sets the stop points, and asks before each instruction whether to stop.
#pragma once

#include <array>
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
    // For a breakpoint: how GDB inserted it. The two kinds do the same.
    enum class Breakpoint { software, hardware };
    Breakpoint breakpoint = Breakpoint::software;
    // For a watchpoint: the accesses it watches for, and the address it was set at.
    enum class Watch { write, read, access };
    Watch watch = Watch::write;
    Address address = 0;  // linear, as GDB gave it
};

// What a processor does when the machine resumes.
enum class Resume { stay, proceed, step };

class StopPoints {
  public:
    // To insert a stop point again changes nothing, and to remove one that is not there neither:
    // GDB's protocol wants it so.
    void insert(Stop::Breakpoint kind, LinearAddress linear) { of(kind).insert(linear); }
    void remove(Stop::Breakpoint kind, LinearAddress linear) { of(kind).erase(linear); }
    void watch(Stop::Watch what, LinearAddress linear, Address physical, std::uint32_t size);
    void unwatch(Stop::Watch what, LinearAddress linear, std::uint32_t size);
    void clear();

    // The machine has stopped because of the processor. When that resumes, it does not stop again
    // before the instruction it is at.
    void stopped(const Processor& processor) { left_[processor.id()] = place_of(processor); }
    // The machine resumes. One that steps stops before its next instruction.
    void resume(const Processor& processor, Resume how);

    // The reason to stop before the instruction that `processor` is about to begin; empty: none.
    std::optional<Stop> at_begin(const Processor& processor);
    // The processor has accessed an operand. If a watchpoint watches for the access, the machine
    // stops after the instruction.
    void accessed(ProcessorId processor, Address physical, unsigned size, bool write);

  private:
    std::optional<Stop> take_hit(ProcessorId processor);

    struct Watched {
        Stop::Watch what;
        LinearAddress linear;
        Address physical;
        std::uint32_t size;
        bool operator==(const Watched& b) const {
            return what == b.what && linear == b.linear && size == b.size;
        }
    };
    // One execution of an instruction. The count of instructions distinguishes it from a later
    // execution of the same instruction, as in a loop.
    struct Place {
        std::uint64_t instructions = 0;
        Offset eip = 0;
        bool operator==(const Place& b) const {
            return instructions == b.instructions && eip == b.eip;
        }
    };
    using Places = std::array<std::optional<Place>, kMaxProcessors>;
    static Place place_of(const Processor& processor) {
        return {processor.context().instructions, processor.context().eip};
    }
    std::set<LinearAddress>& of(Stop::Breakpoint kind) {
        return breakpoints_[static_cast<std::size_t>(kind)];
    }

    std::array<std::set<LinearAddress>, 2> breakpoints_;  // by Stop::Breakpoint
    std::vector<Watched> watched_;
    std::vector<Stop> seen_;  // watchpoints hit by instructions that are under way
    Places left_;             // where each processor stood that caused a stop
    Places stepping_;         // where each processor that steps began its step
};

}  // namespace symsim
