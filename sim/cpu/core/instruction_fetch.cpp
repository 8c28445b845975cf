// SPDX-License-Identifier: MIT
// Fetches of lines that the prefetch queue does not have yet. Each line is entered once, also if
// the instruction is executed again.
#include "sim/cpu/core/instruction_fetch.h"

#include <fmt/format.h>

namespace symsim {

// Usually the first line of an instruction in sequence is in the queue, unless it begins one.
bool InstructionFetch::fetch_lines(const Op& op) {
    const Context& context = core_.context;
    if (context.fetched & ~(kProbed | kBegun)) return fetch_slow(op);
    if (context.arrival != Arrival::in_sequence)
        return target_hits(op, context.time) ? refill_at_eip(op) : fetch_slow(op);
    Address line = cache_.cache().line_of(op.address);
    const auto after = [&](Address one) { return line_after(op, one); };
    if (line == context.fetch_line) line = after(line);
    return queue_hits(op, line, context.time, after) || fetch_slow(op);
}

// The fetch took the instruction's time to the limit: the instruction has begun.
bool InstructionFetch::fetched_at_limit() {
    core_.context.fetched |= kBegun;
    return at_limit();
}

bool InstructionFetch::fetch_slow(const Op& op) {
    Context& context = core_.context;
    const bool branched = context.arrival != Arrival::in_sequence;
    const Address last = cache_.cache().line_of(op.last);
    Address line = cache_.cache().line_of(op.address);
    for (unsigned n = 0; !(context.fetched & kAllLines); ++n, line = line_after(op, line)) {
        if (n == context.fetched / kOneLine) {
            const bool queued = n == 0 && !branched && line == context.fetch_line;
            if (!queued && !enter_line(n == 0 ? op.address : line)) {
                context.fetched |= kBegun;
                return false;
            }
            context.fetched += kOneLine;
        }
        if (line != last) continue;
        context.fetched = static_cast<std::uint8_t>(context.fetched % kOneLine | kAllLines);
        context.fetch_line = last;
    }
    if (branched && !(context.fetched & kRefilled)) return refill_at_eip(op);
    return context.time < core_.limit || fetched_at_limit();
}

bool InstructionFetch::enter_line(Address address) {
    const Time at = core_.context.time;
    if (at >= core_.limit) return core_.pause(at, StopReason::retry);
    return cache_.fetch_hits(address, at) ||
           request_line(address, at, core_.context.arrival != Arrival::in_sequence);
}

bool InstructionFetch::not_fetched(Access outcome, Address address, Time at) {
    if (outcome != Access::unmapped) return finish_access(outcome, at);
    return fail(fmt::format("instruction fetch from {:#010x}, where there is no memory", address),
                "look for a wild jump, call or return: the backtrace shows where it came from");
}

}  // namespace symsim
