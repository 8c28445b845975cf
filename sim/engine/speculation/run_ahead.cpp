// SPDX-License-Identifier: MIT
// Windows, commits and rollbacks of one processor. run_ahead.h explains why they are exact.
#include "sim/engine/speculation/run_ahead.h"

#include "sim/base/failure.h"
#include "sim/engine/speculation/loop_skipper.h"

namespace symsim {
namespace {

// Whether instructions of a code line can be in the prefetch queue, where a change of the line in
// the cache does not reach them. The queue has the last line entered, and lines of the instruction
// under way. That may span several short lines, up to the last one entered. It does no harm to
// count a line too many.
bool may_be_prefetched(const Context& context, const Cache& cache, Address line) {
    const Address here = Processor::code_address(context);
    const Address last = context.fetch_line;
    if (last == line || (here != kNoLine && cache.line_of(here) == line)) return true;
    return context.fetched != 0 && (line - here < kMostCodeBytes || last - line < kMostCodeBytes);
}

}  // namespace

RunAhead::RunAhead(Processor& processor, CacheController& cache, Observer& observer,
                   ReadyQueue& next)
    : processor_(processor),
      cache_(cache),
      observer_(observer),
      next_(next),
      wait_(processor.id(), observer),
      loops_(processor),
      points_(processor, cache, observer) {}

void RunAhead::go(Time commit_time) {
    if (ahead_) commit_all();
    if (stop_reason_ == StopReason::halted) {
        if (!processor_.wakes()) return due(kNever);
        observer_.resumed(processor_.id(), commit_time);
    }
    if (stop_reason_ == StopReason::waiting) {
        processor_.resume(commit_time);
        wait_.end(commit_time);
    }
    // Cleared before run(): if the processor acknowledges an interrupt, the interrupt line changes
    // and calls synchronise() and interrupted(), which must not find the processor halted.
    stop_reason_ = StopReason::retry;
    commit_time_ = commit_time;
    run(commit_time + 1);
    if (!ahead_) points_.commit();
    if (!ahead_ && stop_reason_ == StopReason::waiting) wait_.begin(waits_from());
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

// The processor asks at the limit of its run whether it may continue. The first time it has
// executed up to commit time: that is committed, and the window begins. Later it may have posted a
// store speculatively: a granted store cannot be made again, so a rollback point is saved after it.
Time RunAhead::extend(Time reached) {
    if (!ahead_) {
        points_.commit();
        start_run_ahead();
        points_.begin_window(commit_time_);
    } else if (cache_.posted_ahead_at() + 1 == reached) {
        points_.save(reached, reached);
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
    points_.commit_up_to(at);
    // The code line in which the window began was entered before, so its last use may be earlier.
    // The prefetch queue can contain it even if the cache does not.
    const Cache& cache = cache_.cache();
    const bool used = (line && line->used >= points_.start()) ||
                      may_be_prefetched(points_.context(), cache, cache.line_of(address));
    if (used) roll_back_to(at);
}

void RunAhead::roll_back(Time at) {
    if (!ahead_ || (stop_reason_ == StopReason::waiting && waits_from() < at)) return;
    points_.commit_up_to(at);
    roll_back_to(at);
}

// Looks at the instruction under way and at the rollback points. Code lines entered in between are
// in the cache.
bool RunAhead::executes_code(Address line) const {
    const auto there = [&](const Context& context) {
        return may_be_prefetched(context, cache_.cache(), line);
    };
    return there(processor_.context()) || (ahead_ && points_.any(there));
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
        continue_after_wait(at, free);
    } else if (from < free && processor_.marks().empty()) {
        wait_.commit();
        points_.commit_up_to(at);
        continue_after_wait(at, free);
    } else {
        stop_reason_ = StopReason::retry;
        due(from);
    }
}

// All marks made before such a wait have been reported.
void RunAhead::continue_after_wait(Time granted, Time free) {
    const Time from = waits_from();
    processor_.resume(free);
    if (ahead_) {
        points_.save(free, from + 1);
    } else {
        commit_time_ = granted;
        points_.begin_window(free);
    }
    wait_.is_over({from, granted, free});
    after_wait_ = points_.last();
    start_run_ahead();
    run(horizon());
    if (stop_reason_ == StopReason::retry) due(processor_.next_time());
}

void RunAhead::commit_wait() {
    commit_all();
    wait_.begin(waits_from());
}

void RunAhead::served(Time at) {
    if (ahead_) commit_wait();
    wait_.served(at);
}

void RunAhead::commit_all() {
    wait_.commit();
    points_.commit();
    ahead_ = false;
}

void RunAhead::synchronise(Time at) {
    if (ahead_ && stop_reason_ == StopReason::waiting && waits_from() < at) commit_wait();
    if (ahead_) {
        points_.commit_up_to(at);
        roll_back_to(at);
    }
    if (stop_reason_ == StopReason::waiting) wait_.report_open();
}

// Everything before the beginning of the window is committed.
void RunAhead::roll_back_to(Time at) {
    cache_.withdraw(at);
    if (points_.first() < after_wait_) wait_.discard();
    if (wait_.over() && at <= wait_.wait().until) return wait_again();
    wait_.commit();
    go_back_to(at);
    cache_.repeat(true);
    loops_.begin_run();
    stop_reason_ = processor_.run(commit_time_, at, &loops_);  // commit time as the first time
    cache_.repeat(false);
    if (stop_reason_ != StopReason::retry || processor_.next_time() < at)
        impossible("processor {} executed its past again and came to {} ps instead of {} ps",
                   processor_.id(), processor_.next_time(), at);
    points_.commit();
    ahead_ = false;
    due(processor_.next_time());
}

// Restores a state from which executing again comes to `at`: the beginning of the window. If the
// processor sleeps in a loop, all before the loop is committed, and so are its complete iterations.
// Only the iteration that contains `at` is executed again.
inline void RunAhead::go_back_to(Time at) {
    const LoopDetector& loop = loops_.found();
    const Time begin = loop.start().time;
    if (stop_reason_ != StopReason::looping || at < begin) return points_.restore();
    const Time later = loops_.wake(at);
    points_.repeat_uses(begin - loop.period(), begin, later);
    points_.commit();
}

// Rolls back all that the processor executed after its wait: it waits again until the wait's end.
void RunAhead::wait_again() {
    points_.restore();
    const Time from = wait_.wait().from;
    const Time until = wait_.reopen();
    processor_.wait_again(from, until);
    due(until);
    stop_reason_ = StopReason::waiting;
    ahead_ = false;
}

bool RunAhead::loops_from(Time at) {
    return loops_for_ever(processor_, points_, loops_, at, stop_reason_);
}

}  // namespace symsim
