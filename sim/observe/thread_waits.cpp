// SPDX-License-Identifier: MIT
#include "sim/observe/thread_waits.h"

#include <algorithm>

namespace symsim {

void ThreadWaits::set(Address thread, What what, Address object, Time at) {
    Thread& state = threads_[thread];
    if (at < state.since) return;
    state.what = what;
    state.object = object;
    state.since = at;
}

void ThreadWaits::own(Address mutex, Address thread, Time at) {
    Mutex& state = mutexes_[mutex];
    if (at >= state.since) state = {thread, at};
}

void ThreadWaits::passed(ProcessorId processor, const Mark& mark) {
    if (mark.what != Mark::What::probe) return;
    const Address thread = running_[processor];
    switch (mark.probe) {
        case ProbeKind::thread_start:
        case ProbeKind::thread_resume:
            running_[processor] = mark.value;
            break;
        case ProbeKind::thread_handle:
            set(thread, What::runs, 0, mark.time);
            threads_[thread].handle = mark.value;
            break;
        case ProbeKind::mutex_attempt:
            set(thread, What::mutex, mark.value, mark.time);
            break;
        case ProbeKind::mutex_acquired:
            set(thread, What::runs, 0, mark.time);
            own(mark.value, thread, mark.time);
            break;
        case ProbeKind::mutex_release:
            own(mark.value, 0, mark.time);
            break;
        case ProbeKind::thread_join:
            set(thread, What::join, mark.value, mark.time);
            break;
        case ProbeKind::condition_wait:
            set(thread, What::condition, mark.value, mark.time);
            break;
        case ProbeKind::barrier_wait:
            set(thread, What::barrier, mark.value, mark.time);
            break;
        case ProbeKind::wait_end:
            set(thread, What::runs, 0, mark.time);
            break;
        default:
            break;
    }
}

std::vector<ThreadWaits::Wait> ThreadWaits::waits() const {
    std::vector<Wait> all;
    for (const auto& [key, thread] : threads_) {
        if (thread.what == What::runs || thread.handle == 0) continue;
        Wait wait{thread.handle, thread.what, thread.object};
        const auto mutex = mutexes_.find(thread.object);
        if (thread.what == What::mutex && mutex != mutexes_.end() && mutex->second.owner != 0)
            wait.holder = threads_.at(mutex->second.owner).handle;
        all.push_back(wait);
    }
    std::sort(all.begin(), all.end(),
              [](const Wait& a, const Wait& b) { return a.handle < b.handle; });
    return all;
}

}  // namespace symsim
