// SPDX-License-Identifier: MIT
// Saves the state that few rollback points need, and restores a processor.
#include "sim/engine/speculation/saved_processor.h"

#include <algorithm>
#include <utility>

namespace symsim {

// It is the accesses and the latched copy of an instruction under way. It is also the 80387, if it
// has changed since this place in the ring was last saved.
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

}  // namespace symsim
