// SPDX-License-Identifier: MIT
// Loads that hit, and cache lines of code that the fetch enters. What is checked, and what changes,
// is the same as in LoadPath::load_hits() and queue_hits(), and in Cache::find() and
// uses_at_once().
#include <cstddef>

#include "sim/cache/cache.h"
#include "sim/cpu/translate/emitter.h"

namespace symsim {
namespace {

constexpr std::int32_t kAddress = offsetof(Line, address);
constexpr std::int32_t kUsed = offsetof(Line, used);
constexpr std::int32_t kLineSize = sizeof(Line);

}  // namespace

// eax = the offset of a memory operand.
void Emitter::address(const Op& op) {
    const auto disp = static_cast<std::int32_t>(op.displacement);
    if (op.base_mask) mov(eax, reg_at(op.base));
    if (op.index_mask) {
        mov(ecx, reg_at(op.index));
        const int scale = 1 << op.scale_shift;
        op.base_mask ? lea(eax, ptr[rax + rcx * scale + disp]) : lea(eax, ptr[rcx * scale + disp]);
    } else if (op.base_mask) {
        if (disp) add(eax, disp);
    } else {
        mov(eax, op.displacement);
    }
}

// r8 = the time of an access.
void Emitter::access_time(std::uint32_t offset) {
    lea(r8, ptr[rdx + static_cast<std::int32_t>(offset)]);
}

// Of shared code that says by the carry that the instruction cannot be executed now.
void Emitter::call_or_leave(const std::uint8_t* shared) {
    call(shared);
    leave_if(below);
}

// eax = the value at offset eax of a segment whose offsets are physical addresses.
void Emitter::load(unsigned size) {
    access_time(offset_);
    call_or_leave(shared_.load[size >> 1]);
}

// An operand across two dwords is left to the interpreter.
void Emitter::shared_load(unsigned size) {
    if (size == 4) {
        test(al, 3);
        leave_if(not_equal);
    } else if (size == 2) {
        mov(ecx, eax);
        and_(ecx, 3);
        cmp(ecx, 3);
        leave_if(equal);
    }
    mov(r10d, eax);
    and_(r10d, layout_.line_mask);
    use_line();
    mov(r10, reinterpret_cast<std::size_t>(layout_.memory));
    if (size == 4) mov(eax, dword[r10 + rax]);
    if (size == 2) movzx(eax, word[r10 + rax]);
    if (size == 1) movzx(eax, byte[r10 + rax]);
}

// The lines of code that begin in an instruction. In sequence the prefetch queue has them, without
// the port; but if the port is not free they may have to wait, and the interpreter decides.
void Emitter::enter_lines(const BlockItem& item) {
    const Address bytes = ~layout_.line_mask + 1;
    const Address last = item.op->last & layout_.line_mask;
    access_time(offset_);
    for (Address line = (item.op->address + bytes - 1) & layout_.line_mask;; line += bytes) {
        mov(r10d, line);
        call_or_leave(shared_.use_line);
        if (line == last) break;
    }
    mov(at(cpu_.fetch_line), last);
}

// The cache uses the line at address r10d at r8, if it has it and the port is free. The first use
// in a window is logged, if there is room.
void Emitter::use_line() {
    cmp(r8, qword[r9 + cache_.port_free_from]);
    leave_if(less);
    mov(ecx, r10d);
    and_(ecx, layout_.set_mask);
    mov(r11, qword[r9 + cache_.lines]);
    const std::uint64_t bytes = layout_.lines_per_byte * kLineSize;  // of Lines, for each byte
    const std::uint64_t scale = bytes >> layout_.fraction;
    const bool is_scale = scale == 1 || scale == 2 || scale == 4 || scale == 8;
    if (scale << layout_.fraction == bytes && is_scale) {
        lea(rcx, ptr[r11 + rcx * static_cast<int>(scale)]);
    } else {
        imul(rcx, rcx, static_cast<std::int32_t>(layout_.lines_per_byte));
        shr(rcx, layout_.fraction);
        imul(rcx, rcx, kLineSize);
        add(rcx, r11);
    }
    Label found;
    for (std::uint32_t way = 0; way + 1 < layout_.ways; ++way) {
        cmp(dword[rcx + kAddress], r10d);
        jump(equal, found);
        add(rcx, kLineSize);
    }
    cmp(dword[rcx + kAddress], r10d);
    leave_if(not_equal);
    set(found);
    Label logged;
    mov(r10, qword[rcx + kUsed]);
    cmp(r10, qword[r9 + cache_.since]);
    jump(greater, logged);
    mov(r11, qword[r9 + cache_.uses_next]);
    cmp(r11, qword[r9 + cache_.uses_end]);
    leave_if(equal);
    mov(qword[r11 + offsetof(UseLog::Use, line)], rcx);
    mov(qword[r11 + offsetof(UseLog::Use, before)], r10);
    add(qword[r9 + cache_.uses_next], sizeof(UseLog::Use));
    set(logged);
    mov(qword[rcx + kUsed], r8);
}

SharedCode Emitter::shared() {
    const auto tail_call = [this](CodeEnd function) {
        const std::uint8_t* const begin = getCurr();
        mov(rax, reinterpret_cast<std::size_t>(function));
        jmp(rax);
        return begin;
    };
    const auto routine = [this](const std::function<void()>& body) {
        const std::uint8_t* const begin = getCurr();
        Label cannot;
        exit_ = &cannot;
        body();
        clc();
        ret();
        set(cannot);
        stc();
        ret();
        return begin;
    };
    SharedCode made;
    made.leave = tail_call(leave_translated);
    made.end = tail_call(end_translated);
    made.jump = tail_call(jump_translated);
    for (const unsigned size : {1u, 2u, 4u})
        made.load[size >> 1] = routine([this, size] { shared_load(size); });
    made.use_line = routine([this] { use_line(); });
    made.take_jump = routine([this] { shared_jump(); });
    return made;
}

}  // namespace symsim
