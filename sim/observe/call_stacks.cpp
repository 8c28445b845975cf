// SPDX-License-Identifier: MIT
#include "sim/observe/call_stacks.h"

namespace symsim {
namespace {

constexpr Address kKernelBegin = 0xc000'0000;  // guest/linux/memory.h
constexpr Address kLargest = 8 << 20;          // of a program's stack that begins there
constexpr Address kPage = 4096;                // a thread's stack in the kernel

// The stack whose place has this address; end() if there is none.
template <class Stacks>
auto stack_at(Stacks& stacks, Address esp) {
    const auto found = stacks.lower_bound(esp);
    if (found == stacks.end()) return found;
    const bool here =
        esp >= kKernelBegin ? found->first / kPage == esp / kPage : found->first - esp <= kLargest;
    return here ? found : stacks.end();
}

}  // namespace

void CallStacks::passed(ProcessorId processor, const Mark& mark) {
    if (mark.is_call() || (mark.what == Mark::What::probe && is_process(mark.probe)))
        marks_.add(processor, mark);
}

void CallStacks::settle(Time at) {
    marks_.take_before(at,
                       [this](ProcessorId processor, const Mark& mark) { take(processor, mark); });
}

CallStacks::Stacks& CallStacks::stacks_of(ProcessorId processor, Address esp) {
    const std::optional<std::uint32_t>& thread = running_[processor];
    return thread && esp < kKernelBegin ? threads_[*thread] : kernel_;
}

// A new thread may continue on a copy of its creator's stack (fork).
void CallStacks::take(ProcessorId processor, const Mark& mark) {
    if (mark.what == Mark::What::call || mark.what == Mark::What::call_end) {
        Stacks& stacks = stacks_of(processor, mark.value);
        const auto stack = stack_at(stacks, mark.value);
        if (stack != stacks.end())
            while (!stack->second.empty() &&
                   stack->second.back().slot <=
                       mark.value - (mark.what == Mark::What::call ? 0 : 1))
                stack->second.pop_back();
        if (mark.what == Mark::What::call_end) return;
        std::vector<Call>& calls = stack != stacks.end() ? stack->second : stacks[mark.value];
        calls.push_back({mark.value, mark.address});
        return;
    }
    switch (mark.probe) {
        case ProbeKind::process_create:
            if (running_[processor]) threads_[mark.value] = threads_[*running_[processor]];
            break;
        case ProbeKind::process_run:
            running_[processor] = mark.value;
            break;
        case ProbeKind::process_exit:
            threads_.erase(mark.value);
            running_[processor].reset();
            break;
        case ProbeKind::process_preempt:
        case ProbeKind::process_yield:
        case ProbeKind::process_block:
            running_[processor].reset();
            break;
        default:
            break;
    }
}

std::vector<Address> CallStacks::calls(ProcessorId processor, Address esp) const {
    std::vector<Address> backs;
    const std::optional<std::uint32_t>& thread = running_[processor];
    const auto own = thread ? threads_.find(*thread) : threads_.end();
    if (esp < kKernelBegin && own == threads_.end()) return backs;
    const Stacks& stacks = esp < kKernelBegin ? own->second : kernel_;
    const auto stack = stack_at(stacks, esp);
    if (stack == stacks.end()) return backs;
    for (auto call = stack->second.rbegin(); call != stack->second.rend(); ++call)
        if (call->slot >= esp) backs.push_back(call->back);
    return backs;
}

}  // namespace symsim
