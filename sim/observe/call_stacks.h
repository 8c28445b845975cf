// SPDX-License-Identifier: MIT
// The calls that have not returned, of each thread of a Linux program, from the calls and returns
// that processors report: right without frame pointers. A call is known by the place of its return
// address, so whatever removes calls without a return (longjmp, exceptions of C++) is noticed by
// the next call or return, and when the stack is asked for.
//
// A thread has several stacks if it handles signals on another one; the kernel has one for each
// thread and processor.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/by_time.h"

namespace symsim {

class CallStacks {
  public:
    explicit CallStacks(unsigned processors) : marks_(processors), running_(processors) {}

    void passed(ProcessorId processor, const Mark& mark);
    // All marks before `at` have been passed.
    void settle(Time at);

    // After settle(). Return addresses, innermost first, in the stack that the processor has at
    // this esp.
    std::vector<Address> calls(ProcessorId processor, Address esp) const;
    bool runs_thread(ProcessorId processor) const { return running_[processor].has_value(); }

  private:
    struct Call {
        Address slot;  // of the return address
        Address back;
    };
    // By the slot of its outermost call.
    using Stacks = std::map<Address, std::vector<Call>>;

    void take(ProcessorId processor, const Mark& mark);
    Stacks& stacks_of(ProcessorId processor, Address esp);

    MarksByTime marks_;
    std::vector<std::optional<std::uint32_t>> running_;  // by processor: its thread
    std::map<std::uint32_t, Stacks> threads_;
    Stacks kernel_;
};

}  // namespace symsim
