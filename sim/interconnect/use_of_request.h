// SPDX-License-Identifier: MIT
// The use of the bus, or of another resource of the interconnect, that a request makes.
#pragma once

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/interconnect/request.h"

namespace symsim {

inline BusUse use_of(ProcessorId port, const Request& request, Time start, Time duration) {
    BusUse use;
    use.start = start;
    use.duration = duration;
    use.posted = request.posted;
    use.processor = port;
    use.kind = request.kind;
    use.activity = request.activity;
    use.address = request.address;
    use.size = request.size;
    return use;
}

}  // namespace symsim
