// SPDX-License-Identifier: MIT
// Jumps of the guest: conditions, and what a jump that is taken changes.
#include <cstddef>
#include <cstring>

#include "sim/cpu/exceptions/branch_trace.h"
#include "sim/cpu/state/context.h"
#include "sim/cpu/translate/emitter.h"

namespace symsim {

void Emitter::jump_of(const BlockItem& item) {
    Label& taken = labels_.emplace_back();
    if (item.shape.condition == kNoCondition)
        jump(always, taken);
    else
        jump_if(item.shape.condition, taken);
    defer([this, &item, &taken, offset = offset_] {
        set(taken);
        offset_ = offset;
        exit_ = &labels_.emplace_back();
        if (item.target) take_jump(item);
        set(*exit_);
        go(shared_.jump, *item.translated);
    });
}

// Jumps to `taken` under a condition of the guest, which encodes conditions as the host does. If
// the instruction before has just been emitted, the host compares its operands again, or its
// result. Else the condition follows from the guest's flags (sim/cpu/state/flags.h).
void Emitter::jump_if(std::uint8_t condition, Label& taken) {
    const unsigned pair = condition >> 1;
    const bool by_result = pair == equal >> 1 || pair == sign >> 1;
    if (host_flags_ == HostFlags::compared) {
        operand_bytes_ == 1 ? cmp(al, cl) : cmp(eax, ecx);
    } else if (host_flags_ == HostFlags::logic ||
               (host_flags_ == HostFlags::result_only && by_result)) {
        operand_bytes_ == 1 ? test(r8b, r8b) : test(r8d, r8d);
    } else {
        return jump_if_flags(condition, taken);
    }
    jump(static_cast<Condition>(condition), taken);
}

void Emitter::jump_if_flags(std::uint8_t condition, Label& taken) {
    const bool negated = condition & 1;
    const auto if_sign = [&] { jump(negated ? no_sign : sign, taken); };
    // below_or_equal and less_or_equal hold also if the result is zero, their negations only if it
    // is not.
    Label not_taken;
    const auto if_zero = [&] {
        cmp(at(cpu_.result), 0);
        jump(equal, negated ? not_taken : taken);
    };
    switch (condition & ~1) {
        case overflow:
            mov(eax, at(cpu_.carries));
            lea(ecx, ptr[rax + rax]);
            xor_(eax, ecx);
            if_sign();
            break;
        case below_or_equal:
            if_zero();
            [[fallthrough]];
        case below:
            cmp(at(cpu_.carries), 0);
            if_sign();
            break;
        case equal:
            cmp(at(cpu_.result), 0);
            jump(static_cast<Condition>(condition), taken);
            break;
        case sign:
            mov(eax, at(cpu_.carries));
            shl(eax, 31);
            xor_(eax, at(cpu_.result));
            if_sign();
            break;
        case parity:
            mov(eax, at(cpu_.carries));
            shr(eax, 8);
            xor_(eax, at(cpu_.result));
            test(al, al);
            jump(static_cast<Condition>(condition), taken);
            break;
        case less_or_equal:
            if_zero();
            [[fallthrough]];
        default:  // less: the sign differs from the overflow
            mov(eax, at(cpu_.carries));
            lea(ecx, ptr[rax + rax]);
            xor_(ecx, eax);
            shl(eax, 31);
            xor_(eax, ecx);
            xor_(eax, at(cpu_.result));
            if_sign();
            break;
    }
    set(not_taken);
}

// What FastPathRun::jump() does if the target can be executed at once. `exit_`, before anything has
// changed: it cannot.
void Emitter::take_jump(const BlockItem& item) {
    const Op& op = *item.op;
    const Op& target = *item.target;
    const Clock clock(layout_.clock_period);
    const Time taken = clock.cycles(op.clocks + item.translated->taken_clocks);
    const Time refill = clock.cycles(target.components) + target.dwords * layout_.hit_wait;
    const bool in_block = item.target_item < block_->size();
    const Translated* const to = in_block ? (*block_)[item.target_item].translated : nullptr;
    access_time(offset_ + static_cast<std::uint32_t>(taken));
    mov(ecx, static_cast<std::uint32_t>(refill + (to ? rest_of(*to) : 0)));
    mov(esi, op.address);
    mov(eax, target.address);
    call_or_leave(shared_.take_jump);
    const int steps = item.translated->number + 1;
    if (to) {
        count(steps - to->number);
        enter(*to, refill);
        jump(always, *entered_[item.target_item]);
        return;
    }
    count(steps);
    jmp(reinterpret_cast<const void*>(getCurr() + 5),
        T_NEAR);  // to what follows, until it is linked
    links_.push_back(
        {const_cast<std::uint8_t*>(getCurr()), &target, refill, item.translated->segments});
    lea(rdx, ptr[r8 + static_cast<std::int32_t>(refill)]);
    mov(rsi, reinterpret_cast<std::size_t>(&target));
    jmp(qword[rsi + static_cast<std::int32_t>(offsetof(Op, fast))]);
}

// Enters a block at `to`, `refill` ps after r8.
void Emitter::enter(const Translated& to, Time refill) {
    mov(byte[rdi + cpu_.entry], to.number);
    lea(rdx, ptr[r8 + static_cast<std::int32_t>(refill - to.offset)]);
}

// A jump at r8 from esi to eax, physical addresses, is taken if the target is in the cache and what
// follows, to the last instruction of its block, begins before the run must end. That is rcx ps
// later. What changes is what FastPathRun::branch_to() and arrive_at() change; but whoever ends the
// run sets eip.
void Emitter::shared_jump() {
    add(rcx, r8);
    cmp(rcx, at64(cpu_.fast_stop));
    leave_if(greater_or_equal);
    mov(r10d, eax);
    and_(r10d, layout_.line_mask);
    use_line();
    // What to add to a physical address for its offset in cs.
    mov(r10d, at(cpu_.window_begin));
    sub(r10d, at(cpu_.window_physical));
    mov(r11d, eax);
    and_(r11d, layout_.line_mask);
    mov(at(cpu_.fetch_line), r11d);
    Label forward;
    cmp(eax, esi);
    jump(above, forward);
    watch_loop();
    set(forward);
    record_branch();
}

// LoopWatch::asks(), which usually says no.
void Emitter::watch_loop() {
    mov(r11, at64(cpu_.loop_jumps));
    inc(r11);
    cmp(r11, at64(cpu_.loop_from));
    leave_if(above_or_equal);
    Label not_asked;
    lea(ecx, ptr[rax + r10]);
    cmp(ecx, at(cpu_.loop_eip));
    jump(not_equal, not_asked);
    for (unsigned n = 0; n < 8; ++n) {
        mov(ecx, reg_at(n));
        cmp(ecx, at(cpu_.loop_regs + 4 * static_cast<int>(n)));
        jump(not_equal, not_asked);
    }
    jump(always, *exit_);
    set(not_asked);
    mov(at64(cpu_.loop_jumps), r11);
}

// Exceptions::record_branch(), CoreState::complete() and InstructionFetch::refill().
void Emitter::record_branch() {
    static_assert(BranchTrace::kSize == 256, "a byte is the place in the ring");
    static_assert(sizeof(Branch) == 8 && offsetof(Branch, to) == 4);
    mov(r11, at64(cpu_.branches));
    movzx(ecx, r11b);
    inc(r11);
    mov(at64(cpu_.branches), r11);
    add(esi, r10d);
    mov(dword[rdi + rcx * 8 + cpu_.trace], esi);
    add(eax, r10d);
    mov(dword[rdi + rcx * 8 + cpu_.trace + 4], eax);
    UnderWay arrived;
    arrived.fetched = kAllLines | kRefilled;
    arrived.arrival = Arrival::by_branch;
    std::uint32_t words[2];
    static_assert(sizeof arrived == sizeof words);
    std::memcpy(words, &arrived, sizeof words);
    mov(at(cpu_.under_way), words[0]);
    mov(at(cpu_.under_way + 4), words[1]);
}

void Emitter::count(int instructions) {
    if (instructions) add(at64(cpu_.instructions), instructions);
}

}  // namespace symsim
