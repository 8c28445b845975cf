// SPDX-License-Identifier: MIT
#include "sim/observe/call_meter.h"

#include "sim/base/failure.h"

namespace symsim {

void CallMeter::close(Time end) {
    for (CallParts& processor : processors_) add(processor.cut(end));
    Time sum = 0;
    for (const Spans& part : report_.parts) sum += part.sum;
    const Time all = end * static_cast<Time>(processors_.size());
    if (sum != all)
        impossible("the parts of calls sum to {} ps, the time of all processors is {} ps", sum,
                   all);
}

}  // namespace symsim
