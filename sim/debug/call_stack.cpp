// SPDX-License-Identifier: MIT
#include "sim/debug/call_stack.h"

#include <map>
#include <vector>

#include "sim/debug/stack_walk.h"

namespace symsim {

Address linear_eip(const Processor& processor) {
    return processor.system().segments[cs].base + processor.context().eip;
}

std::vector<Address> calls_of(const Processor& processor, const CacheController& cache,
                              const Image& image) {
    const Context& context = processor.context();
    const System& system = processor.system();
    const Address stack_base = system.segments[ss].base;
    StackView stack;
    stack.eip = linear_eip(processor);
    stack.esp = stack_base + (context.regs[esp] & system.stack_mask);
    stack.ebp = stack_base + (context.regs[ebp] & system.stack_mask);
    std::map<Address, std::vector<std::uint8_t>> seen;
    stack.page = [&](Address page) -> const std::uint8_t* {
        const auto physical = processor.look_up(page);
        if (!physical) return nullptr;
        const Address there = cache.decoded(*physical);
        if (!cache.memory().contains(there, kStackPage)) return nullptr;
        const auto [place, is_new] = seen.try_emplace(page);
        if (is_new) {
            place->second.resize(kStackPage);
            cache.peek_bytes(there, place->second.data(), kStackPage);
        }
        return place->second.data();
    };
    return walk_stack(stack, image);
}

}  // namespace symsim
