// SPDX-License-Identifier: MIT
#include "sim/cpu/light.h"

namespace symsim {

void leave_to_execute(Processor& cpu, const Op& op) {
    cpu.leave_light(op);
}

void Processor::jump_light(const Op& op, unsigned more_clocks) {
    const Op* const target = op.target;
    const CodeWindow& window = context_.window;
    if (!target || target->light == leave_to_execute ||
        target->address - window.physical >= window.size ||
        target->last - window.physical >= window.size)
        return leave_light(op);
    const Address from = eip_of(op);
    complete_light(op);
    context_.time += clock_.cycles(more_clocks);
    context_.eip = eip_of(*target);
    context_.fetch_line = kNoLine;
    context_.arrival = Arrival::by_branch;
    trace_.add(context_.branches++, from, context_.eip);
    if (context_.eip <= from && came_round(op)) {
        light_end_ = nullptr;
        return;
    }
    if (!arrives_light(*target))
        return cache_.port_free(context_.time) ? leave_light(*target) : wait_light(*target);
    target->light(*this, *target);
}

// A place to read from that is not simply at the offset: allowed, and its page in the TLB.
bool Processor::translates_light(Seg segment, Address offset, unsigned size, Address& place) const {
    const Segment& s = system_.segments[segment];
    const std::uint64_t last = std::uint64_t{offset} + size - 1;
    if (!s.present() || !s.readable() || s.expands_down() || last > s.limit) return false;
    place = s.base + offset;
    if (!system_.paging()) return true;
    const TlbEntry* const entry = tlb_.find(place);
    if (!entry || (system_.cpl == 3 && !entry->user)) return false;
    place = entry->physical | (place & Tlb::kPageMask);
    return true;
}

// Light instructions have come to the limit, and may go beyond.
bool Processor::arrives_at_limit() {
    if (!fetched_at_limit()) return false;
    set_light_stop();
    return true;
}

// The target waits for the cache port, most often behind a store: what begin() and fetch() would
// come to.
void Processor::wait_light(const Op& target) {
    leave_light(target);
    if (!begins_light(target)) return;
    const Access outcome = cache_.fetch(target.address, access_time(context_.time), true);
    if (outcome == Access::nothing_there) return;
    const bool entered = settle(outcome, context_.time);
    context_.fetched |= entered ? kFirstLine : kBegun;
    if (!entered) light_end_ = nullptr;
}

}  // namespace symsim
