// SPDX-License-Identifier: MIT
// The steps that light instructions are made of (light.h), on a processor's own state. Those that
// each instruction takes are in light_steps.h, to be inlined; the others in light.cpp,
// fast_store.cpp and probes.cpp.
#pragma once

#include <cstdint>

#include "sim/base/time.h"
#include "sim/cpu/isa/op.h"
#include "sim/cpu/state/segment.h"

namespace symsim {

class Processor;
struct Line;
struct ProbedOp;

class FastPathRun {
  public:
    // When those that follow each other from here on must come to an end.
    static void set_stop(Processor& cpu);

    // Nothing is to be done before one but itself: in sequence, where the activity stays
    // (Code::keeps_activity), and elsewhere.
    static bool goes_on(const Processor& cpu, Time time);
    static bool begins(const Processor& cpu, const Op& op, Time time);
    // Probe points, and the activity they lead to; false: the instruction behind them has more to
    // do than it says.
    static bool passes_probes(Processor& cpu, const ProbedOp& op, Time time);
    // In sequence the prefetcher has entered the line, if the cache has it.
    static bool enters(Processor& cpu, const Op& op, Time time);
    // Where an operand is that nothing forbids to read, in one dword; and its load, if it hits,
    // which moves `time` on. What does not hit waits, most often: that is what the instruction
    // begun at `time` would come to by itself.
    template <unsigned Size>
    static bool locates(const Processor& cpu, Seg segment, Offset offset, Address& place);
    template <unsigned Size>
    static bool load(Processor& cpu, Address place, std::uint32_t& value, Time& time);
    static void wait(Processor& cpu, const Op& op, Address place, unsigned size, Time time);
    // Whether nothing forbids a store, to be asked before the same place is read; and whether it
    // can be made at once, behind the instruction's loads, at a place that is told. Then it is, in
    // the own cache or over the bus, the instruction is complete, and the next begins.
    static bool may_write(const Processor& cpu, Seg segment, Offset offset, unsigned size);
    struct Place {
        Address address = 0;
        Line* line = nullptr;  // the own cache's, or null: over the bus
    };
    template <unsigned Size>
    static bool stores(const Processor& cpu, const Op& op, Seg segment, Offset offset, Place& place,
                       Time time);
    static void store(Processor& cpu, const Op& op, const Place& place, unsigned size,
                      std::uint32_t value, Time time);
    static void complete(Processor& cpu);

    // The op at an offset in cs; null if it is not light.
    static const Op* target_at(const Processor& cpu, Offset eip);
    // A branch that is taken, and what it leads to; a jump first sees whether that is light.
    static void branch(Processor& cpu, const Op& op, const Op& target, Time time);
    static void jump(Processor& cpu, const Op& op, Time time, unsigned more_clocks);
    static void arrive(Processor& cpu, const Op& target, Time time);
    // Ends with the first that is not light, or not now.
    static void leave(Processor& cpu, const Op& op, Time time);

  private:
    // In one register, when handed on.
    struct Bytes {
        Address address;
        unsigned size;
    };
    static void store_in_line(Processor& cpu, const Op& op, Line& line, Bytes bytes,
                              std::uint32_t value, Time time);
    static void enqueue_store(Processor& cpu, const Op& op, Address address, unsigned size,
                              std::uint32_t value, Time time);
    static bool translates(const Processor& cpu, Seg segment, Offset offset, unsigned size,
                           bool will_write, Address& place);
    static void branch_back(Processor& cpu, const Op& op, const Op& target, Time time);
    static void count(Processor& cpu, const Op& op, const Op& target);
    static void come_round(Processor& cpu, const Op& target);
    static void arrive_on_two_lines(Processor& cpu, const Op& target, Time time);
    static void refill(Processor& cpu, const Op& target, Address last_line, Time time);
    static void begin_at_limit(Processor& cpu, const Op& target, Time time);
    static void reach_limit(Processor& cpu, const Op& op, Time time);
    static void miss(Processor& cpu, const Op& target, Time time);
    // Ends, and so does the processor's run: `op` comes first in the next.
    static void pause(Processor& cpu, const Op& op);

    // Where the compiler makes no jumps of the calls between light instructions, as without
    // optimisation, the stack must hold all of a run: it takes so long at most.
    static constexpr unsigned kMostClocks = 1024;
};

}  // namespace symsim
