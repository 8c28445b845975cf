// SPDX-License-Identifier: MIT
// The steps of the fast path (fast_path.h). FastPathRun is a friend of Processor and works on its
// private state. A run is a sequence of fast-path instructions that are executed without returning
// to the execute loop. Processor begins one with set_stop() and Op::fast.
//
// The steps that every instruction takes are in fast_path_steps.h, to be inlined. The others are in
// fast_path.cpp, fast_path_store.cpp and probes.cpp.
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
    // Sets the time at which the run that begins now must end.
    static void set_stop(Processor& cpu);

    // Whether an instruction can begin with nothing else to be done before it. goes_on() is for the
    // next instruction in sequence, which does not change the activity
    // (DecodeCache::keeps_activity). begins() is for any other instruction and also compares the
    // activity.
    static bool goes_on(const Processor& cpu, Time time);
    static bool begins(const Processor& cpu, const Op& op, Time time);
    // Fires probe points and enters the activity that follows. False: the run must end, or the
    // probed instruction releases a lock, which only the slow path can complete.
    static bool passes_probes(Processor& cpu, const ProbedOp& op, Time time);
    // Enters the lines that begin in an instruction in sequence. False: the prefetch queue cannot
    // have one of them at once.
    static bool enters(Processor& cpu, const Op& op, Time time);
    // locates() finds the physical address of an operand that may be read and lies in one dword.
    // load() loads the operand if it hits, and adds the hit's wait to `time`. wait() handles an
    // operand that did not hit, which usually has to wait. It does what the slow path would do with
    // the instruction, which began at `time`.
    template <unsigned Size>
    static bool locates(const Processor& cpu, Seg segment, Offset offset, Address& place);
    template <unsigned Size>
    static bool load(Processor& cpu, Address place, std::uint32_t& value, Time& time);
    static void wait(Processor& cpu, const Op& op, Address place, unsigned size, Time time);
    // may_write(): whether a store is allowed; to be asked before the operand is read. stores():
    // whether the store can be made at once, after the instruction's loads; it returns the place.
    // store() then makes the store, in the processor's own cache or over the bus. It completes the
    // instruction and begins the next one.
    static bool may_write(const Processor& cpu, Seg segment, Offset offset, unsigned size);
    struct Place {
        Address address = 0;
        Line* line = nullptr;  // in the processor's own cache; null: over the bus
    };
    template <unsigned Size>
    static bool stores(const Processor& cpu, const Op& op, Seg segment, Offset offset, Place& place,
                       Time time);
    static void store(Processor& cpu, const Op& op, const Place& place, unsigned size,
                      std::uint32_t value, Time time);
    static void complete(Processor& cpu);

    // The op at an offset in cs; null if it cannot take the fast path.
    static const Op* target_at(const Processor& cpu, Offset eip);
    // branch() takes a branch and executes its target. jump() first checks whether the target can
    // take the fast path. arrive() fetches a target and executes it.
    static void branch(Processor& cpu, const Op& op, const Op& target, Time time);
    static void jump(Processor& cpu, const Op& op, Time time, unsigned more_clocks);
    static void arrive_at(Processor& cpu, const Op& target, Time time);
    // Ends the run at `op`, which cannot take the fast path now.
    static void leave(Processor& cpu, const Op& op, Time time);

  private:
    // Passed as an argument in one register of the host.
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
    static void skip_iterations(Processor& cpu, const Op& op, const Op& target);
    static void loop(Processor& cpu, const Op& target);
    static void arrive_on_lines(Processor& cpu, const Op& target, Time time);
    static void refill(Processor& cpu, const Op& target, Address last_line, Time time);
    static void begin_at_limit(Processor& cpu, const Op& target, Time time);
    static void reach_limit(Processor& cpu, const Op& op, Time time);
    static void miss(Processor& cpu, const Op& target, Time time);
    // Ends the run, and Processor::run() with it. The next Processor::run() begins with `op`.
    static void pause(Processor& cpu, const Op& op);

    // The longest run. Without optimisation the compiler does not make the tail calls jumps, and
    // the calls of a whole run are on the host's stack.
    static constexpr unsigned kMostClocks = 1024;
};

}  // namespace symsim
