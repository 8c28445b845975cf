// SPDX-License-Identifier: MIT
// sc_spawn needs this macro before <systemc> is included.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "sim/machine/systemc/reference_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/engine/speculation/loop_skipper.h"
#include "sim/machine/systemc/kernel_time.h"

namespace symsim {

ReferenceEngine::ReferenceEngine(const sc_core::sc_module_name& name, RunOutcome& outcome)
    : sc_module(name), outcome_(outcome) {}

void ReferenceEngine::build(const Parts& parts, Observer& observer,
                            const std::vector<WakeState>& wake_states) {
    parts_ = parts;
    observer_ = &observer;
    parts_.signals->connect(*this);
    parts_.signals->on_event_scheduled([this] { device_sooner_.notify(sc_core::SC_ZERO_TIME); });
    sc_core::sc_spawn([this] { event_process(*parts_.signals, device_sooner_); }, "device_process");
    parts_.interconnect->on_event_scheduled(
        [this] { interconnect_sooner_.notify(sc_core::SC_ZERO_TIME); });
    sc_core::sc_spawn([this] { event_process(*parts_.interconnect, interconnect_sooner_); },
                      "interconnect_process");
    for (std::size_t i = 0; i < parts_.processors.size(); ++i) {
        cpus_.push_back(
            std::make_unique<Cpu>(*parts_.processors[i], *parts_.caches[i], observer, turns_));
        Cpu& cpu = *cpus_.back();
        if (!wake_states.empty()) {
            cpu.stop_reason = wake_states[i].stop_reason;
            cpu.wake_at = wake_states[i].next;
        }
        sc_core::sc_spawn([this, &cpu] { processor_process(cpu); },
                          fmt::format("processor_{}_process", i).c_str());
    }
}

template <class Part>
void ReferenceEngine::event_process(Part& part, sc_core::sc_event& sooner) {
    for (;;) {
        const Time next = part.next_event();
        if (next == kNever)
            sc_core::wait(sooner);
        else if (next > kernel_now())
            sc_core::wait(kernel_time(next - kernel_now()), sooner);
        const Time now = kernel_now();
        if (now >= outcome_.bound()) return;
        if (now == part.next_event()) part.advance(now);
    }
}

void ReferenceEngine::processor_process(Cpu& cpu) {
    const ProcessorId id = cpu.processor.id();
    turns_.announce(id);
    sc_core::wait(sc_core::SC_ZERO_TIME);
    for (;;) {
        turns_.finish(id);
        const Time held_before = held_time(cpu);
        pause(cpu);
        // An acknowledged interrupt changes the interrupt line, which calls interrupted(). The
        // processor must not appear as halted there.
        const StopReason paused_for = std::exchange(cpu.stop_reason, StopReason::retry);
        const bool was_held = take_turn(cpu, paused_for != StopReason::retry, held_before);
        const Time now = kernel_now();
        if (now >= outcome_.bound()) return turns_.finish(id);
        if (was_held || paused_for == StopReason::waiting) cpu.processor.resume(now);
        if (paused_for != StopReason::retry) observer_->resumed(id, now);
        cpu.stop_reason = cpu.processor.run(now, now + 1);
        if (!cpu.processor.marks().empty()) {
            observer_->passed(id, cpu.processor.marks());
            cpu.processor.marks().clear();
        }
        if (cpu.stop_reason == StopReason::halted) observer_->halted(id, now);
        if (cpu.stop_reason == StopReason::failed) {
            outcome_.fail(cpu.processor.failure());
            sc_core::sc_stop();
            turns_.finish(id);
            return;
        }
    }
}

// Waits until the processor may continue.
void ReferenceEngine::pause(Cpu& cpu) {
    switch (cpu.stop_reason) {
        case StopReason::retry:
            sleep_until(cpu.processor.next_time(), cpu);
            break;
        case StopReason::waiting:
            while (cpu.wake_at == kNever) sc_core::wait(cpu.woken);
            sleep_until(cpu.wake_at, cpu);
            break;
        case StopReason::halted:
            while (!cpu.processor.wakes()) {
                turns_.finish(cpu.processor.id());
                sc_core::wait(cpu.woken);
            }
            break;
        case StopReason::failed:
        case StopReason::raised:
        case StopReason::looping:
            impossible("processor {} pauses in the reference engine for reason {}",
                       cpu.processor.id(), static_cast<int>(cpu.stop_reason));
    }
    cpu.wake_at = kNever;
}

// Waits until the processor is the next to act, and is not held. Returns whether it has been held.
// Then it continues at an edge of its clock after the hold. If it was not `waiting` for the bus or
// an interrupt, it continues as much later as it has been held.
bool ReferenceEngine::take_turn(const Cpu& cpu, bool waiting, Time held_before) {
    const ProcessorId id = cpu.processor.id();
    const Clock& clock = cpu.processor.clock();
    const Time due = kernel_now();
    for (;;) {
        turns_.take(id);
        const Time now = kernel_now();
        Time at = now;
        if (!held_.contains(id)) {
            const Time held = waiting ? 0 : held_time(cpu) - held_before;
            if (held > 0) at = clock.edge_at_or_after(due + held);
            if (at <= now) return now > due;
            turns_.finish(id);
        } else {
            if (cpu.processor.cache().must_unlock()) return now > due;
            turns_.finish(id);
            sc_core::wait(released_);
            at = clock.edge_after(kernel_now());
        }
        sleep_until(at, cpu);
    }
}

// How long the processor has been held in all.
Time ReferenceEngine::held_time(const Cpu& cpu) const {
    const bool now = held_.contains(cpu.processor.id());
    return cpu.held_time + (now ? kernel_now() - cpu.held_from : 0);
}

// Waits for the second delta cycle of `at`, in which processors act.
void ReferenceEngine::sleep_until(Time at, const Cpu& cpu) {
    if (at <= kernel_now()) return;
    sc_core::wait(kernel_time(at - kernel_now()));
    turns_.announce(cpu.processor.id());
    sc_core::wait(sc_core::SC_ZERO_TIME);
}

void ReferenceEngine::hold(const ProcessorSet& processors) {
    if (processors == held_) return;
    for (const ProcessorId released : held_ - processors)
        cpus_[released]->held_time += kernel_now() - cpus_[released]->held_from;
    for (const ProcessorId begun : processors - held_) cpus_[begun]->held_from = kernel_now();
    held_ = processors;
    released_.notify();
}

void ReferenceEngine::Cpu::wake(Time at) {
    if (at == kernel_now()) turns.announce(processor.id());
    wake_at = at;
    woken.notify(sc_core::SC_ZERO_TIME);
}

void ReferenceEngine::interrupt_line(ProcessorId processor, bool asserted, Time at) {
    parts_.processors[processor]->set_interrupt_line(asserted);
    interrupted(processor, at);
}

void ReferenceEngine::nmi(ProcessorId processor, Time at) {
    parts_.processors[processor]->signal_nmi();
    interrupted(processor, at);
}

void ReferenceEngine::interrupted(ProcessorId processor, Time at) {
    if (cpus_[processor]->stop_reason == StopReason::halted) cpus_[processor]->wake(at);
}

// `callback` is called in the first delta cycle of its time; processors act in the second.
void ReferenceEngine::call_back_at(Time at, std::function<Time(Time)> callback) {
    const auto process = [this, at, callback] {
        for (Time next = at; next < outcome_.bound(); next = callback(kernel_now()))
            sc_core::wait(kernel_time(next - kernel_now()));
    };
    sc_core::sc_spawn(process, "call_process");
}

// A processor that is held may do what the others wait for.
bool ReferenceEngine::deadlocked(Time at) {
    if (!held_.empty()) return false;
    return std::all_of(cpus_.begin(), cpus_.end(), [=](const auto& cpu) {
        if (cpu->stop_reason == StopReason::waiting) return cpu->wake_at == kNever;
        return loops_for_ever(cpu->processor, cpu->points, cpu->loops, at, cpu->stop_reason);
    });
}

}  // namespace symsim
