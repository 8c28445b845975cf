// SPDX-License-Identifier: MIT
#include "sim/debug/stop_points.h"

#include <algorithm>
#include <utility>

namespace symsim {

void StopPoints::watch(Stop::Watch what, LinearAddress linear, Address physical,
                       std::uint32_t size) {
    unwatch(what, linear, size);
    watched_.push_back({what, linear, physical, size});
}

void StopPoints::unwatch(Stop::Watch what, LinearAddress linear, std::uint32_t size) {
    const auto found = std::find(watched_.begin(), watched_.end(), Watched{what, linear, 0, size});
    if (found != watched_.end()) watched_.erase(found);
}

void StopPoints::clear() {
    *this = StopPoints();
}

void StopPoints::resume(const Processor& processor, Resume how) {
    stepping_[processor.id()].reset();
    if (how == Resume::step) stepping_[processor.id()] = place_of(processor);
}

// The first watchpoint that the processor's last instruction has hit, if it is still set. The
// others are forgotten: GDB gets one reason to stop.
std::optional<Stop> StopPoints::take_hit(ProcessorId processor) {
    std::optional<Stop> hit;
    std::vector<Stop> others;
    for (const Stop& seen : seen_) {
        const auto same = [&](const Watched& w) {
            return w.what == seen.watch && w.linear == seen.address;
        };
        if (seen.processor != processor)
            others.push_back(seen);
        else if (!hit && std::any_of(watched_.begin(), watched_.end(), same))
            hit = seen;
    }
    seen_ = std::move(others);
    return hit;
}

std::optional<Stop> StopPoints::at_begin(const Processor& processor) {
    const ProcessorId id = processor.id();
    if (const auto hit = take_hit(id)) return hit;
    Stop stop;
    stop.processor = id;
    const Place here = place_of(processor);
    std::optional<Place>& left = left_[id];
    if (left == here) return std::nullopt;
    left.reset();
    const LinearAddress linear = processor.system().segments[cs].base + here.eip;
    for (const auto kind : {Stop::Breakpoint::software, Stop::Breakpoint::hardware}) {
        if (of(kind).count(linear) == 0) continue;
        stop.why = Stop::Why::breakpoint;
        stop.breakpoint = kind;
        return stop;
    }
    if (!stepping_[id] || stepping_[id] == here) return std::nullopt;
    stop.why = Stop::Why::step;
    return stop;
}

void StopPoints::accessed(ProcessorId processor, Address physical, unsigned size, bool write) {
    for (const Watched& w : watched_) {
        const bool wanted =
            w.what == Stop::Watch::access || (w.what == Stop::Watch::write) == write;
        if (!wanted || physical + size <= w.physical || w.physical + w.size <= physical) continue;
        Stop stop;
        stop.why = Stop::Why::watchpoint;
        stop.processor = processor;
        stop.watch = w.what;
        stop.address = w.linear;
        seen_.push_back(stop);
    }
}

}  // namespace symsim
