// SPDX-License-Identifier: MIT
// The SLICs: events, the arbitration of their bus, delivery of messages, timers, and registers.
#include "sim/devices/slic.h"

#include <algorithm>

#include "sim/base/failure.h"
#include "sim/base/observer.h"
#include "sim/base/processor_set.h"
#include "sim/devices/board.h"

namespace symsim {

Slic::Slic(const SlicConfig& config, const DeviceHost& host)
    : Device({slic::kBase, slic::kSize, DeviceReach::board}),
      message_time_(config.message_ns * kNanosecond),
      mask_time_(config.mask_ns * kNanosecond),
      clock_(host.bus_period),
      signals_(*host.signals),
      observer_(host.observer),
      units_(host.processors) {
    signals_.set_controller(*this);
}

void Slic::happen(const DeviceEvent& event) {
    Unit& unit = units_[event.processor];
    switch (event.kind) {
        case kMaskEvent:
            unit.effective = static_cast<std::uint32_t>(event.data);
            return update_line(event.processor, event.at);
        case kTimerEvent:
            if (event.data != unit.timer_set) return;
            unit.clock = true;
            start_timer(event.processor, event.at);
            return update_line(event.processor, event.at);
        case kArbitrateEvent:
            return arbitrate(event.at);
        case kArriveEvent:
            return arrive(event.processor, event.at);
    }
}

// The processor with the lowest number wins the SLIC bus. The others arbitrate again after the
// message has arrived.
void Slic::arbitrate(Time at) {
    if (at <= bus_free_at_) return;
    for (ProcessorId p = 0; p < units_.size(); ++p) {
        Unit& unit = units_[p];
        if (unit.command == 0) continue;
        bus_free_at_ = at + message_time_;
        schedule(bus_free_at_, kArriveEvent, p);
        return;
    }
}

void Slic::arrive(ProcessorId sender_id, Time at) {
    Unit& sender = units_[sender_id];
    ++messages_;
    ProcessorSet receivers;
    const auto deliver_to = [&](ProcessorId to) {
        const bool taken = deliver(to, sender, at);
        if (taken) receivers.add(to);
        return taken;
    };
    bool taken = true;
    if (sender.destination == slic::kAll) {
        for (ProcessorId p = 0; p < units_.size(); ++p) taken = deliver_to(p) && taken;
    } else if (sender.destination & slic::kProcessor) {
        const ProcessorId to = sender.destination - slic::kProcessor;
        taken = to < units_.size() && deliver_to(to);
    } else if (sender.destination & slic::kGroup) {
        const std::uint32_t group = 1u << (sender.destination & 7);
        ProcessorId chosen = static_cast<ProcessorId>(units_.size());
        for (ProcessorId p = 0; p < units_.size(); ++p)
            if (units_[p].groups & group &&
                (chosen == units_.size() || units_[p].priority < units_[chosen].priority))
                chosen = p;
        taken = chosen < units_.size() && deliver_to(chosen);
    } else {
        taken = sender.destination < units_.size() && deliver_to(sender.destination);
    }
    if (observer_)
        observer_->messaged({messages_, sender_id, sender.sent, at - message_time_, at,
                             static_cast<std::uint8_t>(sender.bin),
                             sender.command == slic::kSendNmi, receivers});
    sender.command = 0;
    sender.rejected = !taken;
    schedule(clock_.edge_after(at), kArbitrateEvent, sender_id);
}

bool Slic::deliver(ProcessorId to, const Unit& sender, Time at) {
    if (sender.command == slic::kSendNmi) {
        units_[to].nmi_from = messages_;
        signals_.pins().nmi(to, at);
        return true;
    }
    Unit& unit = units_[to];
    if (sender.bin == 0) {
        unit.software_new |= sender.message & 0xff;
        unit.software_from = messages_;
    } else {
        std::deque<QueuedMessage>& bin = unit.bins[sender.bin];
        if (bin.size() >= slic::kBinDepth) return false;
        bin.push_back({static_cast<std::uint8_t>(sender.message), messages_});
    }
    update_line(to, at);
    return true;
}

std::uint32_t Slic::pending(const Unit& unit) const {
    std::uint32_t bins = unit.software_new != 0 ? 1 : 0;
    for (unsigned bin = 1; bin < slic::kBins; ++bin)
        if (!unit.bins[bin].empty()) bins |= 1u << bin;
    return unit.clock ? bins | 1u << slic::kClockBin : bins;
}

void Slic::update_line(ProcessorId processor, Time at) {
    Unit& unit = units_[processor];
    const bool line = pending(unit) & unit.effective;
    if (line == unit.line) return;
    unit.line = line;
    signals_.pins().interrupt_line(processor, line, at);
}

// The pending interrupt of the highest unmasked bin goes first.
std::uint8_t Slic::acknowledge(ProcessorId processor, Time at) {
    Unit& unit = units_[processor];
    const std::uint32_t ready = pending(unit) & unit.effective;
    if (ready == 0)
        impossible("processor {} acknowledges an interrupt that is not there", processor);
    unsigned bin = slic::kBins - 1;
    while (!(ready >> bin & 1)) --bin;
    std::uint32_t from = 0;
    if (bin == 0) {
        from = unit.software_from;
        unit.software |= unit.software_new;
        unit.software_new = 0;
    } else if (bin == slic::kClockBin && unit.clock) {
        unit.clock = false;
    } else {
        unit.received = unit.bins[bin].front().message;
        from = unit.bins[bin].front().number;
        unit.bins[bin].pop_front();
    }
    update_line(processor, at);
    const auto vector = static_cast<std::uint8_t>(unit.vector_base + bin);
    report_taken(processor, at, vector, from);
    return vector;
}

void Slic::nmi_taken(ProcessorId processor, Time at) {
    constexpr std::uint8_t kNmiVector = 2;
    report_taken(processor, at, kNmiVector, units_[processor].nmi_from);
}

// The running period of the timer is not touched.
void Slic::run_out_timer(ProcessorId processor, Time at) {
    units_[processor].clock = true;
    update_line(processor, at);
}

void Slic::report_taken(ProcessorId processor, Time at, std::uint8_t vector,
                        std::uint32_t message) {
    if (observer_) observer_->interrupted(processor, at, vector, message);
}

Time Slic::timer_unit(const Unit& unit) const {
    constexpr Time kSlow = 100 * kMicrosecond;
    constexpr Time kFast = 200'000;
    return unit.control & 2 ? kFast : kSlow;
}

void Slic::start_timer(ProcessorId processor, Time at) {
    Unit& unit = units_[processor];
    ++unit.timer_set;
    unit.timer_start = at;
    if (!(unit.control & 1)) return;
    schedule(at + (unit.reload + 1) * timer_unit(unit), kTimerEvent, processor, unit.timer_set);
}

void Slic::command(ProcessorId processor, std::uint32_t value, Time at) {
    Unit& unit = units_[processor];
    if (unit.command != 0 || (value != slic::kSendInterrupt && value != slic::kSendNmi)) return;
    unit.command = value;
    unit.sent = at;
    unit.rejected = false;
    schedule(clock_.edge_after(at), kArbitrateEvent, processor);
}

// By number of the register.
constexpr Slic::Kept Slic::kKept[] = {
    /* command */ {},
    {&Unit::destination, &Unit::destination, slic::kDestinationBits, true},
    {&Unit::bin, &Unit::bin, slic::kBins - 1, true},
    {&Unit::received, &Unit::message, 0xff, true},
    {&Unit::mask, &Unit::mask, 0xff},
    {&Unit::groups, &Unit::groups, 0xff},
    {&Unit::priority, &Unit::priority, 31},
    /* pending */ {},
    /* software */ {&Unit::software},
    {&Unit::reload, &Unit::reload, 0xff},
    {&Unit::control, &Unit::control, 3},
    /* timer count */ {},
    {&Unit::vector_base, &Unit::vector_base, 0xf8},
};

std::uint32_t Slic::word(const Unit& unit, std::uint32_t offset, Time at) const {
    switch (offset) {
        case slic::kCommand:
            return (unit.command ? slic::kBusy : 0u) | (unit.rejected ? slic::kRejected : 0u);
        case slic::kPending:
            return pending(unit);
        case slic::kTimerCount: {
            const Time passed = unit.control & 1 ? (at - unit.timer_start) / timer_unit(unit) : 0;
            return unit.reload - static_cast<std::uint32_t>(std::min<Time>(passed, unit.reload));
        }
        default:
            return unit.*kKept[offset / 4].read;
    }
}

DeviceReply Slic::read(const DeviceAccess& access) {
    Unit& unit = units_[access.processor];
    const std::uint32_t offset = access.address - slic::kBase;
    const std::uint32_t dword = word(unit, offset & ~3u, access.at);
    // The bits are in the first byte.
    if (offset == slic::kSoftware) unit.software = 0;
    return {true, board::bytes_of(dword, access.address, access.size), 0};
}

DeviceReply Slic::write(const DeviceAccess& access, std::uint32_t value) {
    if (!is_dword(access)) return {};
    const ProcessorId processor = access.processor;
    Unit& unit = units_[processor];
    const std::uint32_t offset = access.address - slic::kBase;
    const Kept& kept = kKept[offset / 4];
    if (kept.written && !(kept.of_message && unit.command)) unit.*kept.written = value & kept.bits;
    if (offset == slic::kCommand) command(processor, value, access.at);
    if (offset == slic::kMask) schedule(access.at + mask_time_, kMaskEvent, processor, unit.mask);
    if (offset == slic::kTimerControl) start_timer(processor, access.at);
    return {true, 0, 0};
}

}  // namespace symsim
