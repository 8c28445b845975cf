// SPDX-License-Identifier: MIT
#include "sim/run/positions.h"

#include "sim/debug/crash_report.h"

namespace symsim {

bool has_positions(const RunOutcome& outcome) {
    return outcome.reason() != RunOutcome::Reason::power_off &&
           outcome.reason() != RunOutcome::Reason::guest_failure;
}

std::vector<ProcessorPosition> positions(const RunOutcome& outcome, const Machine& machine,
                                         const Recorder& recorder, const Image& image) {
    std::vector<ProcessorPosition> all;
    if (!has_positions(outcome)) return all;
    for (ProcessorId p = 0; p < machine.processors(); ++p) {
        const Context& context = machine.processor(p).context();
        const CrashSite site(machine.processor(p), machine.cache(p), image);
        ProcessorPosition position;
        position.state = recorder.state(p);
        position.interrupts = (context.flags.system & Flags::kInterrupt) != 0;
        position.eip = context.eip;
        position.symbol = image.symbols.describe(site.linear(context.eip));
        position.source = site.line(context.eip);
        if (const auto lock = recorder.awaited_lock(p))
            position.lock = image.symbols.describe(*lock);
        all.push_back(std::move(position));
    }
    return all;
}

}  // namespace symsim
