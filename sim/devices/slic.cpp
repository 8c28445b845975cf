// SPDX-License-Identifier: MIT
// The SLICs: events, the arbitration of their bus, delivery of messages, timers, and registers.
#include "sim/devices/slic.h"

#include <algorithm>

#include "sim/base/failure.h"
#include "sim/base/processor_set.h"

namespace symsim {

Slic::Slic(const SlicConfig& config, std::uint32_t processors, Time bus_period)
    : message_time_(config.message_ns * kNanosecond),
      mask_time_(config.mask_ns * kNanosecond),
      clock_(bus_period),
      units_(processors) {}

void Slic::schedule(Time at, Event::Kind kind, ProcessorId processor, std::uint64_t data) {
    const bool sooner = at < next_event();
    events_.push({at, order_++, kind, processor, data});
    if (sooner && event_scheduled_) event_scheduled_();
}

void Slic::advance(Time at) {
    while (!events_.empty() && events_.top().at <= at) {
        const Event event = events_.top();
        events_.pop();
        handle(event);
    }
}

void Slic::handle(const Event& event) {
    Unit& unit = units_[event.processor];
    switch (event.kind) {
        case Event::Kind::mask:
            unit.effective = static_cast<std::uint32_t>(event.data);
            update_line(event.processor, event.at);
            break;
        case Event::Kind::timer:
            if (event.data != unit.timer_set) break;
            unit.clock = true;
            start_timer(event.processor, event.at);
            update_line(event.processor, event.at);
            break;
        case Event::Kind::arbitrate:
            arbitrate(event.at);
            break;
        case Event::Kind::arrive:
            arrive(event.processor, event.at);
            break;
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
        schedule(bus_free_at_, Event::Kind::arrive, p, 0);
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
    schedule(clock_.edge_after(at), Event::Kind::arbitrate, sender_id, 0);
}

bool Slic::deliver(ProcessorId to, const Unit& sender, Time at) {
    if (sender.command == slic::kSendNmi) {
        units_[to].nmi_from = messages_;
        pins_->nmi(to, at);
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
    pins_->interrupt_line(processor, line, at);
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
    schedule(at + (unit.reload + 1) * timer_unit(unit), Event::Kind::timer, processor,
             unit.timer_set);
}

void Slic::command(ProcessorId processor, std::uint32_t value, Time at) {
    Unit& unit = units_[processor];
    if (unit.command != 0 || (value != slic::kSendInterrupt && value != slic::kSendNmi)) return;
    unit.command = value;
    unit.sent = at;
    unit.rejected = false;
    schedule(clock_.edge_after(at), Event::Kind::arbitrate, processor, 0);
}

std::uint32_t Slic::read(ProcessorId processor, Address address, unsigned size, Time at) {
    Unit& unit = units_[processor];
    std::uint32_t word = 0;
    switch ((address - slic::kBase) & ~3u) {
        case slic::kCommand:
            word = (unit.command ? slic::kBusy : 0u) | (unit.rejected ? slic::kRejected : 0u);
            break;
        case slic::kDestination:
            word = unit.destination;
            break;
        case slic::kBin:
            word = unit.bin;
            break;
        case slic::kMessage:
            word = unit.received;
            break;
        case slic::kMask:
            word = unit.mask;
            break;
        case slic::kGroups:
            word = unit.groups;
            break;
        case slic::kPriority:
            word = unit.priority;
            break;
        case slic::kPending:
            word = pending(unit);
            break;
        case slic::kSoftware:
            word = unit.software;
            if (address % 4 == 0) unit.software = 0;  // the bits are in the first byte
            break;
        case slic::kTimerReload:
            word = unit.reload;
            break;
        case slic::kTimerControl:
            word = unit.control;
            break;
        case slic::kTimerCount: {
            const Time passed = unit.control & 1 ? (at - unit.timer_start) / timer_unit(unit) : 0;
            word = unit.reload - static_cast<std::uint32_t>(std::min<Time>(passed, unit.reload));
            break;
        }
        default:
            word = unit.vector_base;
            break;
    }
    word >>= 8 * (address & 3);
    return size >= 4 ? word : word & ((1u << 8 * size) - 1);
}

void Slic::write(ProcessorId processor, Address address, std::uint32_t value, Time at) {
    Unit& unit = units_[processor];
    switch (address - slic::kBase) {
        case slic::kCommand:
            command(processor, value, at);
            break;
        case slic::kDestination:
            if (!unit.command) unit.destination = value & slic::kDestinationBits;
            break;
        case slic::kBin:
            if (!unit.command) unit.bin = value & (slic::kBins - 1);
            break;
        case slic::kMessage:
            if (!unit.command) unit.message = value & 0xff;
            break;
        case slic::kMask:
            unit.mask = value & 0xff;
            schedule(at + mask_time_, Event::Kind::mask, processor, unit.mask);
            break;
        case slic::kGroups:
            unit.groups = value & 0xff;
            break;
        case slic::kPriority:
            unit.priority = value & 31;
            break;
        case slic::kTimerReload:
            unit.reload = value & 0xff;
            break;
        case slic::kTimerControl:
            unit.control = value & 3;
            start_timer(processor, at);
            break;
        case slic::kVectorBase:
            unit.vector_base = value & 0xf8;
            break;
        default:
            break;
    }
}

}  // namespace symsim
