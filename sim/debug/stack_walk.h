// SPDX-License-Identifier: MIT
// Finds the calls that have not returned (the backtrace) from the contents of a processor's stack:
// for crash reports and the profile.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/controller.h"
#include "sim/cpu/core/processor.h"
#include "sim/image/image.h"

namespace symsim {

constexpr Address kStackPage = 4096;

// What the search needs of a processor. All addresses are linear.
struct StackView {
    Offset eip = 0;
    Address esp = 0;
    Address ebp = 0;
    // A call that names the function where the walk is counts more than an indirect one, and that
    // more than one of another function: values left over are seldom taken for calls then.
    bool by_target = false;
    // The bytes of a page, which stay valid as long as this StackView; null if the page is not in
    // memory.
    std::function<const std::uint8_t*(Address page)> page;
};

// Return addresses, innermost first. A function that has set up a frame (push %ebp; mov
// %esp,%ebp) has its return address at a known place. For other functions the stack is searched for
// a value that points right after a call instruction. That value may be left over from a call that
// has returned.
std::vector<Address> walk_stack(const StackView& stack, const Image& image);

// The linear address of the instruction that the processor is at.
Address linear_eip(const Processor& processor);

// Linear return addresses of the calls that have not returned, innermost first. walk_stack()
// says how they are found and when one may be wrong.
std::vector<Address> calls_of(const Processor& processor, const CacheController& cache,
                              const Image& image);

// Of a processor in ring 0: eip and esp with which ring 3 has entered it. The processor has pushed
// eip, cs, eflags, esp and ss to the stack of its task (PRM 9.6.1).
std::pair<Address, Address> ring_3_of(const Processor& processor, const CacheController& cache);
// That eip, and the return addresses there, innermost first.
std::vector<Address> callers_of_kernel(const Processor& processor, const CacheController& cache,
                                       const Image& image);

}  // namespace symsim
