// SPDX-License-Identifier: MIT
// One processor of the fast engine: how it runs ahead of the bus, and how it takes that back.
//
// Between two of its bus actions a processor meets nothing but hits in its own cache, so it may
// execute them before the bus has come so far. What it does then is a *segment*. It is final when
// the bus has reached its end without a snoop of a line it used. If a line is snooped that was
// used since the segment began, the segment is taken back to its checkpoint and executed again up
// to the time of the snoop: that part is final, and the rest will find the line gone. It is
// executed again even if the line was last used before the snoop, since a later snoop could not
// do so any more: the line would be missing, and memory changed. So the past a segment may have
// to see again is always still there.
//
// Where a processor waits for the cache port, it is known how long as soon as the bus has granted
// the store that takes it. Then what comes behind the wait is executed at once, ahead of the bus;
// it begins with a checkpoint.
//
// A store that is posted ahead has a checkpoint behind it. Once the bus has come to that, what lies
// before is final, and a line that was last used there is not one the segment uses.
//
// In write-through caches a hit changes nothing but registers, time and the lines' last use. The
// checkpoint is the processor's Context; the cache remembers uses to be taken back, and, where
// there are lines of its own, the stores made in them (UndoLog).
//
// A loop that comes round unchanged (LoopDetector) is left asleep. It is woken like any segment,
// but only the last turn, which is broken, is executed again: whole periods are added to its clock,
// and to the times at which its lines were last used.
#pragma once

#include <optional>

#include "sim/base/time.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/engine/engine.h"
#include "sim/engine/ready_queue.h"
#include "sim/events/observer.h"

namespace symsim {

class RunAhead final : public SnoopHook, private RunAheadLimit {
  public:
    // `next` is told when the processor will next have something to do.
    RunAhead(Processor& processor, CacheController& cache, Observer& observer, ReadyQueue& next);

    // The bus has come to `present`, when the processor has something to do: does it, and runs
    // ahead. Its time becomes kNever if it is asleep or halted, or if it waits: then the controller
    // says when.
    void go(Time commit_time);
    StopReason stop_reason() const { return stop_reason_; }
    const Processor& processor() const { return processor_; }

    // Something is about to change the line at `address`.
    void before_change(Address address, const Line* line, Time at) override;
    bool executes_code(Address line) const override;
    void waits_at(Time) override {
        if (ahead_) commit_wait();
    }
    void served(Time at) override;
    void port_granted(Time at, Time free) override;
    // An interrupt has been announced: a halted processor has something to do at `at`.
    void interrupted(Time at) {
        if (stop_reason_ == StopReason::halted) due(at);
    }
    // From the beginning.
    void restore_wake_state(const WakeState& wake_states) {
        stop_reason_ = wake_states.stop_reason;
        wait_reported_ = stop_reason_ == StopReason::waiting;
        due(wake_states.next);
    }
    // Makes everything before `at` final, and takes back the rest.
    void synchronise(Time at);

    // Whether, paused at `at` for the reason `why`, it is halted or in a loop that only another
    // processor can bring it out of.
    bool loops_from(Time at, StopReason stop_reason);

  private:
    // How far a processor may run ahead; enough that the cost of coming back does not count
    // (speed-limits.md section 3: 50 to 200 us at 16 MHz). A taken branch takes 8 clocks at least.
    static constexpr Time kHorizonClocks = 1600;
    static_assert(kHorizonClocks / 8 <= BranchTrace::kAhead);
    // A loop of which no turn is shorter is not looked for.
    static constexpr Time kLongestLoop = kMillisecond;

    void due(Time at) { next_.set(processor_.id(), at); }
    struct alignas(64) RollbackPoint {
        WindowMark segment;
        Time reached = 0;       // by the bus, when all before is final
        std::size_t marks = 0;  // made before
        std::uint64_t fpu_version = 0;
        Context context;
        Fpu fpu;
        Processor::AccessLog log{};
        Op latched;
    };

    Time extend(Time reached) override;
    // Since when the processor waits, or will wait once the bus has come to that.
    Time waits_from() const { return processor_.next_time(); }
    void commit_wait();
    void run(Time limit);
    void start_run_ahead();
    Time horizon() const { return commit_time_ + processor_.clock().cycles(kHorizonClocks); }
    void go_on_after_wait(Time granted, Time free);
    void begin_window(Time start);
    const RollbackPoint& rollback_point(std::size_t number) const {
        return rollback_points_[number % kRollbackPoints];
    }
    void save_rollback_point(const WindowMark& segment, Time reached);
    void save_more(RollbackPoint& saved);
    void restore_rollback_point();
    bool in_code(const Context& context, Address line) const;
    // All before `at` is final: the segment begins at its last checkpoint before.
    void commit_up_to(Time at);
    // All it has done is final.
    void commit_all();
    void roll_back_to(Time at);
    void wait_again();
    void report_wait() {
        if (wait_.until == kNever) return;
        observer_.waited(processor_.id(), wait_);
        wait_ = {};
    }
    void end_wait(Time at);
    void report_open_wait();
    void report_marks() {
        if (!processor_.marks().empty()) report_marks_slow();
    }
    void report_marks_slow();

    Processor& processor_;
    CacheController& cache_;
    Observer& observer_;
    ReadyQueue& next_;

    std::size_t first_ = 0, end_ = 0;  // numbers of the checkpoints that the segment has
    Time commit_time_ = 0;             // when it was executed
    bool ahead_ = false;               // something in it can still be taken back
    StopReason stop_reason_ = StopReason::retry;
    // The one under way; or the last that it has gone on behind, if that has not been told.
    BusWait wait_;
    bool wait_reported_ = false;  // its beginning has been, and what comes is told at once
    std::size_t after_wait_ = 0;  // number of the checkpoint there
    // Where the segment begins, behind a wait in it, and behind a store that was posted ahead.
    static constexpr std::size_t kRollbackPoints = 4;
    std::array<RollbackPoint, kRollbackPoints> rollback_points_;
};

}  // namespace symsim
