// SPDX-License-Identifier: MIT
// Fetches of lines that the prefetch queue does not have yet: each line is entered once, also if
// the instruction is executed again. And the search for the instruction at eip: in the code window
// (CodeWindow), or across the end of the window.
#include "sim/cpu/core/instruction_fetch.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

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

// The instruction at eip. Null: it cannot be found now, or an exception has been raised.
const Op* InstructionFetch::find() {
    if (core_.context.latched) return &latched_;
    const CodeWindow& window = core_.context.window;
    const Offset eip = core_.context.eip;
    if (!window.contains(eip) && !open_window()) return nullptr;
    const Op* const op = decode_cache_.at(window.physical_of(eip), core_.system.wide_code());
    return window.contains(eip, op->length) ? op : across(*op);
}

// Opens the window that contains eip. With paging the window is a page. Without paging it is as
// much of the segment as is below device space. In device space the window is a page too: code
// there is in a ROM, whose bytes are elsewhere in memory (CachePort::decoded).
bool InstructionFetch::open_window() {
    if (core_.context.time >= core_.stop && !may_begin()) return false;
    const Segment& code = core_.system.segments[cs];
    const Offset eip = core_.context.eip;
    if (eip > code.limit) return raise(Fault::general_protection);
    const std::uint64_t end = std::uint64_t{code.limit} + 1;
    const LinearAddress linear = code.base + eip;
    core_.walk.offset = 0;
    Address physical;
    if (!translate(linear, {false, core_.system.cpl == 3}, physical)) return false;
    const bool by_page = core_.system.paging() || linear >= kDeviceSpace;
    const Address before = std::min(eip, by_page ? linear & Tlb::kPageMask : linear);
    const Address after =
        by_page ? Tlb::kPageMask + 1 - (linear & Tlb::kPageMask) : kDeviceSpace - linear;
    CodeWindow& window = core_.context.window;
    window.begin = eip - before;
    window.size = std::min(end, std::uint64_t{eip} + after) - window.begin;
    window.physical = cache_.decoded(physical) - before;
    const Address after_last = window.physical + static_cast<Address>(window.size);
    window.whole_pages = ((window.physical | after_last) & Tlb::kPageMask) == 0;
    return true;
}

// For an instruction that extends beyond the window: it is on two pages, or exceeds its segment.
// `op` was decoded as if its second page followed in physical memory. If another page follows, the
// bytes are collected from both pages here and decoded again.
const Op* InstructionFetch::across(const Op& op) {
    if (core_.context.time >= core_.stop && !may_begin()) return nullptr;
    const Segment& code = core_.system.segments[cs];
    const Offset eip = core_.context.eip;
    const Address here = core_.context.window.physical_of(eip);
    const std::uint64_t left = std::uint64_t{code.limit} - eip + 1;
    const unsigned on_page = Tlb::kPageMask + 1 - ((code.base + eip) & Tlb::kPageMask);
    Address next_page = here + on_page;
    if (core_.system.paging() && left > on_page) {
        core_.walk.offset = 0;
        if (!translate(code.base + eip + on_page, {false, core_.system.cpl == 3}, next_page))
            return nullptr;
    }
    const Op* found = &op;
    if (next_page != here + on_page) {
        std::array<std::uint8_t, ZYDIS_MAX_INSTRUCTION_LENGTH> bytes;
        const Memory& memory = cache_.memory();
        unsigned count = 0;
        for (; count < bytes.size(); ++count) {
            const Address from = count < on_page ? here + count : next_page + (count - on_page);
            if (!memory.contains(from, 1)) break;
            bytes[count] = memory.data()[from];
        }
        crossing_ = ProbedOp{};
        crossing_.address = here;
        crossing_complaint_ =
            decode_cache_.decode_apart(bytes.data(), count, core_.system.wide_code(), crossing_);
        if (crossing_complaint_) crossing_.complaint = &*crossing_complaint_;
        decode_cache_.tell(crossing_);
        crossing_.fast = leave_to_execute;  // its successor is not known
        crossing_.region = op.region;
        crossing_.entry = static_cast<std::uint8_t>(op.region);
        crossing_.simple = !crossing_.locked;
        crossing_.last = next_page + (crossing_.length - on_page - 1);
        if (op.probed()) crossing_.put_before(static_cast<const ProbedOp&>(op).probes);
        found = &crossing_;
    }
    if (found->length <= left) return found;
    raise(Fault::general_protection);
    return nullptr;
}

}  // namespace symsim
