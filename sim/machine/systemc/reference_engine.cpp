// SPDX-License-Identifier: MIT
// sc_spawn needs this macro before <systemc> is included.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "sim/machine/systemc/reference_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/engine/speculation/endless_loop.h"
#include "sim/machine/systemc/kernel_time.h"

namespace symsim {

ReferenceEngine::ReferenceEngine(const sc_core::sc_module_name& name, RunOutcome& outcome)
    : sc_module(name), outcome_(outcome) {}

void ReferenceEngine::build(const Parts& parts, Observer& observer) {
    parts_ = parts;
    observer_ = &observer;
    parts_.slic->connect(*this);
    parts_.slic->on_event_scheduled([this] { slic_sooner_.notify(sc_core::SC_ZERO_TIME); });
    sc_core::sc_spawn([this] { event_process(*parts_.slic, slic_sooner_); }, "slic_process");
    parts_.interconnect->on_event_scheduled(
        [this] { interconnect_sooner_.notify(sc_core::SC_ZERO_TIME); });
    sc_core::sc_spawn([this] { event_process(*parts_.interconnect, interconnect_sooner_); },
                      "interconnect_process");
    for (std::size_t i = 0; i < parts_.processors.size(); ++i) {
        cpus_.push_back(std::make_unique<Cpu>(*parts_.processors[i], *parts_.caches[i], observer));
        Cpu& cpu = *cpus_.back();
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
    if (begin_ > 0) sc_core::wait(kernel_time(begin_));
    turns_.announce(id);
    sc_core::wait(sc_core::SC_ZERO_TIME);
    for (;;) {
        turns_.finish(id);
        pause(cpu);
        const Time now = kernel_now();
        if (now >= outcome_.bound()) return;
        turns_.take(id);
        if (cpu.stop_reason == StopReason::waiting) cpu.processor.resume(now);
        if (cpu.stop_reason != StopReason::retry) observer_->resumed(id, now);
        // An acknowledged interrupt changes the interrupt line, which calls interrupted(). The
        // processor must not appear as halted there.
        cpu.stop_reason = StopReason::retry;
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

// Waits for the second delta cycle of `at`, in which processors act.
void ReferenceEngine::sleep_until(Time at, const Cpu& cpu) {
    if (at <= kernel_now()) return;
    sc_core::wait(kernel_time(at - kernel_now()));
    turns_.announce(cpu.processor.id());
    sc_core::wait(sc_core::SC_ZERO_TIME);
}

void ReferenceEngine::wake(ProcessorId processor, Time at) {
    if (at == kernel_now()) turns_.announce(processor);
    cpus_[processor]->wake_at = at;
    cpus_[processor]->woken.notify(sc_core::SC_ZERO_TIME);
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
    if (cpus_[processor]->stop_reason == StopReason::halted) wake(processor, at);
}

// `callback` is called in the first delta cycle of its time; processors act in the second.
void ReferenceEngine::call_back_at(Time at, std::function<Time(Time)> callback) {
    const auto process = [this, at, callback] {
        for (Time next = at; next < outcome_.bound(); next = callback(kernel_now()))
            sc_core::wait(kernel_time(next - kernel_now()));
    };
    sc_core::sc_spawn(process, "call_process");
}

void ReferenceEngine::resume_from(Time at, const std::vector<WakeState>& wake_states) {
    begin_ = at;
    for (std::size_t i = 0; i < cpus_.size(); ++i) {
        cpus_[i]->stop_reason = wake_states[i].stop_reason;
        cpus_[i]->wake_at = wake_states[i].next;
    }
}

bool ReferenceEngine::deadlocked(Time at) {
    return std::all_of(cpus_.begin(), cpus_.end(), [=](const auto& cpu) {
        if (cpu->stop_reason == StopReason::waiting) return cpu->wake_at == kNever;
        return loops_for_ever(cpu->processor, cpu->points, cpu->loops, at, cpu->stop_reason);
    });
}

}  // namespace symsim
