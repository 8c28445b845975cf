// SPDX-License-Identifier: MIT
#include "sim/engine/fast_engine.h"

#include <algorithm>

namespace symsim {

void FastEngine::build(const Parts& parts, Observer& observer) {
    parts_ = parts;
    parts.slic->connect(*this);
    next_.emplace(parts.processors.size());
    for (std::size_t i = 0; i < parts.processors.size(); ++i) {
        ahead_.push_back(
            std::make_unique<RunAhead>(*parts.processors[i], *parts.caches[i], observer, *next_));
        parts.caches[i]->set_snoop_hook(ahead_.back().get());
    }
}

// Order within one tick: interrupts, the bus, then the processors by number.
void FastEngine::run_until(Time horizon) {
    horizon_ = horizon;
    ReadyQueue& next = *next_;
    for (;;) {
        const Time wake = next.soonest();
        const Time edge = parts_.bus->next_edge();
        const Time interrupt = parts_.slic->next_edge();
        const Time now = std::min(std::min(wake, edge), interrupt);
        if (now >= horizon_ || now >= outcome_.bound()) return;
        if (interrupt <= now) {
            parts_.slic->edge(interrupt);
        } else if (edge <= wake) {
            parts_.bus->edge(edge);
        } else {
            RunAhead& first = *ahead_[next.first()];
            first.go(now);
            if (first.stop_reason() == StopReason::failed)
                outcome_.fail(first.processor().failure());
        }
    }
}

// The processor sees it from `at` on: what it has executed beyond is taken back.
void FastEngine::interrupt_line(ProcessorId processor, bool asserted, Time at) {
    ahead_[processor]->synchronise(at);
    parts_.processors[processor]->set_interrupt_line(asserted);
    ahead_[processor]->interrupted(at);
}

void FastEngine::nmi(ProcessorId processor, Time at) {
    ahead_[processor]->synchronise(at);
    parts_.processors[processor]->signal_nmi();
    ahead_[processor]->interrupted(at);
}

void FastEngine::synchronise(Time at) {
    for (const auto& ahead : ahead_) ahead->synchronise(at);
}

std::vector<WakeState> FastEngine::wake_states() const {
    std::vector<WakeState> all;
    for (ProcessorId p = 0; p < ahead_.size(); ++p)
        all.push_back({ahead_[p]->stop_reason(), next_->at(p)});
    return all;
}

void FastEngine::restore_wake_states(const std::vector<WakeState>& wake_states) {
    for (ProcessorId p = 0; p < ahead_.size(); ++p) ahead_[p]->restore_wake_state(wake_states[p]);
}

bool FastEngine::stuck(Time at) {
    synchronise(at);
    return std::all_of(ahead_.begin(), ahead_.end(), [=](const auto& ahead) {
        return ahead->loops_from(at, ahead->stop_reason());
    });
}

}  // namespace symsim
