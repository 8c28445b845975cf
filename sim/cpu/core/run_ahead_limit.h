// SPDX-License-Identifier: MIT
// How far a processor may go beyond the limit of a run: asked when it is there, so that running
// ahead of the bus is one run and not one for each part.
#pragma once

#include "sim/base/time.h"

namespace symsim {

class RunAheadLimit {
  public:
    virtual ~RunAheadLimit() = default;
    // All that comes before `reached` has been executed. Returns how far it may go on: later, or
    // not at all.
    virtual Time extend(Time reached) = 0;
};

}  // namespace symsim
