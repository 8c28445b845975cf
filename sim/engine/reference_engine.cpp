// SPDX-License-Identifier: MIT
// sc_spawn wants this before <systemc>.
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "sim/engine/reference_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/engine/kernel_time.h"

namespace symsim {

ReferenceEngine::ReferenceEngine(const sc_core::sc_module_name& name, Ending& ending)
    : sc_module(name), ending_(ending) {}

void ReferenceEngine::build(const Parts& parts, Observer& observer) {
    parts_ = parts;
    observer_ = &observer;
    parts_.slic->connect(*this);
    parts_.slic->on_sooner([this] { slic_sooner_.notify(sc_core::SC_ZERO_TIME); });
    sc_core::sc_spawn([this] { edge_process(*parts_.slic, slic_sooner_); }, "slic_process");
    parts_.bus->on_sooner([this] { bus_sooner_.notify(sc_core::SC_ZERO_TIME); });
    sc_core::sc_spawn([this] { edge_process(*parts_.bus, bus_sooner_); }, "bus_process");
    for (std::size_t i = 0; i < parts_.processors.size(); ++i) {
        cpus_.push_back(
            std::make_unique<Cpu>(*parts_.processors[i], *parts_.caches[i], observer, unused_));
        Cpu& cpu = *cpus_.back();
        sc_core::sc_spawn([this, &cpu] { processor_process(cpu); },
                          fmt::format("processor_{}_process", i).c_str());
    }
}

template <class Edged>
void ReferenceEngine::edge_process(Edged& edged, sc_core::sc_event& sooner) {
    for (;;) {
        const Time next = edged.next_edge();
        if (next == kNever)
            sc_core::wait(sooner);
        else if (next > kernel_now())
            sc_core::wait(kernel_time(next - kernel_now()), sooner);
        const Time now = kernel_now();
        if (now >= ending_.bound()) return;
        if (now == edged.next_edge()) edged.edge(now);
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
        if (now >= ending_.bound()) return;
        turns_.take(id);
        if (cpu.why == Pause::waiting) cpu.processor.resume(now);
        if (cpu.why != Pause::later) observer_->resumed(id, now);
        // Acknowledging an interrupt changes the line: that must not find it halted still.
        cpu.why = Pause::later;
        cpu.why = cpu.processor.run(now, now + 1);
        if (!cpu.processor.marks().empty()) {
            observer_->passed(id, cpu.processor.marks());
            cpu.processor.marks().clear();
        }
        if (cpu.why == Pause::halted) observer_->halted(id, now);
        if (cpu.why == Pause::failed) {
            ending_.fail(cpu.processor.failure());
            sc_core::sc_stop();
            turns_.finish(id);
            return;
        }
    }
}

// Until it may go on.
void ReferenceEngine::pause(Cpu& cpu) {
    switch (cpu.why) {
        case Pause::later:
            sleep_until(cpu.processor.next_time(), cpu);
            break;
        case Pause::waiting:
            while (cpu.wake_at == kNever) sc_core::wait(cpu.woken);
            sleep_until(cpu.wake_at, cpu);
            break;
        case Pause::halted:
            while (!cpu.processor.wakes()) {
                turns_.finish(cpu.processor.id());
                sc_core::wait(cpu.woken);
            }
            break;
        case Pause::failed:
        case Pause::raised:
        case Pause::looping:
            impossible("processor {} pauses in the reference engine for reason {}",
                       cpu.processor.id(), static_cast<int>(cpu.why));
    }
    cpu.wake_at = kNever;
}

// To the second delta of `at`.
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
    if (cpus_[processor]->why == Pause::halted) wake(processor, at);
}

// In the first delta of its time: processors act in the second.
void ReferenceEngine::call_at(Time at, std::function<Time(Time)> told) {
    const auto process = [this, at, told] {
        for (Time next = at; next < ending_.bound(); next = told(kernel_now()))
            sc_core::wait(kernel_time(next - kernel_now()));
    };
    sc_core::sc_spawn(process, "call_process");
}

void ReferenceEngine::go_on_from(Time at, const std::vector<Standing>& standing) {
    begin_ = at;
    for (std::size_t i = 0; i < cpus_.size(); ++i) {
        cpus_[i]->why = standing[i].why;
        cpus_[i]->wake_at = standing[i].next;
    }
}

bool ReferenceEngine::stuck(Time at) {
    return std::all_of(cpus_.begin(), cpus_.end(),
                       [=](const auto& cpu) { return cpu->look_ahead.loops_from(at, cpu->why); });
}

}  // namespace symsim
