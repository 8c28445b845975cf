// SPDX-License-Identifier: MIT
#include "sim/observe/lock_stalls.h"

#include <algorithm>

namespace symsim {

void LockStalls::wait(Address lock, std::uint32_t process, ProcessorId processor, Time at) {
    locks_[lock].waiters[process] = {processor, at};
}

void LockStalls::stop_waiting(Address address, std::uint32_t process, Time at) {
    Lock& lock = locks_[address];
    const auto waiter = lock.waiters.find(process);
    if (waiter == lock.waiters.end()) return;
    const Wait wait{process, waiter->second, at};
    lock.waiters.erase(waiter);
    if (!lock.holder)
        lock.waits.push_back(wait);
    else if (!lock.holder_runs)
        report(address, *lock.holder, wait, {lock.since, at});
}

void LockStalls::acquired(Address address, std::uint32_t process,
                          const std::vector<Absence>& absences, Time at) {
    Lock& lock = locks_[address];
    if (!lock.holder) {
        for (Absence absence : absences) {
            absence.from = std::max(absence.from, lock.since);
            for (const Wait& wait : lock.waits)
                if (wait.process != process) report(address, process, wait, absence);
            for (const auto& [waiting, waiter] : lock.waiters)
                report(address, process, {waiting, waiter, at}, absence);
        }
    }
    end_phase(address, lock, at);
    lock.holder = process;
    lock.holder_runs = true;
}

void LockStalls::released(Address address, std::uint32_t process, Time at) {
    Lock& lock = locks_[address];
    if (lock.holder != process) return;
    end_phase(address, lock, at);
    lock.holder.reset();
}

void LockStalls::runs(Address address, std::uint32_t process, bool running, Time at) {
    Lock& lock = locks_[address];
    if (lock.holder != process || lock.holder_runs == running) return;
    end_phase(address, lock, at);
    lock.holder_runs = running;
}

std::optional<std::uint32_t> LockStalls::holder(Address lock) const {
    const auto found = locks_.find(lock);
    return found == locks_.end() ? std::nullopt : found->second.holder;
}

// The part of the wait that lies within the absence.
void LockStalls::report(Address address, std::uint32_t holder, const Wait& wait,
                        const Absence& absence) {
    const Time from = std::max(wait.waiter.since, absence.from);
    const Time to = std::min(wait.until, absence.to);
    if (from < to)
        listener_.stalled({address, wait.process, wait.waiter.processor, holder, from, to});
}

void LockStalls::end_phase(Address address, Lock& lock, Time at) {
    if (lock.holder && !lock.holder_runs)
        for (const auto& [process, waiter] : lock.waiters)
            report(address, *lock.holder, {process, waiter, at}, {lock.since, at});
    lock.waits.clear();
    lock.since = at;
}

}  // namespace symsim
