// SPDX-License-Identifier: MIT
// What few rollback points need; the rest is inline in rollback_points.h.
#include "sim/engine/speculation/rollback_points.h"

#include <algorithm>
#include <utility>

#include "sim/base/failure.h"

namespace symsim {

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
    const Point& saved = points_[number % kKept];
    processor_.restore(saved.context);
    if (saved.fpu_version != processor_.fpu_version())
        processor_.restore_fpu(saved.fpu, saved.fpu_version);
    std::copy_n(saved.log.begin(), saved.context.accesses, processor_.log().begin());
    if (saved.context.latched) processor_.latched() = saved.latched;
}

void RollbackPoints::no_place(Time start) const {
    impossible("processor {}: the window from {} ps has no place for a rollback point at {} ps",
               marks_.processor(), this->start(), start);
}

}  // namespace symsim
