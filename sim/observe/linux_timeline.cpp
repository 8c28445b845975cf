// SPDX-License-Identifier: MIT
#include "sim/observe/linux_timeline.h"

#include <utility>

namespace symsim {

void LinuxTimeline::take(ProcessorId processor, const Mark& mark) {
    OwnProcessor& own = processors_[processor];
    const bool probe = mark.what == Mark::What::probe;
    if (probe && mark.probe == ProbeKind::event_argument && own.event)
        return own.event->arguments.push_back(mark.value);
    end_event(own);
    if (mark.what == Mark::What::activity)
        return change(own, mark.activity == Activity::kernel, mark.time);
    switch (mark.probe) {
        case ProbeKind::process_create:
            return create(own, mark.value, mark.time);
        case ProbeKind::process_run:
            return run(own, mark.value, mark.time);
        case ProbeKind::process_preempt:
        case ProbeKind::process_yield:
        case ProbeKind::process_block:
        case ProbeKind::process_exit:
            return stop(own, mark);
        case ProbeKind::process_wake:
            return wake(own, threads_.at(mark.value), mark.time);
        default:
            return tell(own, mark);
    }
}

void LinuxTimeline::end_event(OwnProcessor& own) {
    if (own.event) listener_.happened(*own.event);
    own.event.reset();
}

void LinuxTimeline::change(OwnProcessor& own, bool in_kernel, Time at) {
    if (std::exchange(own.in_kernel, in_kernel) == in_kernel || !own.thread) return;
    Thread& thread = threads_.at(*own.thread);
    if (in_kernel)
        enter(thread, *own.thread, at);
    else
        leave(thread, at, false);
}

// The thread of a new process continues in its creator's function.
void LinuxTimeline::create(OwnProcessor& own, std::uint32_t number, Time at) {
    Thread& thread = threads_[number];
    own.created = number;
    thread.facts.created = at;
    if (!own.thread) return;
    Thread& creator = threads_.at(*own.thread);
    thread.facts.name = creator.facts.name;
    thread.facts.function = creator.facts.function;
    if (creator.creates != 0) thread.facts.function = std::exchange(creator.creates, 0);
}

void LinuxTimeline::run(OwnProcessor& own, std::uint32_t number, Time at) {
    own.thread = number;
    Thread& thread = threads_.at(number);
    if (!thread.visit)
        enter(thread, number, at);
    else
        thread.runs_since = at;
}

void LinuxTimeline::stop(OwnProcessor& own, const Mark& mark) {
    Thread& thread = threads_.at(mark.value);
    pause(thread, mark.time);
    if (mark.probe == ProbeKind::process_block && thread.wait) {
        thread.sleeps = true;
        thread.wait->from = mark.time;
    }
    if (mark.probe == ProbeKind::process_exit) leave(thread, mark.time, false);
    own.thread.reset();
}

// Who wakes a thread in an interrupt is not the thread that the interrupt came to.
void LinuxTimeline::wake(const OwnProcessor& own, Thread& thread, Time at) {
    if (!thread.sleeps) return;
    if (own.thread) thread.wait->visit = threads_.at(*own.thread).visit.value_or(KernelVisit());
    if (thread.wait->visit.why == KernelVisit::Why::system_call) thread.wait->by = own.thread;
    thread.wait->to = at;
    listener_.waited(*thread.wait);
    thread.wait.reset();
    thread.sleeps = false;
}

// What the running thread, or one that has just been named, does.
void LinuxTimeline::tell(OwnProcessor& own, const Mark& mark) {
    if (mark.probe == ProbeKind::thread_process)
        threads_.at(own.created).facts.process = mark.value;
    if (mark.probe == ProbeKind::thread_name) {
        own.named = mark.value;
        threads_[own.named].facts.name.clear();
    }
    if (mark.probe == ProbeKind::name_part)
        for (unsigned bit = 0; bit < 32 && (mark.value >> bit & 0xff) != 0; bit += 8)
            threads_[own.named].facts.name += static_cast<char>(mark.value >> bit & 0xff);
    if (mark.probe == ProbeKind::futex_wait || mark.probe == ProbeKind::process_fault)
        own.calls_wait = mark.probe == ProbeKind::futex_wait;
    if (!own.thread) return;
    Thread& thread = threads_.at(*own.thread);
    if (mark.probe == ProbeKind::event) own.event = {*own.thread, mark.value, mark.time};
    if (mark.probe == ProbeKind::thread_function) thread.creates = mark.value;
    if (mark.probe == ProbeKind::futex_wait) {
        thread.wait.emplace();
        thread.wait->thread = *own.thread;
        thread.wait->process = thread.facts.process;
        thread.wait->word = mark.value;
    }
    if (mark.probe == ProbeKind::caller && own.calls_wait && thread.wait)
        thread.wait->callers.push_back(mark.value);
    if (!thread.visit) return;
    if (mark.probe == ProbeKind::system_call) {
        thread.visit->why = KernelVisit::Why::system_call;
        thread.visit->number = mark.value;
    } else if (mark.probe == ProbeKind::page_fault) {
        thread.visit->why = KernelVisit::Why::page_fault;
    }
}

void LinuxTimeline::used(ProcessorId processor, Time duration) {
    const OwnProcessor& own = processors_[processor];
    if (!own.in_kernel || !own.thread) return;
    if (std::optional<KernelVisit>& visit = threads_.at(*own.thread).visit) {
        visit->bus += duration;
        ++visit->uses;
    }
}

void LinuxTimeline::enter(Thread& thread, std::uint32_t number, Time at) {
    thread.visit.emplace();
    thread.visit->thread = number;
    thread.visit->from = at;
    thread.runs_since = at;
}

void LinuxTimeline::pause(Thread& thread, Time at) {
    if (thread.runs_since == kNever || !thread.visit) return;
    thread.visit->ran += at - std::exchange(thread.runs_since, kNever);
}

void LinuxTimeline::leave(Thread& thread, Time at, bool open) {
    if (!thread.visit) return;
    pause(thread, at);
    thread.visit->to = at;
    thread.visit->open = open;
    listener_.visited(*thread.visit);
    thread.visit.reset();
    if (!thread.sleeps) thread.wait.reset();
}

void LinuxTimeline::close(Time end) {
    for (OwnProcessor& own : processors_) end_event(own);
    for (auto& [number, thread] : threads_) {
        if (thread.sleeps) {
            thread.wait->to = end;
            thread.wait->open = true;
            listener_.waited(*thread.wait);
        }
        leave(thread, end, true);
    }
}

}  // namespace symsim
