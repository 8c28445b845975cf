// SPDX-License-Identifier: MIT
// The event loop of the fast engine, and its interrupt lines.
#include "sim/engine/fast_engine.h"

#include <algorithm>

namespace symsim {

void FastEngine::build(const Parts& parts, Observer& observer) {
    parts_ = parts;
    parts.signals->connect(*this);
    next_.emplace(parts.processors.size());
    for (std::size_t i = 0; i < parts.processors.size(); ++i) {
        run_ahead_.push_back(
            std::make_unique<RunAhead>(*parts.processors[i], *parts.caches[i], observer, *next_));
        parts.caches[i]->connect(*run_ahead_.back());
    }
}

// Order at one time: devices, the interconnect, then the processors by number.
void FastEngine::run_until(Time horizon) {
    horizon_ = horizon;
    ReadyQueue& next = *next_;
    for (;;) {
        const Time wake = next.soonest();
        const Time event = parts_.interconnect->next_event();
        const Time device = parts_.signals->next_event();
        const Time now = std::min(std::min(wake, event), device);
        if (now >= horizon_ || now >= outcome_.bound()) return;
        if (device <= now) {
            parts_.signals->advance(device);
        } else if (event <= wake) {
            parts_.interconnect->advance(event);
        } else {
            RunAhead& first = *run_ahead_[next.first()];
            first.go(now);
            if (first.stop_reason() == StopReason::failed)
                outcome_.fail(first.processor().failure());
        }
    }
}

// The processor sees the interrupt line from `at` on: what it has executed beyond is rolled back.
void FastEngine::interrupt_line(ProcessorId processor, bool asserted, Time at) {
    run_ahead_[processor]->synchronise(at);
    parts_.processors[processor]->set_interrupt_line(asserted);
    run_ahead_[processor]->interrupted(at);
}

void FastEngine::nmi(ProcessorId processor, Time at) {
    run_ahead_[processor]->synchronise(at);
    parts_.processors[processor]->signal_nmi();
    run_ahead_[processor]->interrupted(at);
}

void FastEngine::synchronise(Time at) {
    for (const auto& ahead : run_ahead_) ahead->synchronise(at);
}

std::vector<WakeState> FastEngine::wake_states() const {
    std::vector<WakeState> all;
    for (ProcessorId p = 0; p < run_ahead_.size(); ++p)
        all.push_back({run_ahead_[p]->stop_reason(), next_->at(p)});
    return all;
}

bool FastEngine::deadlocked(Time at) {
    synchronise(at);
    return std::all_of(run_ahead_.begin(), run_ahead_.end(), [=](const auto& ahead) {
        if (ahead->stop_reason() == StopReason::waiting)
            return next_->at(ahead->processor().id()) == kNever;
        return ahead->loops_from(at);
    });
}

}  // namespace symsim
