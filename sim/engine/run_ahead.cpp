// SPDX-License-Identifier: MIT
#include "sim/engine/run_ahead.h"

#include <algorithm>

#include "sim/base/failure.h"

namespace symsim {

RunAhead::RunAhead(Processor& processor, CacheController& cache, Observer& observer,
                   Timetable& next)
    : processor_(processor), cache_(cache), observer_(observer), next_(next) {}

void RunAhead::go(Time present) {
    ahead_ = false;
    due(kNever);
    tell_marks();
    if (why_ == Pause::halted) {
        if (!processor_.wakes()) return;
        observer_.resumed(processor_.id(), present);
    }
    if (why_ == Pause::waiting) {
        processor_.resume(present);
        observer_.resumed(processor_.id(), present);
    }
    // Acknowledging an interrupt changes the line: that must not find it halted still.
    why_ = Pause::later;
    why_ = processor_.run(present, present + 1);
    tell_marks();
    if (why_ == Pause::later) {
        save(present);
        processor_.loop_detector().watch(true);
        why_ = processor_.run(present, present + processor_.clock().cycles(kHorizonClocks));
        processor_.loop_detector().watch(false);
        ahead_ = true;
    }
    if (why_ == Pause::halted) observer_.halted(processor_.id(), present);
    if (why_ == Pause::later) due(processor_.next_time());
}

void RunAhead::before_change(Address address, const Line* line, Time at) {
    if (!ahead_) return;
    const Address changed = cache_.cache().line_of(address);
    // The line it began the segment in was entered before, and needs no place in the cache.
    const bool used = (line && line->used >= start_) || saved_.fetch_line == changed ||
                      (saved_code_ && cache_.cache().line_of(*saved_code_) == changed);
    if (used) rewind(at);
}

// Where it is, and where it may be taken back to. What it has entered in between is in the cache.
bool RunAhead::holds_code(Address line) const {
    const auto is_here = [&](const std::optional<Address>& code) {
        return code && cache_.cache().line_of(*code) == line;
    };
    return processor_.context().fetch_line == line || is_here(processor_.code_address()) ||
           (ahead_ && (saved_.fetch_line == line || is_here(saved_code_)));
}

void RunAhead::settle(Time at) {
    if (ahead_) rewind(at);
}

void RunAhead::rewind(Time at) {
    const LoopDetector& loop = processor_.loop_detector();
    if (why_ == Pause::looping && at >= loop.start().time + 2 * loop.period()) {
        // All before the loop is final. One whole turn is executed besides the broken one, so
        // that each line of the loop gets the time of its last use.
        const Time turns = (at - loop.start().time) / loop.period() - 1;
        Context& context = processor_.context();
        context = loop.start();
        context.time += turns * loop.period();
        context.instructions += static_cast<std::uint64_t>(turns) * loop.instructions();
        const std::uint64_t branches = context.branches;
        context.branches += static_cast<std::uint64_t>(turns) * loop.branches();
        processor_.branch_trace().repeat(branches - loop.branches(), loop.branches(),
                                         context.branches);
        tell_marks();
    } else {
        restore();
    }
    why_ = processor_.run(start_, at);
    if (why_ != Pause::later || processor_.next_time() < at)
        impossible("processor {} executed its past again and came to {} ps instead of {} ps",
                   processor_.id(), processor_.next_time(), at);
    tell_marks();
    save(at);
    ahead_ = false;
    due(processor_.next_time());
}

bool RunAhead::loops_from(Time at, Pause why) {
    if (why == Pause::halted) return true;
    if (why == Pause::waiting) return false;
    save(at);
    const BranchTrace trace = processor_.branch_trace();
    processor_.loop_detector().watch(true);
    const Time nothing_is_present = -1;
    const Pause found = processor_.run(nothing_is_present, at + kLongestLoop);
    processor_.loop_detector().watch(false);
    restore();
    processor_.branch_trace() = trace;
    return found == Pause::looping;
}

void RunAhead::save(Time start) {
    saved_ = processor_.context();
    saved_code_ = processor_.code_address();
    std::copy_n(processor_.log().begin(), saved_.accesses, saved_log_.begin());
    if (saved_.held) saved_held_ = processor_.held();
    start_ = start;
    cache_.open_segment(start);
}

void RunAhead::restore() {
    processor_.context() = saved_;
    std::copy_n(saved_log_.begin(), saved_.accesses, processor_.log().begin());
    if (saved_.held) processor_.held() = saved_held_;
    processor_.marks().clear();
    cache_.take_back_segment();
}

void RunAhead::tell_marks() {
    if (processor_.marks().empty()) return;
    observer_.passed(processor_.id(), processor_.marks());
    processor_.marks().clear();
}

}  // namespace symsim
