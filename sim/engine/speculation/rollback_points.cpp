// SPDX-License-Identifier: MIT
// The failure of a window with too many rollback points; the rest is inline in rollback_points.h.
#include "sim/engine/speculation/rollback_points.h"

#include "sim/base/failure.h"

namespace symsim {

void RollbackPoints::no_place(Time start) const {
    impossible("processor {}: the window from {} ps has no place for a rollback point at {} ps",
               marks_.processor(), this->start(), start);
}

}  // namespace symsim
