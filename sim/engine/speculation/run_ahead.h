// SPDX-License-Identifier: MIT
// One processor of the fast engine. It runs ahead of the bus speculatively, and is rolled back when
// a snoop shows that it went too far. The reference engine makes each access only when the bus has
// been simulated up to its time. This comment argues why the results are exactly the same.
//
// Terms
//   commit time     The time up to which interrupts and the bus have been simulated. FastEngine
//                   handles interrupts, bus edges and processors in order of time. At one time
//                   interrupts come first, then the bus, then the processors by number.
//   window          What the processor has executed speculatively, from the time S on. When it was
//                   executed, commit time had not passed S.
//   rollback point  A copy of the processor's state, saved at S and at some later times.
//   committed       Executed, and never to be rolled back.
//   use             An access to a line of the own cache. Each line has the time of its last use.
//
//   simulated time --->
//
//              S            u            g                  e
//   -----------|============*============|==================|
//    committed | window     |            |                  | The processor needs the bus.
//              |            |            The bus grants another processor's store to line L.
//              |            The processor uses L.
//              Rollback point
//
//   Rollback:  |============*============|
//              The processor is restored to S, and executes again up to g with L as it was.
//              That part is committed. From g on L is gone: its next use misses.
//
// Why the results are exact
//   1. A window depends on nothing that others can change unnoticed. Its accesses hit in the own
//      cache, or depend on time alone (sim/devices/board.h). So its inputs are the processor's
//      registers, lines that its cache contains, and its own write buffer. The grant of an own
//      store moves bytes from the buffer to memory; loads read the same value before and after.
//      Any other access, and any change of system state, waits until commit time
//      (StopReason::retry), or posts a request to the bus and waits for it.
//   2. Others cannot see a window. It changes registers, the processor's clock and times of last
//      use. In write-back and write-update caches it also stores to lines that no other cache has.
//      It may post requests, but the bus sees a request only at an edge later than the request's
//      time. By then commit time has reached the request, or a rollback has withdrawn it. Observers
//      are notified only of what is committed.
//   3. Others can change a line, or take it away, only by a bus transaction. The bus snoops this
//      cache first, and the cache calls about_to_change() while line and memory are still
//      unchanged. The snoop filter passes over a cache only if nothing of the line is there, not
//      even in the prefetch queue (executes_code()). A store to code can change prefetch queues
//      without a snoop: then the storing cache or the bus has about_to_change() called. An
//      interrupt calls synchronise().
//   4. If the window has not used the line, it does not depend on the line and stays. If it has,
//      the processor executes again up to the time g of the snoop. Accesses before g precede the
//      change, so the old line is the right input for them. Accesses at g or later meet the changed
//      line, as they do in the reference engine.
//   5. Executing again gives what the first execution gave, since each line used in the window is
//      still in the cache with the same bytes. No snoop has changed such a line: the first snoop
//      that would change one rolls the window back before. For this reason a snoop of a used line
//      rolls back even if the last use was before g. Otherwise a later snoop of another line could
//      not roll back any more: this line would be missing, and memory changed. The own cache has
//      not evicted a used line either. The processor takes fills at commit time only, and it uses
//      no line speculatively while a store of its own waits for a line
//      (CacheController::too_early()). roll_back_to() checks that the second execution reaches g.
//   6. If commit time reaches the end of the window without such a snoop, all of it is committed.
//      go() does so, or the grant of the transaction that the processor waits for.
//
// What is rolled back: the processor's Context, the 80387, marks that are not reported yet, times
// of last use (Cache), and stores to the cache's own lines (UndoLog). A request whose time is not
// before g is withdrawn; the bus cannot have granted it.
//
// Rollback points within a window
//   After a store posted speculatively: a store that the bus has granted cannot be made again. The
//   rollback point is one picosecond after the store. When commit time has reached it, everything
//   before is committed and the window begins there. Uses before it then do not count.
//   After a wait for the cache port: its end is known as soon as the bus has granted the store that
//   occupies the port. The processor then continues speculatively at the end of the wait, with a
//   rollback point there. If a snoop of a used line falls into the wait, the processor is restored
//   to that point and waits again.
//
// Sleeping loops: a loop that repeats with the same state (LoopDetector) makes no store and only
// hits, so it repeats until a line it uses is snooped. It is not executed further. A snoop or an
// interrupt wakes it: whole iterations are added to its clock and counts, and to the times at which
// its lines were last used. Only the iteration that is interrupted is executed again.
#pragma once

#include <optional>

#include "sim/base/time.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/engine/speculation/loop_skipper.h"
#include "sim/engine/speculation/undo_log.h"
#include "sim/events/observer.h"
#include "sim/processor/ready_queue.h"

namespace symsim {

class RunAhead final : public SnoopHook, private EngineHook {
  public:
    // `next` gets the time at which the processor will next have something to do.
    RunAhead(Processor& processor, CacheController& cache, Observer& observer, ReadyQueue& next);

    // FastEngine calls it at `commit_time`, the processor's time in the ready queue. Commits the
    // window, executes what is due, and runs ahead. Then sets the processor's next time in the
    // ready queue: kNever if it sleeps in a loop, is halted, or waits. A cache controller that lets
    // the processor wait sets the time later, or has set it already.
    void go(Time commit_time);
    StopReason stop_reason() const { return stop_reason_; }
    const Processor& processor() const { return processor_; }

    // The line at `address` is about to change at `at`; `line` is the own cache's copy, or null.
    // Rolls back to `at` if the window used the line.
    void about_to_change(Address address, const Line* line, Time at) override;
    bool executes_code(Address line) const override;
    void waits_at(Time) override {
        if (ahead_) commit_wait();
    }
    void served(Time at) override;
    void port_granted(Time at, Time free) override;
    // An interrupt has been announced at `at`: a halted processor must look at it.
    void interrupted(Time at) {
        if (stop_reason_ == StopReason::halted) due(at);
    }
    // Before the first go(), when the run continues from a checkpoint file.
    void restore_wake_state(StopReason stop_reason, Time next) {
        stop_reason_ = stop_reason;
        wait_reported_ = stop_reason_ == StopReason::waiting;
        due(next);
    }
    // Commits everything before `at`, and rolls back the rest.
    void synchronise(Time at);

    // Whether the processor, which stopped at `at` for `stop_reason`, is halted or in a loop that
    // only another processor can end. Nothing may be speculative when it is called.
    bool loops_from(Time at, StopReason stop_reason);
    const LoopSkipper& loops() const { return loops_; }

  private:
    // The run-ahead limit: 100 us at 16 MHz. In measurements of a prototype 50 to 200 us were
    // enough; 10 us cost a third of the speed of a checksum loop. A taken branch takes at least 8
    // clocks, so the ring of BranchTrace has room for all branches of a window.
    static constexpr Time kHorizonClocks = 1600;
    static_assert(kHorizonClocks / 8 <= BranchTrace::kAhead);
    // loops_from() finds only loops whose iteration is shorter than this time.
    static constexpr Time kLongestLoop = kMillisecond;

    void due(Time at) { next_.set(processor_.id(), at); }
    struct alignas(64) RollbackPoint {
        UndoLog::Mark window;
        Time reached = 0;  // when commit time has reached this time, all before here is committed
        std::size_t marks = 0;  // number of marks not reported, made before
        std::uint64_t fpu_version = 0;
        Context context;
        Fpu fpu;
        Processor::AccessLog log{};
        Op latched;
    };

    Time extend(Time reached) override;
    void skip_iterations(const Op& jump, Time limit) override {
        loops_.skip_iterations(jump, limit);
    }
    bool repeats_state() override { return loops_.repeats_state(); }
    // When the processor's wait began, or will begin if that is later than commit time.
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
    void save_rollback_point(const UndoLog::Mark& window, Time reached);
    void save_more(RollbackPoint& saved);
    void restore_rollback_point();
    bool in_code(const Context& context, Address line) const;
    // All before `at` is committed: the window now begins at the last rollback point that commit
    // time `at` has reached.
    void commit_up_to(Time at);
    // All that the processor has executed is committed.
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
    UndoLog undo_log_;
    LoopSkipper loops_;

    std::size_t first_ = 0, end_ = 0;  // the window's rollback points are first_ to end_ - 1
    Time commit_time_ = 0;             // when the window was executed
    bool ahead_ = false;               // the window contains something that can be rolled back
    StopReason stop_reason_ = StopReason::retry;
    // The wait under way. Or, until it is reported, the last wait after which the processor has
    // continued.
    BusWait wait_;
    // Observers know the beginning of wait_: what follows is reported to them at once.
    bool wait_reported_ = false;
    std::size_t after_wait_ = 0;  // number of the rollback point after wait_
    // At the beginning of the window, after a wait in it, and after a store posted speculatively.
    static constexpr std::size_t kRollbackPoints = 4;
    std::array<RollbackPoint, kRollbackPoints> rollback_points_;
};

}  // namespace symsim
