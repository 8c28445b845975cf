// SPDX-License-Identifier: MIT
// Windows, rollback points, commits and rollbacks. run_ahead.h explains why they are exact.
#include "sim/engine/speculation/run_ahead.h"

#include <algorithm>
#include <utility>

#include "sim/base/failure.h"

namespace symsim {

RunAhead::RunAhead(Processor& processor, CacheController& cache, Observer& observer,
                   ReadyQueue& next)
    : processor_(processor),
      cache_(cache),
      observer_(observer),
      next_(next),
      undo_log_(cache),
      loops_(processor) {}

void RunAhead::go(Time commit_time) {
    if (ahead_) commit_all();
    if (stop_reason_ == StopReason::halted) {
        if (!processor_.wakes()) return due(kNever);
        observer_.resumed(processor_.id(), commit_time);
    }
    if (stop_reason_ == StopReason::waiting) {
        processor_.resume(commit_time);
        end_wait(commit_time);
    }
    // Cleared before run(): if the processor acknowledges an interrupt, the interrupt line changes
    // and calls synchronise() and interrupted(), which must not find the processor halted.
    stop_reason_ = StopReason::retry;
    commit_time_ = commit_time;
    run(commit_time + 1);
    if (!ahead_) report_marks();
    if (!ahead_ && stop_reason_ == StopReason::waiting) wait_.from = waits_from();
    if (stop_reason_ == StopReason::halted) observer_.halted(processor_.id(), commit_time);
    // If the processor waits, its cache controller may have set the time in the ready queue
    // already.
    const bool told = next_.at(processor_.id()) > commit_time;
    if (stop_reason_ == StopReason::retry)
        due(processor_.next_time());
    else if (!told)
        due(kNever);
}

inline void RunAhead::run(Time limit) {
    loops_.begin_run();
    stop_reason_ = processor_.run(commit_time_, limit, this);
    if (!ahead_) return;
    cache_.post_ahead(false);
    loops_.detect(false);
}

inline void RunAhead::begin_window(Time start) {
    first_ = end_ = 0;
    save_rollback_point(undo_log_.begin(start), start);
}

// Everything before the rollback point is committed once commit time has reached `reached`.
inline void RunAhead::save_rollback_point(const UndoLog::Mark& window, Time reached) {
    RollbackPoint& saved = rollback_points_[end_++ % kRollbackPoints];
    const Context& context = processor_.context();
    saved.context = context;
    saved.window = window;
    saved.reached = reached;
    saved.marks = processor_.marks().size();
    if (context.accesses > 0 || context.latched || saved.fpu_version != processor_.fpu_version())
        save_more(saved);
}

// State that few rollback points need. It is the accesses and the latched copy of an instruction
// under way. It is also the 80387, if it has changed since this place in the ring was last saved.
void RunAhead::save_more(RollbackPoint& saved) {
    if (saved.fpu_version != processor_.fpu_version()) {
        saved.fpu = std::as_const(processor_).fpu();
        saved.fpu_version = processor_.fpu_version();
    }
    std::copy_n(processor_.log().begin(), saved.context.accesses, saved.log.begin());
    if (saved.context.latched) saved.latched = processor_.latched();
}

// The processor asks at the limit of its run whether it may continue. The first time it has
// executed up to commit time: that is committed, and the window begins. Later it may have posted a
// store speculatively: a granted store cannot be made again, so a rollback point is saved after it.
Time RunAhead::extend(Time reached) {
    if (!ahead_) {
        report_marks();
        start_run_ahead();
        begin_window(commit_time_);
    } else if (cache_.posted_ahead_at() + 1 == reached) {
        save_rollback_point(undo_log_.split(reached), reached);
    } else {
        return reached;
    }
    return horizon();
}

inline void RunAhead::start_run_ahead() {
    ahead_ = true;
    cache_.post_ahead(true);
    loops_.detect(true);
}

void RunAhead::about_to_change(Address address, const Line* line, Time at) {
    // If the processor began to wait before `at`, all that it has executed is committed.
    if (!ahead_ || (stop_reason_ == StopReason::waiting && waits_from() < at)) return;
    commit_up_to(at);
    const RollbackPoint& begin = rollback_point(first_);
    // The code line in which the window began was entered before, so its last use may be earlier.
    // The prefetch queue can contain it even if the cache does not.
    const bool used = (line && line->used >= begin.window.start) ||
                      in_code(begin.context, cache_.cache().line_of(address));
    if (used) roll_back_to(at);
}

// Whether the prefetch queue can contain the line: it has the last line entered, and lines of the
// instruction under way. That may span several short lines, up to the last one entered. It does no
// harm to count a line too many.
bool RunAhead::in_code(const Context& context, Address line) const {
    const Address here = Processor::code_address(context);
    const Address last = context.fetch_line;
    if (last == line || (here != kNoLine && cache_.cache().line_of(here) == line)) return true;
    return context.fetched != 0 && (line - here < kMostCodeBytes || last - line < kMostCodeBytes);
}

// Looks at the instruction under way and at the rollback points. Code lines entered in between are
// in the cache.
bool RunAhead::executes_code(Address line) const {
    if (in_code(processor_.context(), line)) return true;
    for (std::size_t i = first_; ahead_ && i < end_; ++i)
        if (in_code(rollback_point(i).context, line)) return true;
    return false;
}

// The bus grants at `at` the store that occupies the port, so the end of the wait is known: the
// port is free at `free`. Where possible the processor executes at once what follows the wait.
//   The wait is committed already: it just becomes due at `free`.
//   It began before `at`: all before is committed, and the processor continues after the wait.
//   It will begin later, but before `free`: the same, but what precedes the wait is not committed.
//   The port will be free before the wait begins: the processor asks again at that time.
void RunAhead::port_granted(Time at, Time free) {
    const Time from = waits_from();
    if (!ahead_) {
        served(at);
        due(free);
    } else if (from < at) {
        commit_all();
        go_on_after_wait(at, free);
    } else if (from < free && processor_.marks().empty()) {
        report_wait();
        commit_up_to(at);
        go_on_after_wait(at, free);
    } else {
        stop_reason_ = StopReason::retry;
        due(from);
    }
}

// All marks made before such a wait have been reported.
void RunAhead::go_on_after_wait(Time granted, Time free) {
    const Time from = waits_from();
    processor_.resume(free);
    if (ahead_) {
        save_rollback_point(undo_log_.split(free), from + 1);
    } else {
        commit_time_ = granted;
        begin_window(free);
    }
    wait_ = {from, granted, free};
    after_wait_ = end_ - 1;
    start_run_ahead();
    run(horizon());
    if (stop_reason_ == StopReason::retry) due(processor_.next_time());
}

void RunAhead::commit_wait() {
    commit_all();
    wait_.from = waits_from();
}

void RunAhead::served(Time at) {
    if (ahead_) commit_wait();
    if (wait_reported_) return observer_.served(processor_.id(), at);
    wait_.granted = std::min(wait_.granted, at);
}

// Parts of the wait that observers have been notified of are not reported again.
inline void RunAhead::end_wait(Time at) {
    wait_.until = at;
    if (!wait_reported_) {
        wait_.granted = std::min(wait_.granted, at);
        return report_wait();
    }
    observer_.resumed(processor_.id(), at);
    wait_reported_ = false;
    wait_ = {};
}

// Reports a wait that is not over: its beginning, and since when it is served.
void RunAhead::report_open_wait() {
    if (stop_reason_ != StopReason::waiting || wait_reported_) return;
    if (wait_.from < wait_.granted) observer_.waiting(processor_.id(), wait_.from);
    if (wait_.granted < kNever)
        observer_.served(processor_.id(), std::max(wait_.from, wait_.granted));
    wait_reported_ = true;
}

void RunAhead::commit_all() {
    report_wait();
    report_marks();
    ahead_ = false;
}

void RunAhead::synchronise(Time at) {
    if (ahead_ && stop_reason_ == StopReason::waiting && waits_from() < at) commit_wait();
    if (ahead_) {
        commit_up_to(at);
        roll_back_to(at);
    }
    report_open_wait();
}

void RunAhead::commit_up_to(Time at) {
    while (first_ + 1 < end_ && rollback_point(first_ + 1).reached <= at) ++first_;
}

void RunAhead::roll_back_to(Time at) {
    cache_.withdraw(at);
    if (first_ < after_wait_) wait_ = {};
    if (at <= wait_.until && wait_.until != kNever) return wait_again();
    report_wait();
    const LoopDetector& loop = loops_.found();
    const Time end = loop.start().time;
    if (stop_reason_ == StopReason::looping && at >= end) {
        // All before the loop is committed, and so are its complete iterations. Only the iteration
        // that contains `at` is executed again.
        const Time later = loops_.wake(at);
        undo_log_.repeat_uses(rollback_point(first_).window, end - loop.period(), end, later);
        report_marks();
    } else {
        restore_rollback_point();
    }
    cache_.repeat(true);
    loops_.begin_run();
    stop_reason_ = processor_.run(commit_time_, at, &loops_);  // commit time as the first time
    cache_.repeat(false);
    if (stop_reason_ != StopReason::retry || processor_.next_time() < at)
        impossible("processor {} executed its past again and came to {} ps instead of {} ps",
                   processor_.id(), processor_.next_time(), at);
    report_marks();
    ahead_ = false;
    due(processor_.next_time());
}

// Rolls back all that the processor executed after its wait: it waits again until wait_.until.
void RunAhead::wait_again() {
    restore_rollback_point();
    processor_.wait_again(wait_.from, wait_.until);
    due(wait_.until);
    wait_.until = kNever;
    stop_reason_ = StopReason::waiting;
    ahead_ = false;
}

bool RunAhead::loops_from(Time at, StopReason stop_reason) {
    if (stop_reason == StopReason::halted) return true;
    if (stop_reason == StopReason::waiting) return false;
    // Each iteration brings the interrupt of a preemption nearer.
    if (processor_.preemption().state == Preemption::State::counts) return false;
    begin_window(at);
    DebugHook* const debugger = processor_.set_debug_hook(nullptr);
    const Preemption preemption = processor_.set_preemption({});
    const BranchTrace trace = processor_.branch_trace();
    loops_.begin_run();
    loops_.detect(true);
    const Time nothing_committed = -1;
    const StopReason found = processor_.run(nothing_committed, at + kLongestLoop, &loops_);
    loops_.detect(false);
    restore_rollback_point();
    processor_.set_debug_hook(debugger);
    processor_.set_preemption(preemption);
    processor_.branch_trace() = trace;
    return found == StopReason::looping;
}

void RunAhead::restore_rollback_point() {
    const RollbackPoint& saved = rollback_point(first_);
    processor_.restore(saved.context);
    if (saved.fpu_version != processor_.fpu_version())
        processor_.restore_fpu(saved.fpu, saved.fpu_version);
    std::copy_n(saved.log.begin(), saved.context.accesses, processor_.log().begin());
    if (saved.context.latched) processor_.latched() = saved.latched;
    processor_.marks().resize(saved.marks);
    undo_log_.roll_back(saved.window);
}

void RunAhead::report_marks_slow() {
    observer_.passed(processor_.id(), processor_.marks());
    processor_.marks().clear();
}

}  // namespace symsim
