// SPDX-License-Identifier: MIT
// The steps of the fast path (fast_path.h). A run is a sequence of fast-path instructions that are
// executed without returning to the execute loop. Processor begins one with begin_run() and
// Op::fast. The processor's time is an argument of each step, and Context::time only between runs.
//
// The steps use the rules of the layers below: what is not simple they leave to the interpreter.
// Those that every instruction takes are here, to be inlined. The others are in fast_path.cpp and
// fast_path_store.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/cpu/core/activities.h"
#include "sim/cpu/state/loop_watch.h"

namespace symsim {

class FastPathRun : public Activities {
  public:
    // The longest run, and the most that it needs on the host's stack. Compilers make the tail call
    // from instruction to instruction a jump only if they optimise and no sanitizer is in the way.
    // Otherwise the frames of a whole run are on the stack: kMostClocks of them at most, as the
    // shortest instruction takes one clock. The largest frame that gcc 12 makes (-fstack-usage) has
    // 1,136 bytes: execute_fast() of a load in the preset asan.
    static constexpr unsigned kMostClocks = 1024;
    static constexpr std::size_t kMostStackBytes = std::size_t{kMostClocks} * 2048;

    // To be on only in a run with an EngineHook.
    LoopWatch& loop_watch() { return loop_watch_; }

    // Whether an instruction can begin with nothing else to be done before it: the next one in
    // sequence, which does not change the activity (DecodeCache::keeps_activity).
    bool goes_on(Time time) const { return time < core_.fast_stop; }
    // Fires probe points and enters the activity that follows. False: the run must end, or the
    // probed instruction releases a lock, which only the slow path can complete.
    bool passes_probes(const ProbedOp& op, Time time);
    // Enters the lines that begin in an instruction in sequence. False: the prefetch queue cannot
    // have one of them at once.
    bool enters(const Op& op, Time time) {
        if (core_.context.fetched & kAllLines) return true;
        const Cache& cache = cache_.cache();
        const Address first = cache.line_of(op.address + cache.line_bytes() - 1);
        return queue_hits(op, first, time, [&](Address line) { return line + cache.line_bytes(); });
    }
    // For an operand that did not hit, which usually has to wait: does what the slow path would do
    // with the instruction, which began at `time`.
    void wait(const Op& op, Address place, unsigned size, Time time);

    struct Place {
        Address address = 0;
        Line* line = nullptr;  // in the processor's own cache; null: over the bus
    };
    // Whether the store can be made at once, after the instruction's loads; finds the place.
    template <unsigned Size>
    bool can_store(const Op& op, Seg segment, Offset offset, Place& place, Time time) {
        if (!finds(segment, offset, Size, true, place.address)) return false;
        const Time at = time + stores_from(op);
        if (is_split(place.address, Size) || at >= core_.limit) return false;
        return cache_.stores_at_once(place.address, access_time(at), place.line);
    }
    // Makes the store, in the processor's own cache or over the bus. Completes the instruction and
    // executes the next one.
    void store_at_once(const Op& op, const Place& place, unsigned size, std::uint32_t value,
                       Time time) {
        if (place.line) return store_in_line(op, *place.line, {place.address, size}, value, time);
        enqueue_store(op, place.address, size, value, time);
    }

    // The op at an offset in cs; null if it cannot take the fast path. A fast-path instruction lies
    // wholly on one page, so the window contains all of it.
    const Op* target_at(Offset eip) const {
        const Op* const target = known_at(eip);
        return target && target->fast != leave_to_execute ? target : nullptr;
    }
    // Takes a branch and executes its target. jump() first checks whether the target can take the
    // fast path.
    void branch_to(const Op& op, const Op& target, Time time);
    void jump(const Op& op, Time time, unsigned more_clocks);
    // Ends the run at `op`, which cannot take the fast path now.
    void leave(const Op& op, Time time) {
        core_.context.time = time;
        core_.fast_end = &op;
    }

  protected:
    FastPathRun(ProcessorId id, const ProcessorConfig& config, CacheController& cache,
                DecodeCache& code, InterruptSource& interrupts)
        : Activities(id, config, cache, code, interrupts) {}

    // Sets the time at which the run that begins now must end.
    void begin_run() {
        run_end_ = core_.context.time + core_.clock.cycles(kMostClocks);
        set_fast_stop();
    }
    // The run continues after its limit has been extended.
    void set_fast_stop() { core_.fast_stop = std::min(core_.stop, run_end_); }
    // Whether the engine may skip iterations of the loop that `jump` closes.
    bool may_skip(const Op& jump) const {
        return jump.in_loop == InLoop::repeats && core_.stop == core_.limit && hook_;
    }
    // Whether the engine finds, after a backward jump, that the loop repeats with the same state.
    // The processor then stops.
    bool repeats_state() {
        if (!hook_->repeats_state()) return false;
        core_.pause(core_.context.time, StopReason::looping);
        return true;
    }
    // Fetches a branch target and executes it.
    void arrive_at(const Op& target, Time time);

    LoopWatch loop_watch_;

  private:
    // Passed as an argument in one register of the host.
    struct Bytes {
        Address address;
        unsigned size;
    };
    void store_in_line(const Op& op, Line& line, Bytes bytes, std::uint32_t value, Time time);
    void enqueue_store(const Op& op, Address address, unsigned size, std::uint32_t value,
                       Time time);
    void branch_back(const Op& op, const Op& target, Time time);
    void skip_iterations(const Op& op, const Op& target);
    void loop(const Op& target);
    void arrive_on_lines(const Op& target, Time time);
    void refill_and_execute(const Op& target, Address last_line, Time time);
    void begin_at_limit(const Op& target, Time time);
    void reach_limit(const Op& op, Time time);
    void miss(const Op& target, Time time);
    // Executes `op` and the instructions after it.
    void execute_at(const Op& op, Time time);
    // Ends the run, and Processor::run() with it. The next Processor::run() begins with `op`.
    void end_at(const Op& op) {
        core_.fast_end = nullptr;
        core_.paused_at = &op;
    }

    Time run_end_ = 0;  // the latest
};

}  // namespace symsim
