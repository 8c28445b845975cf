// SPDX-License-Identifier: MIT
#include "sim/observe/call_meter.h"

#include "sim/base/failure.h"
#include "sim/base/saved_state.h"

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

void CallMeter::check_loaded(unsigned processors, Time at) const {
    require(processors_.size() == processors, "it has calls of {} processors", processors_.size());
    CheckedSum sum;
    for (const Spans& part : report_.parts) sum.add(part.sum);
    Time elapsed = 0;
    for (const CallParts& processor : processors_) {
        processor.check_loaded(at);
        elapsed += processor.since();
    }
    require(sum.sum() == elapsed, "the parts of calls sum to {} ps", sum.sum());
}

}  // namespace symsim
