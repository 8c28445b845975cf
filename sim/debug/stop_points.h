// SPDX-License-Identifier: MIT
// Where a debugged machine stops: breakpoints, watchpoints, and the end of a step.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "sim/cpu/core/processor.h"

namespace symsim {

// Why it stands still.
struct Stop {
    enum class Why { attached, interrupt, step, breakpoint, watchpoint, failed };
    Why why = Why::attached;
    ProcessorId processor = 0;
    // Of a watchpoint, the bytes watched and for what.
    enum class Watch { write, read, access };
    Watch watch = Watch::write;
    Address address = 0;  // linear, as GDB gave it
};

class StopPoints {
  public:
    void insert(LinearAddress linear) { breakpoints_.insert(linear); }
    // It still counts for other processors until the machine goes on freely. GDB takes a breakpoint
    // away to step one processor over it, and believes that the others stand still meanwhile.
    void remove(LinearAddress linear) {
        if (breakpoints_.erase(linear)) fading_.insert(linear);
    }
    void watch(Stop::Watch what, LinearAddress linear, Address physical, std::uint32_t size) {
        watched_.push_back({what, linear, physical, size});
    }
    void unwatch(Stop::Watch what, LinearAddress linear, std::uint32_t size);
    void clear();

    // The machine goes on. `stepping` is the processor to stop behind its instruction, or null;
    // `from` that which it stopped for: that does not stop again where it stands.
    void go_on(const Processor* stepping, const Processor& from);

    // Whether to stop before the instruction that `processor` is about to begin.
    std::optional<Stop> at_begin(const Processor& processor);
    // It stops when the instruction is done.
    void accessed(ProcessorId processor, Address physical, unsigned size, bool write);

  private:
    struct Watched {
        Stop::Watch what;
        LinearAddress linear;
        Address physical;
        std::uint32_t size;
    };
    // An instruction, as one of a run: that a processor is still there, or again.
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

    std::set<Address> breakpoints_;  // linear
    std::set<Address> fading_;
    std::vector<Watched> watched_;
    std::vector<Stop> seen_;         // watchpoints, of instructions under way
    std::optional<Place> left_;      // where it stopped last
    std::optional<Place> stepping_;  // from here
};

}  // namespace symsim
