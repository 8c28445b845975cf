// SPDX-License-Identifier: MIT
// Measures the address spaces of the guest: how long each has processors, what they do there, and
// its calls. A processor in a space is a process of the guest, number = processor * spaces + space;
// the probe point process_run says when it comes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/activity.h"
#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/numbers.h"

namespace symsim {

// Why a processor comes to a space: enum upcall_reason in guest/include/space.h.
constexpr std::array<std::string_view, 5> kUpcallReasonNames = {"start", "donated", "returned",
                                                                "ended", "taken"};
constexpr std::array<std::string_view, 5> kUpcallReasonMeanings = {
    "the kernel gave it when the run began", "another space donated it",
    "another space gave back what this one had donated", "the space that had it has ended",
    "the kernel took it from another space, which is preempted"};
constexpr std::size_t kUpcallReasons = kUpcallReasonNames.size();

struct SpaceTimes {
    std::string name;                                     // empty: in no space yet
    std::array<Time, kActivities> activities{};           // of processors that are in it
    std::uint64_t arrivals = 0;                           // times a processor came
    std::array<std::uint64_t, kUpcallReasons> upcalls{};  // those by an upcall, by its reason
    std::uint64_t donations = 0;                          // times it gave one away
    std::uint64_t preemptions = 0;                        // times the kernel took one away
    std::uint64_t calls = 0;                              // that its threads have begun
    std::uint64_t served = 0;                             // that it has served
    std::uint64_t polls = 0;                              // looks for messages
    std::uint64_t found = 0;                              // messages that it has received

    Time held() const { return sum(activities); }
};

// The Recorder calls passed() for each mark, then close() once, then report().
class SpaceMeter {
  public:
    SpaceMeter(unsigned processors, const std::vector<std::string>& names);

    void passed(ProcessorId processor, const Mark& mark);
    // Aborts unless the times of all spaces sum to the time of all processors.
    void close(Time end);
    // In order of number; the last one is for processors that are in no space yet.
    const std::vector<SpaceTimes>& report() const { return spaces_; }

  private:
    struct Place {
        std::uint32_t space = 0;
        Activity activity = Activity::boot;
        Time since = 0;
    };
    void advance(Place& place, Time at);

    std::vector<SpaceTimes> spaces_;
    std::vector<Place> places_;  // by processor
};

}  // namespace symsim
