// SPDX-License-Identifier: MIT
// How the fast path enters translated code and what follows when it is left
// (sim/cpu/translate/translator.h).
#include "sim/cpu/core/processor.h"
#include "sim/cpu/translate/host_layout.h"
#include "sim/cpu/translate/translated.h"

namespace symsim {

void execute_translated(Processor& cpu, const Op& op, Time time) {
    const Translated& instruction = *op.translated;
    const Time begun = time - instruction.offset;
    if (!cpu.may_enter(instruction, begun)) return instruction.alone(cpu, op, time);
    const HostCode code = cpu.lines_entered() ? instruction.entered : instruction.code;
    code(cpu, instruction, begun, 0, 0, cpu.cache());
}

void leave_translated(Processor& cpu, const Translated& instruction, Time begun) {
    cpu.complete_up_to(instruction);
    instruction.alone(cpu, *instruction.op, begun + instruction.offset);
}

void end_translated(Processor& cpu, const Translated& next, Time begun) {
    cpu.complete_up_to(next);
    next.op->fast(cpu, *next.op, begun + next.offset);
}

void jump_translated(Processor& cpu, const Translated& jump, Time begun) {
    cpu.complete_up_to(jump);
    cpu.jump(*jump.op, begun + jump.offset, jump.taken_clocks);
}

namespace {

template <class Member, class Object>
std::int32_t distance(const Member& member, const Object& object) {
    return static_cast<std::int32_t>(reinterpret_cast<const char*>(&member) -
                                     reinterpret_cast<const char*>(&object));
}

}  // namespace

HostLayout::HostLayout(Processor& cpu) {
    const CoreState& core = cpu.core();
    const Context& context = core.context;
    const LoopWatch& loops = cpu.loop_watch();
    const auto of = [&cpu](const auto& member) { return distance(member, cpu); };
    processor.regs = of(context.regs.r);
    processor.result = of(context.flags.result);
    processor.carries = of(context.flags.carries);
    processor.fetch_line = of(context.fetch_line);
    processor.under_way = of(static_cast<const UnderWay&>(context));
    processor.instructions = of(context.instructions);
    processor.branches = of(context.branches);
    processor.window_begin = of(context.window.begin);
    processor.window_physical = of(context.window.physical);
    processor.fast_stop = of(core.fast_stop);
    processor.entry = of(core.block_entry);
    processor.loop_jumps = of(loops.jumps());
    processor.loop_from = of(loops.from());
    processor.loop_eip = of(loops.eip());
    processor.loop_regs = of(loops.regs().r);
    processor.trace = of(cpu.branch_trace().ring());

    const CacheController& controller = cpu.cache();
    const Cache& tags = cpu.cache().cache();
    const Cache::Places places = tags.places();
    const auto in_cache = [&controller](const auto& member) {
        return distance(member, controller);
    };
    cache.port_free_from = in_cache(controller.port_free_from());
    cache.lines = in_cache(places.first);
    cache.uses_next = in_cache(tags.uses().next());
    cache.uses_end = in_cache(tags.uses().end());
    cache.since = in_cache(tags.uses().since());

    clock_period = core.clock.period();
    hit_wait = controller.hit_wait();
    memory = controller.memory().data();
    ways = places.ways;
    line_mask = places.line_mask;
    set_mask = places.set_mask;
    lines_per_byte = places.lines_per_byte;
    fraction = places.fraction;
}

}  // namespace symsim
