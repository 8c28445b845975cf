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

HostLayout::HostLayout(const FastPathRun& run) {
    const auto& cpu = static_cast<const Processor&>(run);
    const CoreState& core = run.core_;
    const Context& context = core.context;
    const auto of = [&cpu](const auto& member) { return distance(member, cpu); };
    processor.regs = of(context.regs.r);
    processor.result = of(context.flags.result);
    processor.carries = of(context.flags.carries);
    processor.eip = of(context.eip);
    processor.fetch_line = of(context.fetch_line);
    processor.under_way = of(static_cast<const UnderWay&>(context));
    processor.instructions = of(context.instructions);
    processor.branches = of(context.branches);
    processor.window_begin = of(context.window.begin);
    processor.window_physical = of(context.window.physical);
    processor.fast_stop = of(core.fast_stop);
    processor.entry = of(core.block_entry);
    processor.loop_jumps = of(run.loop_watch_.jumps_);
    processor.loop_from = of(run.loop_watch_.from_);
    processor.loop_eip = of(run.loop_watch_.eip_);
    processor.loop_regs = of(run.loop_watch_.regs_.r);
    processor.trace = of(run.trace_.ring_);

    const CacheController& controller = run.cache_;
    const Cache& tags = controller.cache_;
    const auto in_cache = [&controller](const auto& member) {
        return distance(member, controller);
    };
    cache.port_free_from = in_cache(controller.stores_.free_from_);
    cache.lines = in_cache(tags.first_);
    cache.uses_next = in_cache(tags.uses_.next_);
    cache.uses_end = in_cache(tags.uses_.end_);
    cache.since = in_cache(tags.uses_.since_);

    clock_period = core.clock.period();
    hit_wait = controller.hit_wait();
    memory = controller.memory().data();
    ways = tags.ways_;
    line_mask = tags.line_mask_;
    set_mask = tags.set_mask_;
    lines_per_byte = tags.lines_per_byte_;
    fraction = Cache::kFraction;
}

}  // namespace symsim
