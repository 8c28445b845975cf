// SPDX-License-Identifier: MIT
// Loads that hit, and cache lines of code that the fetch enters. What is checked, and what changes,
// is the same as in LoadPath::load_hits() and queue_hits(), and in Cache::find() and uses_at_once().
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

// r8 = the time of an access, at which the port must be free.
void Emitter::access_time(std::uint32_t offset) {
    lea(r8, ptr[rdx + static_cast<std::int32_t>(offset)]);
    cmp(r8, qword[r9 + cache_.port_free_from]);
    leave_if(less);
}

// eax = the value at offset eax of a segment whose offsets are physical addresses. An operand across
// two dwords is left to the interpreter.
void Emitter::load(unsigned size) {
    if (size == 4) {
        test(al, 3);
        leave_if(not_equal);
    } else if (size == 2) {
        mov(ecx, eax);
        and_(ecx, 3);
        cmp(ecx, 3);
        leave_if(equal);
    }
    access_time(offset_);
    mov(ecx, eax);
    and_(ecx, layout_.set_mask);
    mov(r11, qword[r9 + cache_.lines]);
    const std::uint64_t bytes = layout_.lines_per_byte * kLineSize;  // of Lines, for each byte
    const std::uint64_t scale = bytes >> layout_.fraction;
    if (scale << layout_.fraction == bytes && (scale == 1 || scale == 2 || scale == 4 || scale == 8)) {
        lea(rcx, ptr[r11 + rcx * static_cast<int>(scale)]);
    } else {
        imul(rcx, rcx, static_cast<std::int32_t>(layout_.lines_per_byte));
        shr(rcx, layout_.fraction);
        imul(rcx, rcx, kLineSize);
        add(rcx, r11);
    }
    mov(r10d, eax);
    and_(r10d, layout_.line_mask);
    find_way(r10d);
    use_line();
    mov(r10, reinterpret_cast<std::size_t>(layout_.memory));
    if (size == 4) mov(eax, dword[r10 + rax]);
    if (size == 2) movzx(eax, word[r10 + rax]);
    if (size == 1) movzx(eax, byte[r10 + rax]);
}

// rcx = the Line of the set at rcx that has this address.
void Emitter::find_way(const Reg32& line) {
    std::vector<std::uint8_t*> found;
    for (std::uint32_t way = 0; way + 1 < layout_.ways; ++way) {
        cmp(dword[rcx + kAddress], line);
        found.push_back(skip(equal));
        add(rcx, kLineSize);
    }
    cmp(dword[rcx + kAddress], line);
    leave_if(not_equal);
    for (std::uint8_t* const place : found) land(place);
}

// The lines of code that begin in an instruction. In sequence the prefetch queue has them, without
// the port; but if the port is not free they may have to wait, and the interpreter decides.
void Emitter::enter_lines(const BlockItem& item) {
    const Address bytes = ~layout_.line_mask + 1;
    const Address last = item.op->last & layout_.line_mask;
    access_time(offset_);
    for (Address line = (item.op->address + bytes - 1) & layout_.line_mask;; line += bytes) {
        find_line(line);
        if (line == last) break;
    }
    mov(at(cpu_.fetch_line), last);
}

// Uses the line of an address that is known, at r8.
void Emitter::find_line(Address line) {
    mov(rcx, qword[r9 + cache_.lines]);
    mov(r10d, line);
    if (const std::uint32_t index = line_index(line)) add(rcx, kLineSize * index);
    find_way(r10d);
    use_line();
}

std::uint32_t Emitter::line_index(Address line) const {
    return static_cast<std::uint32_t>((line & layout_.set_mask) * layout_.lines_per_byte >>
                                      layout_.fraction);
}

// The line at rcx is used at r8. The first use in a window is logged.
void Emitter::use_line() {
    mov(r11, qword[r9 + cache_.since]);
    cmp(qword[rcx + kUsed], r11);
    std::uint8_t* const logged = skip(greater);
    call(shared_.log_use);
    leave_if(below);  // carry: the log is full
    land(logged);
    mov(qword[rcx + kUsed], r8);
}

SharedCode Emitter::emit_shared() {
    SharedCode shared;
    const auto tail_call = [this](CodeEnd function) {
        const std::uint8_t* const begin = getCurr();
        mov(rax, reinterpret_cast<std::size_t>(function));
        jmp(rax);
        return begin;
    };
    shared.leave = tail_call(leave_translated);
    shared.end = tail_call(end_translated);
    shared.jump = tail_call(jump_translated);
    shared.log_use = getCurr();
    mov(r11, qword[r9 + cache_.uses_next]);
    cmp(r11, qword[r9 + cache_.uses_end]);
    std::uint8_t* const full = skip(equal);
    mov(qword[r11 + offsetof(UseLog::Use, line)], rcx);
    mov(r10, qword[rcx + kUsed]);
    mov(qword[r11 + offsetof(UseLog::Use, before)], r10);
    add(r11, sizeof(UseLog::Use));
    mov(qword[r9 + cache_.uses_next], r11);
    clc();
    ret();
    land(full);
    stc();
    ret();
    return shared;
}

}  // namespace symsim
