// SPDX-License-Identifier: MIT
// Measures the processes of the guest: the time of each in each state, its counts, and the stalls
// at locks. The numbers come from the probe points of processes and locks, and from the activity
// kernel.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/linux_meter.h"
#include "sim/observe/lock_meter.h"
#include "sim/observe/process_timeline.h"

namespace symsim {

// The times and counts of one process.
struct ProcessTimes {
    std::uint32_t number = 0;
    Time created = 0;
    Time ended = kNever;  // kNever: it had not ended at the end of the run
    std::array<Time, kProcessStates> states{};
    std::uint64_t quanta = 0;  // times a processor began to run it
    std::uint64_t preemptions = 0;
    std::uint64_t extensions = 0;  // of a quantum: process_warn
    std::uint64_t yields = 0;
    std::uint64_t blocks = 0;
    std::uint64_t migrations = 0;    // times it ran on another processor than before
    std::uint64_t acquisitions = 0;  // of locks, outside the kernel

    LinuxThreadReport thread = {};  // of a Linux program

    Time running() const {
        Time sum = 0;
        for (const ProcessState state :
             {ProcessState::work, ProcessState::acquire, ProcessState::section,
              ProcessState::release, ProcessState::kernel})
            sum += states[index(state)];
        return sum;
    }
    // Adds the times and counts of another process.
    ProcessTimes& operator+=(const ProcessTimes& other);
};

// A process that the kernel ended because of a fault.
struct ProcessFault {
    std::uint32_t process = 0;
    ProcessorId processor = 0;
    Time at = 0;
    Address eip = 0;
    std::vector<Address> callers = {};  // of a Linux program: eip, and return addresses
};

// Aborts unless the times of the process sum to its life, up to the end of the run.
void check_partition(const ProcessTimes& times, Time end);

// The Recorder calls passed() for each mark, then close() once, then the other functions.
class ProcessMeter final : private ProcessListener {
  public:
    explicit ProcessMeter(unsigned processors) : timeline_(processors, *this) {}

    // A process moves between processors, so the marks of all come in order of time.
    void passed(ProcessorId processor, const Mark& mark);
    // Aborts unless the times of each process sum to its life.
    void close(Time end);

    // By number.
    std::vector<ProcessTimes> report() const;
    // In order of time.
    const std::vector<ProcessFault>& faults() const { return faults_; }
    // The sum of stalls by lock and processor of the waiter. It may have passed no probe point of
    // the lock on that processor.
    const ByLock<Time>& stalls() const { return stalls_; }

  private:
    void count(ProcessTimes& times, ProcessorId processor, const Mark& mark);
    void spent(const ProcessSpan& span) override;
    void stalled(const LockStall& stall) override;

    ProcessTimeline timeline_;
    std::map<std::uint32_t, ProcessTimes> times_;
    std::vector<ProcessFault> faults_;
    ByLock<Time> stalls_;
    std::map<std::uint32_t, ProcessorId> last_processors_;  // of processes that have run
};

}  // namespace symsim
