// SPDX-License-Identifier: MIT
// Loads that hit, and cache lines of code that the fetch enters. What is checked, and what changes,
// is the same as in LoadPath::load_hits() and queue_hits(), and in Cache::find() and uses_at_once().
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

// r9 = the cache controller, r8 = the time of an access, at which the port must be free.
void Emitter::access_time(std::uint32_t offset) {
    mov(r9, at64(cpu_.cache));
    lea(r8, ptr[rdx + static_cast<std::int32_t>(offset)]);
    cmp(r8, qword[r9 + cache_.port_free_from]);
    jl(*exit_, T_NEAR);
}

// eax = the value at offset eax of a segment whose offsets are physical addresses. An operand across
// two dwords is left to the interpreter.
void Emitter::load(unsigned size) {
    if (size == 4) {
        test(al, 3);
        jnz(*exit_, T_NEAR);
    } else if (size == 2) {
        mov(ecx, eax);
        and_(ecx, 3);
        cmp(ecx, 3);
        je(*exit_, T_NEAR);
    }
    access_time(offset_);
    mov(ecx, eax);
    and_(ecx, layout_.set_mask);
    imul(rcx, rcx, static_cast<std::int32_t>(layout_.lines_per_byte));
    shr(rcx, layout_.fraction);
    shl(rcx, 4);
    static_assert(kLineSize == 1 << 4);
    add(rcx, qword[r9 + cache_.lines]);
    mov(r10d, eax);
    and_(r10d, layout_.line_mask);
    Label &found = label(), &other = label();
    cmp(dword[rcx + kAddress], r10d);
    jne(other, T_NEAR);
    L(found);
    use_line();
    mov(r10, reinterpret_cast<std::size_t>(layout_.memory));
    if (size == 4) mov(eax, dword[r10 + rax]);
    if (size == 2) movzx(eax, word[r10 + rax]);
    if (size == 1) movzx(eax, byte[r10 + rax]);
    defer([this, &found, &other, exit = exit_] {
        L(other);
        for (std::uint32_t way = 1; way < layout_.ways; ++way) {
            add(rcx, kLineSize);
            cmp(dword[rcx + kAddress], r10d);
            je(found, T_NEAR);
        }
        jmp(*exit, T_NEAR);
    });
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
    Label &found = label(), &other = label();
    mov(rcx, qword[r9 + cache_.lines]);
    add(rcx, kLineSize * line_index(line));
    cmp(dword[rcx + kAddress], line);
    jne(other, T_NEAR);
    L(found);
    use_line();
    defer([this, line, &found, &other, exit = exit_] {
        L(other);
        for (std::uint32_t way = 1; way < layout_.ways; ++way) {
            add(rcx, kLineSize);
            cmp(dword[rcx + kAddress], line);
            je(found, T_NEAR);
        }
        jmp(*exit, T_NEAR);
    });
}

std::uint32_t Emitter::line_index(Address line) const {
    return static_cast<std::uint32_t>((line & layout_.set_mask) * layout_.lines_per_byte >>
                                      layout_.fraction);
}

// The line at rcx is used at r8. The first use in a window is logged.
void Emitter::use_line() {
    Label &log = label(), &logged = label();
    mov(r11, qword[r9 + cache_.since]);
    cmp(qword[rcx + kUsed], r11);
    jle(log, T_NEAR);
    L(logged);
    mov(qword[rcx + kUsed], r8);
    defer([this, &log, &logged, exit = exit_] {
        L(log);
        call(shared_.log_use);
        jc(*exit, T_NEAR);
        jmp(logged, T_NEAR);
    });
}

SharedCode Emitter::emit_shared(Emitter& e) {
    SharedCode shared;
    const auto tail_call = [&e](HostCode function) {
        const std::uint8_t* const begin = e.getCurr();
        e.mov(e.rax, reinterpret_cast<std::size_t>(function));
        e.jmp(e.rax);
        return begin;
    };
    shared.leave = tail_call(leave_translated);
    shared.end = tail_call(end_translated);
    shared.jump = tail_call(jump_translated);
    shared.log_use = e.getCurr();
    const CacheLayout& cache = e.cache_;
    Label full;
    e.mov(e.r11, e.qword[e.r9 + cache.uses_next]);
    e.cmp(e.r11, e.qword[e.r9 + cache.uses_end]);
    e.je(full);
    e.mov(e.qword[e.r11 + offsetof(UseLog::Use, line)], e.rcx);
    e.push(e.rax);
    e.mov(e.rax, e.qword[e.rcx + kUsed]);
    e.mov(e.qword[e.r11 + offsetof(UseLog::Use, before)], e.rax);
    e.CodeGenerator::pop(e.rax);
    e.add(e.r11, sizeof(UseLog::Use));
    e.mov(e.qword[e.r9 + cache.uses_next], e.r11);
    e.clc();
    e.ret();
    e.L(full);
    e.stc();
    e.ret();
    return shared;
}

}  // namespace symsim
