// SPDX-License-Identifier: MIT
// One 386 processor: what an engine calls, and the execute loop.
//
// The processor is built in layers. Each is a class in its own file that uses those below it and
// knows none above it. They are bases of one another, not members, so that the state of all is
// found from one pointer and a call between them costs the host nothing.
//
//     Processor          cpu/core        the execute loop, the fast path, the 80387
//     Activities         cpu/core        probe points and activities
//     InstructionFetch   cpu/core        code window, decode cache, prefetch queue
//     Interrupts         cpu/delivery    what happens between two instructions
//     SegmentationUnit   cpu/mmu         operands by offset in a segment
//     PagingUnit         cpu/mmu         linear addresses: TLB, page walk
//     LoadStore          cpu/mmu         physical addresses: cache, log of accesses
//     Exceptions         cpu/state       events, failures, and the state (CoreState)
//
// A processor can run ahead of the bus, speculatively. `commit_time` is the time up to which the
// bus has been simulated. Every access up to `commit_time` can be made. A later access is made
// speculatively if it hits, since a hit uses nothing but the processor's own cache. The cache
// controller may post a miss or a store ahead of the bus (CacheController::post_ahead). Any other
// access ends the run with StopReason::retry until commit time has reached the access. No access is
// made at or after `limit`. An instruction that changes other state than registers, flags, memory
// and the 80387 is never executed speculatively: see non_speculative().
//
// An engine (sim/engine) calls run() whenever the processor has something to do. run() returns the
// reason it stopped. After StopReason::retry the engine calls run() again at next_time(). After
// StopReason::waiting it calls resume() and then run() once the controller has called its Waiter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/base/time.h"
#include "sim/cpu/core/activities.h"
#include "sim/cpu/fpu/fpu.h"
#include "sim/cpu/state/loop_watch.h"

namespace symsim {

class Processor final : public Activities {
  public:
    Processor(ProcessorId id, const ProcessorConfig& config, CacheController& cache,
              DecodeCache& code, InterruptSource& interrupts)
        : Activities(id, config, cache, code, interrupts) {}

    // The non-const fpu() counts as a change: it gives the state a new version. A copy with the
    // same version is equal to the state.
    Fpu& fpu() {
        fpu_version_ = ++fpu_versions_;
        return fpu_;
    }
    const Fpu& fpu() const { return fpu_; }
    std::uint64_t fpu_version() const { return fpu_version_; }
    void restore(const Context& context) {
        core_.context = context;
        core_.set_stop();
    }
    void restore_fpu(const Fpu& fpu, std::uint64_t version) {
        fpu_ = fpu;
        fpu_version_ = version;
    }

    // Executes until the processor must stop. `commit_time` must be less than `limit`. At the limit
    // the processor asks `hook`, if given, for a later one. With a `hook` the context must be as
    // the last run() or restore() left it.
    StopReason run(Time commit_time, Time limit, EngineHook* hook = nullptr);
    // Time of the access or instruction at which the last run stopped. After StopReason::retry:
    // when to call run() again. After StopReason::waiting: when the wait began.
    Time next_time() const { return core_.next_time; }
    // Ends a wait, or a hold: the access or instruction at which the last run stopped is tried
    // again at `at`, by the next run().
    void resume(Time at) { core_.context.time += at - core_.next_time; }
    // Undoes resume(at): the processor still waits, since `from`.
    void wait_again(Time from, Time at) {
        core_.context.time -= at - from;
        core_.pause(from, StopReason::waiting);
    }

    // --- the fast path ---------------------------------------------------------------------------
    // A run is a sequence of frequent instructions (fast_path.h) that are executed without
    // returning to the execute loop. It begins with begin_run() and Op::fast. The processor's time
    // is an argument of each step, and Context::time only between runs. The steps use the rules of
    // the layers below: what is not simple they leave to the interpreter. Those that every
    // instruction takes are here, to be inlined; the others are in fast_path.cpp.

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
    bool continues(Time time) const { return time < core_.fast_stop; }
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

  private:
    void execute();
    bool loops(const Op& jump);
    const Op* first();
    const Op* latched_first();
    const Op* decoded_now(const Op& op) const;
    const Op* following(const Op& op);
    const Op* in_sequence(const Op* op);
    const Op* at_target(const Op* op);
    const Op* execute_fast(const Op* op);
    const Op* after_fast_path();
    bool begin(const Op& op);
    bool begin_slow(const Op& op);
    void complete(const Op& op);
    void complete_slow(const Op& op);

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

    LoopWatch loop_watch_;
    Time run_end_ = 0;               // the latest
    std::uint64_t fpu_version_ = 0;  // of the state in fpu_; no number is used twice
    std::uint64_t fpu_versions_ = 0;
    Fpu fpu_;
};

}  // namespace symsim
