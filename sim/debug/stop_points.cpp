// SPDX-License-Identifier: MIT
#include "sim/debug/stop_points.h"

#include <algorithm>

namespace symsim {

void StopPoints::unwatch(Stop::Watch what, LinearAddress linear, std::uint32_t size) {
    const auto same = [=](const Watched& w) {
        return w.what == what && w.linear == linear && w.size == size;
    };
    const auto found = std::find_if(watched_.begin(), watched_.end(), same);
    if (found != watched_.end()) watched_.erase(found);
}

void StopPoints::clear() {
    *this = StopPoints();
}

void StopPoints::go_on(const Processor* stepping, const Processor& from) {
    left_ = place_of(from);
    stepping_.reset();
    if (stepping)
        stepping_ = place_of(*stepping);
    else
        removed_but_active_.clear();
}

std::optional<Stop> StopPoints::at_begin(const Processor& processor) {
    const ProcessorId id = processor.id();
    Stop stop;
    stop.processor = id;
    const auto seen =
        std::find_if(seen_.begin(), seen_.end(), [=](const Stop& s) { return s.processor == id; });
    if (seen != seen_.end()) {
        stop = *seen;
        seen_.erase(std::remove_if(seen_.begin(), seen_.end(),
                                   [=](const Stop& s) { return s.processor == id; }),
                    seen_.end());
        return stop;
    }
    const Place here = place_of(processor);
    if (left_ && left_->processor == id) {
        if (*left_ == here) return std::nullopt;
        left_.reset();
    }
    const LinearAddress linear = processor.system().segments[cs].base + here.eip;
    const bool steps = stepping_ && stepping_->processor == id;
    if (breakpoints_.count(linear) || (!steps && removed_but_active_.count(linear))) {
        stop.why = Stop::Why::breakpoint;
        return stop;
    }
    if (!steps || *stepping_ == here) return std::nullopt;
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
