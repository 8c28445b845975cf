// SPDX-License-Identifier: MIT
// A whole block: its instructions in order, then what is rarely executed. And its jumps within the
// host's code.
#include "sim/cpu/translate/emitter.h"

#include <cstring>

#include "sim/base/failure.h"

namespace symsim {

SharedCode emit_shared(CodeRoom& room, const HostLayout& layout) {
    Emitter emitter(room, layout);
    const SharedCode shared = emitter.shared();
    room.used = emitter.size();
    return shared;
}

std::vector<Link> emit_block(CodeRoom& room, const HostLayout& layout,
                             const std::vector<BlockItem>& block, const Translated& end,
                             const SharedCode& shared) {
    Emitter emitter(room, layout);
    emitter.block(block, end, shared);
    room.used = emitter.size();
    return emitter.links();
}

void emit_link(CodeRoom& room, const HostLayout& layout, const Link& link) {
    Emitter emitter(room, layout);
    emitter.link(link);
    room.used = emitter.size();
}

void Emitter::block(const std::vector<BlockItem>& block, const Translated& end,
                    const SharedCode& shared) {
    block_ = &block;
    shared_ = shared;
    std::vector<Label*> exits;
    for (std::size_t n = 0; n < block.size(); ++n) {
        entered_.push_back(&labels_.emplace_back());
        exits.push_back(&labels_.emplace_back());
    }
    for (std::size_t n = 0; n < block.size(); ++n) {
        exit_ = exits[n];
        item(n);
    }
    end_block(end);
    for (std::size_t n = 0; n < deferred_.size(); ++n) deferred_[n]();
    for (std::size_t n = 0; n < block.size(); ++n) {
        if (exits[n]->jumps.empty()) continue;
        set(*exits[n]);
        go(shared_.leave, *block[n].translated);
    }
}

void Emitter::item(std::size_t number) {
    const BlockItem& item = (*block_)[number];
    Translated& translated = *item.translated;
    offset_ = translated.offset;
    const auto here = [this] { return reinterpret_cast<HostCode>(getCurr<std::size_t>()); };
    translated.code = here();
    if (item.enters) {
        enter_lines(item);
        host_flags_ = HostFlags::unknown;
    }
    translated.entered = here();
    set(*entered_[number]);
    is_direct_jump(item.shape) ? jump_of(item) : instruction(item);
}

// The next instruction usually is in no block. If it is, that block is entered.
void Emitter::end_block(const Translated& end) {
    Label not_now;
    if (end.op->fast == execute_translated &&
        accesses_no_other(*end.op->translated, block_->front().translated->segments)) {
        const Translated& to = *end.op->translated;
        lea(r8, ptr[rdx + static_cast<std::int32_t>(end.offset)]);
        lea(rax, ptr[r8 + static_cast<std::int32_t>(rest_of(to))]);
        cmp(rax, at64(cpu_.fast_stop));
        jump(greater_or_equal, not_now);
        count(end.number - to.number);
        mov(at64(cpu_.under_way), 0);
        enter(to, 0);
        go_far(to.code);
    }
    set(not_now);
    go(shared_.end, end);
}

// Makes the jump go to its target's block. The other block is entered unless the run ends in it.
void Emitter::link(const Link& link) {
    const Translated& to = *link.target->translated;
    Label begin, as_before;
    begin.jumps.push_back(link.place);
    as_before.place = link.place;
    set(begin);
    lea(rax, ptr[r8 + static_cast<std::int32_t>(link.refill + rest_of(to))]);
    cmp(rax, at64(cpu_.fast_stop));
    jump(greater_or_equal, as_before);
    count(-to.number);
    enter(to, link.refill);
    go_far(to.entered);
}

void Emitter::go(const std::uint8_t* shared, const Translated& with) {
    mov(rsi, reinterpret_cast<std::size_t>(&with));
    jmp(shared, T_NEAR);
}

void Emitter::go_far(HostCode code) {
    mov(rax, reinterpret_cast<std::size_t>(code));
    jmp(rax);
}

// --- jumps of the host ---------------------------------------------------------------------------

namespace {

void set_distance(std::uint8_t* after, const std::uint8_t* to) {
    const auto distance = static_cast<std::int32_t>(to - after);
    std::memcpy(after - sizeof distance, &distance, sizeof distance);
}

}  // namespace

void Emitter::jump(Condition condition, Label& to) {
    if (condition == always) {
        db(0xe9);
    } else {
        db(0x0f);
        db(0x80 + condition);
    }
    dd(0);
    auto* const after = const_cast<std::uint8_t*>(getCurr());
    to.place ? set_distance(after, to.place) : to.jumps.push_back(after);
}

void Emitter::set(Label& label) {
    label.place = getCurr();
    for (std::uint8_t* const after : label.jumps) set_distance(after, label.place);
}

}  // namespace symsim
