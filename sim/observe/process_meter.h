// SPDX-License-Identifier: MIT
// Measures the processes of the guest: the time of each in each state, its counts, and the stalls
// at locks. The numbers come from the probe points of processes and locks, and from the activity
// kernel.
//
// A process moves between processors, so marks are taken in order of time.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/by_time.h"
#include "sim/observe/process_timeline.h"
#include "sim/observe/process_times.h"

namespace symsim {

// The Recorder calls passed() for each mark and reached() now and then, then close() once, then the
// other functions.
class ProcessMeter final : private ProcessListener {
  public:
    explicit ProcessMeter(unsigned processors) : timeline_(processors), kept_(processors) {}

    void passed(ProcessorId processor, const Mark& mark) {
        if (mark.what == Mark::What::activity || is_lock(mark.probe) || is_process(mark.probe) ||
            mark.probe == ProbeKind::process_fault)
            kept_.add(processor, mark);
    }
    // All marks before `at` have arrived.
    void reached(Time at) {
        kept_.take_before(at, [this](ProcessorId p, const Mark& mark) { take(p, mark); });
    }
    // Aborts unless the times of each process sum to its life.
    void close(Time end);

    // By number.
    std::vector<ProcessTimes> report() const;
    // In order of time.
    const std::vector<ProcessFault>& faults() const { return faults_; }
    // The sum of stalls by lock and processor of the waiter.
    using Stalls = std::map<std::pair<Address, ProcessorId>, Time>;
    const Stalls& stalls() const { return stalls_; }

  private:
    void take(ProcessorId processor, const Mark& mark);
    void count(ProcessTimes& times, ProcessorId processor, const Mark& mark);
    void spent(const ProcessSpan& span) override;
    void stalled(const LockStall& stall) override;

    ProcessTimeline timeline_;
    std::map<std::uint32_t, ProcessTimes> times_;
    std::vector<ProcessFault> faults_;
    Stalls stalls_;
    std::map<std::uint32_t, ProcessorId> last_processors_;  // of processes that have run
    MarksByTime kept_;
};

}  // namespace symsim
