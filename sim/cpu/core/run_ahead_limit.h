// SPDX-License-Identifier: MIT
// How far a processor may continue beyond the limit of a run. Processor::run() asks when it reaches
// the limit, so that a whole run ahead of the bus is one call. Implemented by RunAhead
// (sim/engine/run_ahead.h).
#pragma once

#include "sim/base/time.h"

namespace symsim {

class RunAheadLimit {
  public:
    virtual ~RunAheadLimit() = default;
    // The processor has executed everything before `reached`. Returns a later limit, or `reached`
    // if the processor must stop.
    virtual Time extend(Time reached) = 0;
};

}  // namespace symsim
