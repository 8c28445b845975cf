// SPDX-License-Identifier: MIT
// The SLICs: checks of a state that was loaded from a checkpoint file.
#include "sim/base/saved_state.h"
#include "sim/devices/slic.h"

namespace symsim {

void Slic::check_loaded(Time at) const {
    for (ProcessorId p = 0; p < units_.size(); ++p) {
        const Unit& unit = units_[p];
        require(unit.destination <= slic::kDestinationBits && unit.bin < slic::kBins &&
                    unit.message <= 0xff && unit.command <= slic::kSendNmi,
                "SLIC {} sends command {} to bin {} of {:#x}", p, unit.command, unit.bin,
                unit.destination);
        require(unit.mask <= 0xff && unit.effective <= 0xff && unit.groups <= 0xff &&
                    unit.priority <= 31 && unit.vector_base <= 0xff && unit.reload <= 0xff &&
                    unit.control <= 3,
                "SLIC {} has mask {:#x}, groups {:#x}, priority {}, timer {} and {}", p, unit.mask,
                unit.groups, unit.priority, unit.control, unit.reload);
        require(
            unit.sent >= 0 && unit.sent <= at && unit.timer_start >= 0 && unit.timer_start <= at,
            "SLIC {} has sent at {} ps and started its timer at {} ps", p, unit.sent,
            unit.timer_start);
        for (const auto& bin : unit.bins)
            require(bin.size() <= slic::kBinDepth, "SLIC {} has {} messages in a bin", p,
                    bin.size());
        require(unit.bins[0].empty(), "SLIC {} has messages in bin 0, which has bits", p);
        require(unit.line == ((pending(unit) & unit.effective) != 0),
                "the interrupt line of SLIC {} does not fit its bins", p);
    }
    // The longest wait for an event is the slow timer's.
    constexpr Time kLongest = 256 * 100 * kMicrosecond;
    require(bus_free_at_ >= 0 && bus_free_at_ <= at + kMillisecond, "the SLIC bus is free at {} ps",
            bus_free_at_);
    auto events = events_;
    for (Time before = at; !events.empty(); events.pop()) {
        const Event& event = events.top();
        require(event.at >= before && event.at <= at + kLongest && event.order < order_ &&
                    index(event.kind) <= index(Event::Kind::arrive) &&
                    event.processor < units_.size(),
                "an event of SLIC {} is at {} ps, of kind {}", event.processor, event.at,
                index(event.kind));
        before = event.at;
        if (event.kind != Event::Kind::arrive) continue;
        const Unit& sender = units_[event.processor];
        require(sender.command != 0 && sender.sent <= event.at - message_time_,
                "a message of SLIC {} arrives, and it has sent none", event.processor);
    }
}

}  // namespace symsim
