// SPDX-License-Identifier: MIT
// Divides the life of each process of the guest by its states, and finds the stalls at locks.
//
// A lock that a process attempts or holds belongs to the process: it keeps the lock when it does
// not run, and when it runs on another processor. A lock used in kernel code belongs to the
// processor and is not seen here.
//
// Whether a lock passes lock_released after lock_release is known only when it does. So the time
// after lock_release is kept until the process passes its next probe point of a lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/lock_stalls.h"

namespace symsim {

// At each instant from its creation to its end a process is in exactly one of these states.
enum class ProcessState : std::uint8_t {
    work,
    acquire,
    section,
    release,
    kernel,
    preempted,
    ready,
    blocked
};
constexpr std::array<std::string_view, 8> kProcessStateNames = {
    "work", "acquire", "section", "release", "kernel", "preempted", "ready", "blocked"};
constexpr std::array<std::string_view, 8> kProcessStateMeanings = {
    "it runs, and has nothing to do with a lock",
    "it runs between lock_attempt and lock_acquired",
    "it runs and holds a lock",
    "it runs between lock_release and lock_released; part of work or section if the lock does not "
    "pass lock_released",
    "its processor runs the kernel for it: activity kernel between process_run and the process's "
    "next switch",
    "from process_preempt until it runs again",
    "from process_create, process_yield or process_wake until it runs",
    "from process_block to process_wake"};
constexpr std::size_t kProcessStates = kProcessStateNames.size();

constexpr std::string_view name(ProcessState state) {
    return kProcessStateNames[index(state)];
}

// A time for which a process was in one state.
struct ProcessSpan {
    std::uint32_t process = 0;
    ProcessState state = ProcessState::ready;
    ProcessorId processor = 0;                 // that ran it, or ran it last
    Address lock = 0;                          // with acquire, section and release
    std::optional<std::uint32_t> holder = {};  // with acquire: who had the lock at `from`
    Time from = 0;
    Time to = 0;
};

class ProcessListener : public StallListener {
  public:
    // Spans of one process partition its life. They come in order of time, but for those in state
    // release or after a release, which may come later. None has length 0.
    virtual void spent(const ProcessSpan& span) = 0;
};

// ProcessMeter and PerfettoProcesses call take() for the marks of all processors in order of time,
// then close() once. The listener is notified within the calls.
class ProcessTimeline {
  public:
    ProcessTimeline(unsigned processors, ProcessListener& listener)
        : processors_(processors), listener_(listener), stalls_(listener) {}

    void take(ProcessorId processor, const Mark& mark);
    // Everything under way is cut at `end`.
    void close(Time end);

    // The process that the processor runs.
    std::optional<std::uint32_t> current(ProcessorId processor) const {
        return processors_[processor].process;
    }
    // Whether spans of the process may still come that are before the last one, or stalls because
    // of its absence: it waits for a lock, or may not have ended a release.
    bool undecided(std::uint32_t process) const {
        const Process& one = processes_.at(process);
        return !one.attempts.empty() || one.releasing;
    }

  private:
    struct OwnProcessor {
        bool in_kernel = false;  // its activity is kernel
        std::optional<std::uint32_t> process = {};
    };
    struct Process {
        bool ended = false;
        bool running = false;
        ProcessorId processor = 0;               // that runs it, or ran it last
        bool waits = false;                      // runs and waits for the locks in `attempts`
        ProcessState off = ProcessState::ready;  // its state if it does not run
        ProcessSpan span;                        // the one under way
        std::vector<Address> attempts, held;     // in order of time
        std::optional<Address> releasing = {};
        std::vector<ProcessSpan> kept;  // since lock_release of that lock
        std::vector<Absence> absences;  // since its first attempt under way
    };

    void switch_process(ProcessorId processor, const Mark& mark);
    void run(ProcessorId processor, std::uint32_t number, Process& process, Time at);
    void stop(ProcessorId processor, Process& process, ProcessState state, Time at);
    void pass_lock(Process& process, const Mark& mark);
    void end_release(Process& process, bool complete, Time at);
    // Around each change of what a process does.
    void begin_change(Process& process, Time at);
    void end_change(Process& process, Time at);
    // Ends the span under way, and begins another in the same state.
    void cut(Process& process, Time at);
    ProcessSpan span_of(const Process& process) const;

    std::vector<OwnProcessor> processors_;
    std::map<std::uint32_t, Process> processes_;
    ProcessListener& listener_;
    LockStalls stalls_;
};

}  // namespace symsim
