// SPDX-License-Identifier: MIT
// Logs stores, and undoes stores and uses.
#include "sim/engine/speculation/undo_log.h"

namespace symsim {

void UndoLog::before_store(Line& line, Address address, unsigned size) {
    stores_.push_back({&line, line.state, address, size, cache_.memory().read(address, size)});
}

void UndoLog::restore(std::size_t number) {
    const Point& to = points_[number % kKept];
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
    for (std::size_t n = points_[number % kKept].uses; n < uses_.size(); ++n) {
        Line& line = *uses_[n].line;
        if (line.used >= begin && line.used < end) line.used += later;
    }
}

}  // namespace symsim
