// SPDX-License-Identifier: MIT
// Measures a Linux program: its system calls by name, page faults, and sleeps on futexes, by word,
// caller and who ended them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/observe/linux_timeline.h"
#include "sim/observe/lock_meter.h"
#include "sim/observe/numbers.h"

namespace symsim {

// Of one thread.
struct LinuxThreadReport {
    std::uint32_t process = 0;
    std::string name;
    std::string function;
    std::uint64_t system_calls = 0;
    std::uint64_t page_faults = 0;
};

// All visits of the kernel for one reason.
struct KernelVisits {
    std::string name;  // of the system call, or page_fault, or interrupt
    Spans visits;
    Time ran = 0;  // on processors
    std::uint64_t uses = 0;
    Time bus = 0;
};

// Sleeps on one word, with the same caller, that were ended in the same way.
struct FutexWaits {
    std::uint32_t process = 0;
    Address word = 0;
    std::string symbol;                    // of the word; empty: it has none
    std::string function, caller;          // as callers_of() finds them
    std::optional<std::uint32_t> by = {};  // the thread that ended them
    std::string by_call;                   // in which visit of the kernel; empty: still asleep
    Spans waits;
};

struct LinuxReport {
    Time clock = 1;  // the processors' period
    Time user = 0, kernel = 0, scheduler = 0, idle = 0;
    std::uint64_t switches = 0, migrations = 0;
    std::vector<KernelVisits> visits;  // by name
    std::vector<FutexWaits> futexes;   // in order of process, word and callers
    std::vector<std::pair<std::string, std::uint64_t>> events;  // name, times passed; by number
};

// The reason of a visit: `names` has those of system calls, by number.
std::string visit_name(const KernelVisit& visit, const std::vector<std::string>& names);

// The function from which a program has called the C library, or its own, and that one's caller.
// Names with an underscore in front are those of the library's inside. Of each address but the
// first, where the call entered the kernel, the byte before counts.
std::pair<std::string, std::string> callers_of(const std::vector<Address>& callers,
                                               const SymbolOf& symbol_of);

// The Recorder calls passed() for each mark in order of time and used() for each use of the bus,
// then close() once, then the other functions.
class LinuxMeter final : private LinuxListener {
  public:
    LinuxMeter(unsigned processors, std::vector<std::string> system_calls,
               std::vector<std::string> events)
        : timeline_(processors, *this),
          system_calls_(std::move(system_calls)),
          uses_(processors),
          event_names_(std::move(events)) {}

    void passed(ProcessorId processor, const Mark& mark) {
        take_uses(processor, mark.time);
        timeline_.take(processor, mark);
    }
    // In order of time, before the marks of that time are passed.
    void used(const BusUse& use) { uses_[use.processor].emplace_back(use.start, use.duration); }
    // All marks and uses before `at` have come.
    void reached(Time at) {
        for (ProcessorId p = 0; p < uses_.size(); ++p) take_uses(p, at);
    }
    void close(Time end) {
        reached(end);
        timeline_.close(end);
    }

    LinuxReport report(const SymbolOf& symbol_of) const;
    const std::string& thread_name(std::uint32_t number, const std::string& program) const {
        const std::string& name = timeline_.thread(number).name;
        return name.empty() ? program : name;
    }
    LinuxThreadReport thread(std::uint32_t number, const std::string& program,
                             const SymbolOf& symbol_of) const;

  private:
    struct Counts {
        std::uint64_t system_calls = 0, page_faults = 0;
    };
    // Process, word, callers, who ended it, how.
    using FutexKey = std::tuple<std::uint32_t, Address, std::vector<Address>,
                                std::optional<std::uint32_t>, std::string>;

    void visited(const KernelVisit& visit) override;
    void waited(const FutexWait& wait) override;
    void happened(const LinuxEvent& event) override { ++events_[event.number]; }
    // Counts the uses that began before `at`.
    void take_uses(ProcessorId processor, Time at);

    LinuxTimeline timeline_;
    std::vector<std::string> system_calls_;
    std::vector<std::deque<std::pair<Time, Time>>> uses_;  // by processor: start, duration
    std::map<std::string, KernelVisits> visits_;
    std::map<std::uint32_t, Counts> counts_;  // by thread
    std::map<FutexKey, Spans> waits_;
    std::vector<std::string> event_names_;
    std::map<std::uint32_t, std::uint64_t> events_;  // by number
};

}  // namespace symsim
