// SPDX-License-Identifier: MIT
// Jumps, and how the code of a block begins and ends.
#include <cstddef>
#include <cstring>

#include "sim/cpu/exceptions/branch_trace.h"
#include "sim/cpu/state/context.h"
#include "sim/cpu/translate/emitter.h"

namespace symsim {

Emitter::Emitter(std::uint8_t* room, std::size_t bytes, const HostLayout& layout)
    : CodeGenerator(bytes, room), layout_(layout), cpu_(layout.processor), cache_(layout.cache) {}

void Emitter::emit(const std::vector<BlockItem>& block, const Translated& end,
                   const SharedCode& shared) {
    block_ = &block;
    shared_ = shared;
    for (std::size_t n = 0; n < block.size(); ++n) entered_.push_back(&label());
    for (std::size_t n = 0; n < block.size(); ++n) item(n);
    go(shared_.end, end);
    for (std::size_t n = 0; n < deferred_.size(); ++n) deferred_[n]();
}

void Emitter::item(std::size_t number) {
    const BlockItem& item = (*block_)[number];
    Translated& translated = *item.translated;
    exit_ = &label();
    offset_ = translated.offset;
    const auto here = [this] { return reinterpret_cast<HostCode>(getCurr<std::size_t>()); };
    translated.code = here();
    if (item.enters) {
        enter_lines(item);
        host_flags_ = HostFlags::unknown;
    }
    translated.entered = here();
    L(*entered_[number]);
    is_jump(item.shape) ? jump(item) : instruction(item);
    defer([this, exit = exit_, &translated] {
        L(*exit);
        go(shared_.leave, translated);
    });
}

void Emitter::go(const std::uint8_t* shared, const Translated& with) {
    mov(rsi, reinterpret_cast<std::size_t>(&with));
    jmp(shared, T_NEAR);
}

void Emitter::jump(const BlockItem& item) {
    Label& taken = label();
    if (item.shape.condition == kNoCondition)
        jmp(taken, T_NEAR);
    else
        jump_if(item.shape.condition, taken);
    defer([this, &item, &taken, offset = offset_] {
        L(taken);
        offset_ = offset;
        exit_ = &label();
        if (item.target) take_jump(item);
        L(*exit_);
        go(shared_.jump, *item.translated);
    });
}

// Jumps to `taken` under a condition as the instructions encode it: o no b ae e ne be a s ns p np
// l ge le g. If the instruction before has just been emitted, the host compares its operands again,
// or its result. Else the condition follows from the guest's flags (sim/cpu/state/flags.h).
void Emitter::jump_if(std::uint8_t condition, Label& taken) {
    const unsigned pair = condition >> 1;
    const bool by_result = pair == 2 || pair == 4;  // e ne s ns
    if (host_flags_ == HostFlags::compared) {
        operand_bytes_ == 1 ? cmp(al, cl) : cmp(eax, ecx);
    } else if (host_flags_ == HostFlags::logic ||
               (host_flags_ == HostFlags::result_only && by_result)) {
        operand_bytes_ == 1 ? test(r8b, r8b) : test(r8d, r8d);
    } else {
        return jump_if_flags(condition, taken);
    }
    host_jump(condition, taken);
}

void Emitter::host_jump(std::uint8_t condition, Label& taken) {
    using Jump = void (CodeGenerator::*)(const Label&, LabelType);
    static constexpr Jump kJumps[] = {
        &CodeGenerator::jo, &CodeGenerator::jno, &CodeGenerator::jb,  &CodeGenerator::jae,
        &CodeGenerator::je, &CodeGenerator::jne, &CodeGenerator::jbe, &CodeGenerator::ja,
        &CodeGenerator::js, &CodeGenerator::jns, &CodeGenerator::jp,  &CodeGenerator::jnp,
        &CodeGenerator::jl, &CodeGenerator::jge, &CodeGenerator::jle, &CodeGenerator::jg};
    (this->*kJumps[condition])(taken, T_NEAR);
}

void Emitter::jump_if_flags(std::uint8_t condition, Label& taken) {
    const bool negated = condition & 1;
    const auto by_sign = [&] { negated ? jns(taken, T_NEAR) : js(taken, T_NEAR); };
    // Of be and le: also if the result is zero, and the negated ones only if it is not.
    Label passed;
    const auto or_zero = [&] {
        cmp(at(cpu_.result), 0);
        negated ? je(passed, T_NEAR) : je(taken, T_NEAR);
    };
    constexpr unsigned kOverflow = 0, kCarry = 1, kZero = 2, kCarryOrZero = 3, kSign = 4,
                       kParity = 5, kLessOrEqual = 7;
    switch (condition >> 1) {
        case kOverflow:
            mov(eax, at(cpu_.carries));
            lea(ecx, ptr[rax + rax]);
            xor_(eax, ecx);
            return by_sign();
        case kCarryOrZero:
            or_zero();
            [[fallthrough]];
        case kCarry:
            cmp(at(cpu_.carries), 0);
            by_sign();
            break;
        case kZero:
            cmp(at(cpu_.result), 0);
            return negated ? jne(taken, T_NEAR) : je(taken, T_NEAR);
        case kSign:
            mov(eax, at(cpu_.carries));
            shl(eax, 31);
            xor_(eax, at(cpu_.result));
            return by_sign();
        case kParity:
            mov(eax, at(cpu_.carries));
            shr(eax, 8);
            xor_(eax, at(cpu_.result));
            test(al, al);
            return negated ? jnp(taken, T_NEAR) : jp(taken, T_NEAR);
        case kLessOrEqual:
            or_zero();
            [[fallthrough]];
        default:  // less: the sign differs from the overflow
            mov(eax, at(cpu_.carries));
            lea(ecx, ptr[rax + rax]);
            xor_(ecx, eax);
            shl(eax, 31);
            xor_(eax, ecx);
            xor_(eax, at(cpu_.result));
            by_sign();
            break;
    }
    L(passed);
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
    const Time rest = to ? to->last_offset - to->offset : 0;
    lea(rax, ptr[r8 + static_cast<std::int32_t>(refill + rest)]);
    cmp(rax, at64(cpu_.fast_stop));
    jge(*exit_, T_NEAR);
    find_line(target.address & layout_.line_mask);
    mov(r10d, at(cpu_.window_begin));  // what to add to a physical address for its offset in cs
    sub(r10d, at(cpu_.window_physical));
    if (target.address <= op.address) watch_loop(target);
    record_branch(op, target);
    const int steps = item.translated->number + 1 - (to ? to->number : 0);
    if (steps) add(at64(cpu_.instructions), steps);
    if (to) {
        mov(byte[rdi + cpu_.entry], to->number);
        lea(rdx, ptr[r8 + static_cast<std::int32_t>(refill - to->offset)]);
        jmp(*entered_[item.target_item], T_NEAR);
    } else {
        lea(rdx, ptr[r8 + static_cast<std::int32_t>(refill)]);
        mov(rsi, reinterpret_cast<std::size_t>(&target));
        jmp(qword[rsi + static_cast<std::int32_t>(offsetof(Op, fast))]);
    }
}

// LoopWatch::asks(), which usually says no.
void Emitter::watch_loop(const Op& target) {
    mov(rax, at64(cpu_.loop_jumps));
    inc(rax);
    cmp(rax, at64(cpu_.loop_from));
    jae(*exit_, T_NEAR);
    lea(r11d, ptr[r10 + static_cast<std::int32_t>(target.address)]);
    cmp(r11d, at(cpu_.loop_eip));
    Label &same_eip = label(), &not_asked = label();
    je(same_eip, T_NEAR);
    L(not_asked);
    mov(at64(cpu_.loop_jumps), rax);
    defer([this, &same_eip, &not_asked, exit = exit_] {
        L(same_eip);
        for (int n = 0; n < 8; ++n) {
            mov(ecx, reg_at(static_cast<unsigned>(n)));
            cmp(ecx, at(cpu_.loop_regs + 4 * n));
            jne(not_asked, T_NEAR);
        }
        jmp(*exit, T_NEAR);
    });
}

// Exceptions::record_branch(), CoreState::complete() and InstructionFetch::refill().
void Emitter::record_branch(const Op& op, const Op& target) {
    static_assert(BranchTrace::kSize == 256, "a byte is the place in the ring");
    static_assert(sizeof(Branch) == 8);
    mov(rax, at64(cpu_.branches));
    movzx(ecx, al);
    inc(rax);
    mov(at64(cpu_.branches), rax);
    lea(r11d, ptr[r10 + static_cast<std::int32_t>(op.address)]);
    mov(dword[rdi + rcx * 8 + cpu_.trace], r11d);
    lea(r11d, ptr[r10 + static_cast<std::int32_t>(target.address)]);
    mov(dword[rdi + rcx * 8 + cpu_.trace + 4], r11d);
    mov(at(cpu_.eip), r11d);
    mov(at(cpu_.fetch_line), target.address & layout_.line_mask);
    UnderWay arrived;
    arrived.fetched = kAllLines | kRefilled;
    arrived.arrival = Arrival::by_branch;
    std::uint32_t words[2];
    static_assert(sizeof arrived == sizeof words);
    std::memcpy(words, &arrived, sizeof words);
    mov(at(cpu_.under_way), words[0]);
    mov(at(cpu_.under_way + 4), words[1]);
}

}  // namespace symsim
