// SPDX-License-Identifier: MIT
// What few rollback points need; the rest is inline in rollback_points.h.
#include "sim/engine/speculation/rollback_points.h"

#include <algorithm>
#include <utility>

#include "sim/base/failure.h"

namespace symsim {

void UndoLog::before_store(Line& line, Address address, unsigned size) {
    stores_.push_back({&line, line.state, address, size, cache_.memory().read(address, size)});
}

void UndoLog::restore(std::size_t number) {
    const Point& to = points_[number % kKeptPoints];
    for (; stores_.size() > to.stores; stores_.pop_back()) {
        const Store& last = stores_.back();
        cache_.undo_store(*last.line, last.state, last.address, last.size, last.before);
    }
    for (std::size_t n = uses_.size(); n > to.uses; --n)
        uses_[n - 1].line->used = uses_[n - 1].before;
    uses_.cut(to.uses, to.start);
}

// A line whose use at the start of the window was logged can be there twice. After the first time
// its last use is later than `end`.
void UndoLog::repeat_uses(std::size_t number, Time begin, Time end, Time later) {
    for (std::size_t n = points_[number % kKeptPoints].uses; n < uses_.size(); ++n) {
        Line& line = *uses_[n].line;
        if (line.used >= begin && line.used < end) line.used += later;
    }
}

// Saves the accesses and the latched copy of an instruction under way, and the 80387 if it has
// changed since this place in the ring was last saved.
void SavedProcessor::save_more(Point& saved) {
    if (saved.fpu_version != processor_.fpu_version()) {
        saved.fpu = std::as_const(processor_).fpu();
        saved.fpu_version = processor_.fpu_version();
    }
    std::copy_n(processor_.log().begin(), saved.context.accesses, saved.log.begin());
    if (saved.context.latched) saved.latched = processor_.latched();
}

void SavedProcessor::restore(std::size_t number) {
    const Point& saved = points_[number % kKeptPoints];
    processor_.restore(saved.context);
    processor_.marks().resize(saved.marks);
    if (saved.fpu_version != processor_.fpu_version())
        processor_.restore_fpu(saved.fpu, saved.fpu_version);
    std::copy_n(saved.log.begin(), saved.context.accesses, processor_.log().begin());
    if (saved.context.latched) processor_.latched() = saved.latched;
}

void RollbackPoints::no_place(Time start) const {
    impossible("processor {}: the window from {} ps has no place for a rollback point at {} ps",
               processor_.id(), this->start(), start);
}

}  // namespace symsim
