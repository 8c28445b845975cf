// SPDX-License-Identifier: MIT
// Speculation: optimistic execution with rollback. A processor of the fast engine runs ahead of the
// bus, and is rolled back when a snoop shows that it went too far. The reference engine makes each
// access only when the bus has been simulated up to its time. This page says what may be done
// ahead, what is final when, and why both engines give the same bytes.
//
// Terms
//   commit time     The time up to which interrupts and the bus have been simulated. FastEngine
//                   handles interrupts, bus edges and processors in order of time. At one time
//                   interrupts come first, then the bus, then the processors by number.
//   window          What the processor has executed speculatively, from the time S on. When it was
//                   executed, commit time had not passed S.
//   rollback point  The processor's state, saved at S and at some later times. The literature says
//                   checkpoint.
//   commit          Executed work becomes final: it is never rolled back, and observers are
//                   notified of it.
//   use             An access to a line of the own cache. Each line has the time of its last use.
//
// simulated time --->
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
//   No use of L between S and g: nothing happens. The window runs to e and is committed there.
//
// What may be done ahead                                        What undoes it
//   changes of registers, flags and the 80387                     SavedProcessor
//   probe points, changes of activity: reported at commit         SavedProcessor
//   loads and fetches that hit in the own cache                   UndoLog (times of last use)
//   loads of board registers that depend on time alone            nothing to undo
//   stores to lines that no other cache has, if no decoded        UndoLog (bytes, line state)
//     code is there (write-back and write-update caches)
//   posting a miss for its time, in write-through caches also     CacheController::withdraw()
//     a locked read or a store, if no earlier store is under way
//   the wait for it                                               WaitReport
// Anything else waits until commit time (StopReason::retry): devices, page walks, exceptions and
// other changes of system state, stores in own lines that contain decoded code.
//
// What is final when
//   The bus grants what the processor waits for        all before the wait
//   commit time reaches a later rollback point         all before that point
//   commit time reaches the end of the window: go()    all of the window
//   a rollback to the time g                           all before g, once it is executed again
//
// Why the results are exact
//   1. A window depends on nothing that others can change unnoticed. Its accesses hit in the own
//      cache, or depend on time alone (sim/devices/board.h). So its inputs are the processor's
//      registers, lines that its cache contains, and its own write buffer. The grant of an own
//      store moves bytes from the buffer to memory; loads read the same value before and after.
//   2. Others cannot see a window. It changes registers, the processor's clock and times of last
//      use. Lines to which it stores are in no other cache. It may post requests, but the bus sees
//      a request only at an edge later than the request's time. By then commit time has reached the
//      request, or a rollback has withdrawn it. Observers are notified only of what is committed.
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
//      (LoadPath::too_early()). roll_back_to() checks that the second execution reaches g.
//   6. If commit time reaches the end of the window without such a snoop, all of it was right, and
//      is committed. So where the window ends changes no result, nor does the run-ahead limit.
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
//
// The files of this room
//   run_ahead           one processor: when it runs ahead, commits, rolls back, waits, sleeps; what
//                       observers learn of its waits, and when
//   rollback_points     the rollback points of a window, and what they save: the processor, its
//                       marks, and what it has changed in its cache; commit up to a time
//   ready_queue         the processors that have something to do, in order of time
//   loop_skipper        skips iterations of delay loops and of sleeping loops; whether a loop can
//                       end at all, for the detection of deadlocks
// Processor and cache know of it what these interfaces say: sim/cpu/state/hooks.h and
// loop_watch.h; sim/cache/access.h and cache.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/cpu/state/branch_trace.h"
#include "sim/cpu/state/hooks.h"
#include "sim/engine/speculation/loop_skipper.h"
#include "sim/engine/speculation/ready_queue.h"
#include "sim/engine/speculation/rollback_points.h"

namespace symsim {

// Reports the waits of one processor to observers. Usually a whole wait is reported when it is over
// and committed. If it must be known before, because the processor is looked at in it, its parts
// are reported one by one.
class WaitReport {
  public:
    WaitReport(ProcessorId processor, Observer& observer)
        : processor_(processor), observer_(observer) {}

    // A wait begins at `from`, or has begun there.
    void begin(Time from) { wait_.from = from; }
    // The transaction is being served from `at` on, or has been since an earlier time.
    void served(Time at) {
        if (reported_) return observer_.served(processor_, at);
        wait_.granted = std::min(wait_.granted, at);
    }
    // The wait ends at `at`, and this is committed.
    void end(Time at) {
        wait_.until = at;
        if (!reported_) {
            wait_.granted = std::min(wait_.granted, at);
            return commit();
        }
        observer_.resumed(processor_, at);
        reported_ = false;
        wait_ = {};
    }
    // A wait that is over, from which the processor has continued speculatively.
    void is_over(const BusWait& wait) { wait_ = wait; }
    bool over() const { return wait_.until != kNever; }
    const BusWait& wait() const { return wait_; }
    // The wait is over, and this is committed.
    void commit() {
        if (!over()) return;
        observer_.waited(processor_, wait_);
        wait_ = {};
    }
    // A rollback has undone the wait.
    void discard() { wait_ = {}; }
    // A rollback has undone what followed the wait: it is not over. Returns when it will be.
    Time reopen() { return std::exchange(wait_.until, kNever); }
    // Reports the wait under way: its beginning, and since when it is served.
    void report_open() {
        if (reported_) return;
        if (wait_.from < wait_.granted) observer_.waiting(processor_, wait_.from);
        if (wait_.granted < kNever)
            observer_.served(processor_, std::max(wait_.from, wait_.granted));
        reported_ = true;
    }

  private:
    ProcessorId processor_;
    Observer& observer_;
    // The wait under way. Or, until it is reported, the last wait after which the processor has
    // continued.
    BusWait wait_;
    // Observers know the beginning of wait_: what follows is reported to them at once.
    bool reported_ = false;
};

// How far a processor may run ahead of commit time. The limit changes no result. It bounds the host
// time that a rollback loses. In processor clocks: 100 us at 16 MHz. In measurements of a prototype
// 50 to 200 us were enough; 10 us cost a third of the speed of a checksum loop. A taken branch
// takes at least 8 clocks, so the ring of BranchTrace has room for all branches of a window.
constexpr Time kRunAheadClocks = 1600;
static_assert(kRunAheadClocks / 8 <= BranchTrace::kAhead);

class RunAhead final : private EngineHook, public Waiter {
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
    void roll_back(Time at) override;
    bool executes_code(Address line) const override;
    void waits_at(Time) override {
        if (ahead_) commit_wait();
    }
    void waiting(Time) override {}  // go() knows when its run has ended with a wait
    void served(Time at) override;
    void wake(Time at) override { due(at); }
    void port_granted(Time at, Time free) override;
    // An interrupt has been announced at `at`: a halted processor must look at it.
    void interrupted(Time at) {
        if (stop_reason_ == StopReason::halted) due(at);
    }
    // Commits everything before `at`, and rolls back the rest.
    void synchronise(Time at);

    // Whether the processor loops for ever from `at` on (loops_for_ever).
    bool loops_from(Time at);
    const LoopSkipper& loops() const { return loops_; }

  private:
    Time extend(Time reached) override;
    void skip_iterations(const Op& jump, Time limit) override {
        loops_.skip_iterations(jump, limit);
    }
    bool repeats_state() override { return loops_.repeats_state(); }

    void due(Time at) { next_.set(processor_.id(), at); }
    // When the processor's wait began, or will begin if that is later than commit time.
    Time waits_from() const { return processor_.next_time(); }
    void commit_wait();
    void run(Time limit);
    void start_run_ahead();
    Time horizon() const { return commit_time_ + processor_.clock().cycles(kRunAheadClocks); }
    void continue_after_wait(Time granted, Time free);
    // All that the processor has executed is committed.
    void commit_all();
    void roll_back_to(Time at);
    void go_back_to(Time at);
    void wait_again();

    Processor& processor_;
    CacheController& cache_;
    Observer& observer_;
    ReadyQueue& next_;

    Time commit_time_ = 0;  // when the window was executed
    bool ahead_ = false;    // the window contains something that can be rolled back
    StopReason stop_reason_ = StopReason::retry;
    WaitReport wait_;
    std::size_t after_wait_ = 0;  // number of the rollback point after the wait
    LoopSkipper loops_;
    RollbackPoints points_;
};

}  // namespace symsim
