// SPDX-License-Identifier: MIT
// One 386 processor: what an engine calls, and the execute loop.
//
// The processor is built in layers. Each is a class in its own file that uses those below it and
// knows none above it. They are bases of one another, not members, so that the state of all is
// found from one pointer and a call between them costs the host nothing.
//
//     Processor          cpu/core        the execute loop, the 80387, what an engine calls
//     FastPathRun        cpu/core        frequent instructions without the execute loop
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

#include <cstdint>

#include "sim/base/time.h"
#include "sim/cpu/core/fast_path_run.h"
#include "sim/cpu/fpu/fpu.h"

namespace symsim {

class Processor final : public FastPathRun {
  public:
    Processor(ProcessorId id, const ProcessorConfig& config, CacheController& cache,
              DecodeCache& code, InterruptSource& interrupts)
        : FastPathRun(id, config, cache, code, interrupts) {}

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

    std::uint64_t fpu_version_ = 0;  // of the state in fpu_; no number is used twice
    std::uint64_t fpu_versions_ = 0;
    Fpu fpu_;
};

}  // namespace symsim
