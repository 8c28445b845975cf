// SPDX-License-Identifier: MIT
// Follows the threads of a Linux program through the kernel: each visit, from the entry to the
// return to ring 3, and each sleep on a futex, with who ended it. ProcessTimeline says when a
// thread runs; its number is that of a process there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

struct LinuxThread {
    std::uint32_t process = 0;  // number of its process
    std::string name;           // as the program has set it; empty: it has not
    Address function = 0;       // in which it begins; 0: not known
    Time created = 0;
};

// A thread in the kernel. It may lose the processor meanwhile.
struct KernelVisit {
    // interrupt: or an exception other than a page fault, or the begin of the thread
    enum class Why : std::uint8_t { system_call, page_fault, interrupt };
    std::uint32_t thread = 0;
    Why why = Why::interrupt;
    std::uint32_t number = 0;  // of the system call
    Time from = 0;
    Time to = 0;
    Time ran = 0;            // the part of it on a processor
    Time bus = 0;            // of the bus, in that part
    std::uint64_t uses = 0;  // of the bus
    bool open = false;       // the run ended first
};

// A sleep on a futex, from process_block to process_wake.
struct FutexWait {
    std::uint32_t thread = 0;
    std::uint32_t process = 0;
    Address word = 0;
    std::vector<Address> callers;  // where the call came from, innermost first
    Time from = 0;
    Time to = 0;
    bool open = false;                     // nobody ended it before the run ended
    std::optional<std::uint32_t> by = {};  // the thread that ended it; none: an interrupt did
    KernelVisit visit = {};                // of the kernel by that thread
};

// A static probe that a thread has passed.
struct LinuxEvent {
    std::uint32_t thread = 0;
    std::uint32_t number = 0;
    Time at = 0;
    std::vector<std::uint32_t> arguments = {};
};

class LinuxListener {
  public:
    virtual ~LinuxListener() = default;
    // In order of `to`, both.
    virtual void visited(const KernelVisit& visit) = 0;
    virtual void waited(const FutexWait& wait) = 0;
    virtual void happened(const LinuxEvent& event) = 0;  // those of a processor in order of time
};

// LinuxMeter and PerfettoThreads call take() for the marks of all processors in order of time, then
// close() once. The listener is notified within the calls.
class LinuxTimeline {
  public:
    LinuxTimeline(unsigned processors, LinuxListener& listener)
        : processors_(processors), listener_(listener) {}

    void take(ProcessorId processor, const Mark& mark);
    // A use of the bus by the processor begins, after the marks taken so far.
    void used(ProcessorId processor, Time duration);
    // Everything under way is cut at `end`.
    void close(Time end);

    const LinuxThread& thread(std::uint32_t number) const { return threads_.at(number).facts; }

  private:
    struct Thread {
        LinuxThread facts;
        Address creates = 0;  // the function of the thread that it creates next
        std::optional<KernelVisit> visit = {};
        Time runs_since = kNever;            // in that visit; kNever: it does not run
        std::optional<FutexWait> wait = {};  // from futex_wait on
        bool sleeps = false;                 // in `wait`
    };
    struct OwnProcessor {
        bool in_kernel = false;
        std::optional<std::uint32_t> thread = {};  // that it runs
        std::uint32_t created = 0;                 // the last thread that it has created
        std::uint32_t named = 0;                   // the last thread that it has named
        bool calls_wait = false;                   // `caller` belongs to futex_wait
        std::optional<LinuxEvent> event = {};      // whose arguments follow
    };

    void change(OwnProcessor& own, bool in_kernel, Time at);
    void create(OwnProcessor& own, std::uint32_t number, Time at);
    void run(OwnProcessor& own, std::uint32_t number, Time at);
    void stop(OwnProcessor& own, const Mark& mark);
    void wake(const OwnProcessor& own, Thread& thread, Time at);
    static void enter(Thread& thread, std::uint32_t number, Time at);
    void leave(Thread& thread, Time at, bool open);
    static void pause(Thread& thread, Time at);
    void tell(OwnProcessor& own, const Mark& mark);
    void end_event(OwnProcessor& own);

    std::vector<OwnProcessor> processors_;
    std::map<std::uint32_t, Thread> threads_;  // by number
    LinuxListener& listener_;
};

}  // namespace symsim
