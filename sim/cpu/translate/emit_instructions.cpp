// SPDX-License-Identifier: MIT
// The instructions that are translated, except jumps. Each does what its namesake in
// sim/cpu/execute does.
#include "sim/cpu/translate/emitter.h"
#include "sim/cpu/translate/instruction_groups.h"

namespace symsim {

void Emitter::instruction(const BlockItem& item) {
    operand_bytes_ = item.shape.size;
    host_flags_ = HostFlags::unknown;
    const ZydisMnemonic mnemonic = item.shape.mnemonic;
    if (has_two_operands(mnemonic)) return two_operands(item);
    if (is_shift(mnemonic)) return shift(item);
    switch (mnemonic) {
        case ZYDIS_MNEMONIC_POP:
            return pop_register(item);
        case ZYDIS_MNEMONIC_CDQ:
            mov(eax, reg_at(symsim::eax));
            sar(eax, 31);
            mov(reg_at(symsim::edx), eax);
            return;
        case ZYDIS_MNEMONIC_INC:
        case ZYDIS_MNEMONIC_DEC:
        case ZYDIS_MNEMONIC_NEG:
        case ZYDIS_MNEMONIC_NOT:
            return one_operand(item);
        default:
            return move(item);
    }
}

// mov, movzx, movsx, lea.
void Emitter::move(const BlockItem& item) {
    const Op& op = *item.op;
    const bool extends = is_extension(item.shape.mnemonic);
    const unsigned from = extends ? item.shape.source_size : operand_bytes_;
    if (item.shape.mnemonic == ZYDIS_MNEMONIC_LEA) {
        address(op);
    } else if (item.shape.form == Form::ri && operand_bytes_ == 4) {
        mov(reg_at(op.dst), op.immediate);
        return;
    } else if (item.shape.form == Form::ri) {
        mov(eax, op.immediate);
    } else if (item.shape.form == Form::rm) {
        address(op);
        load(from);
    } else {
        fetch_register(eax, from, op.src);
    }
    if (item.shape.mnemonic == ZYDIS_MNEMONIC_MOVSX) from == 1 ? movsx(eax, al) : movsx(eax, ax);
    store_register(operand_bytes_, op.dst, eax);
}

void Emitter::two_operands(const BlockItem& item) {
    const Op& op = *item.op;
    const Form form = item.shape.form;
    const ZydisMnemonic mnemonic = item.shape.mnemonic;
    if (form == Form::rm) {
        address(op);
        load(operand_bytes_);
        mov(ecx, eax);
        fetch_register(eax, operand_bytes_, op.dst);
    } else {
        if (form == Form::mr || form == Form::mi) {
            address(op);
            load(operand_bytes_);
        } else {
            fetch_register(eax, operand_bytes_, op.dst);
        }
        if (form == Form::ri || form == Form::mi)
            mov(ecx, op.immediate);
        else
            fetch_register(ecx, operand_bytes_, op.src);
    }
    mov(r8d, eax);
    switch (mnemonic) {
        case ZYDIS_MNEMONIC_ADD:
            add(r8d, ecx);
            break;
        case ZYDIS_MNEMONIC_SUB:
        case ZYDIS_MNEMONIC_CMP:
            sub(r8d, ecx);
            break;
        case ZYDIS_MNEMONIC_OR:
            or_(r8d, ecx);
            break;
        case ZYDIS_MNEMONIC_XOR:
            xor_(r8d, ecx);
            break;
        default:
            and_(r8d, ecx);
            break;
    }
    if (writes_result(mnemonic)) store_register(operand_bytes_, op.dst, r8d);
    if (!item.flags_read) return;
    if (mnemonic == ZYDIS_MNEMONIC_ADD) {
        flags_of_sum();
        host_flags_ = HostFlags::result_only;
    } else if (mnemonic == ZYDIS_MNEMONIC_SUB || mnemonic == ZYDIS_MNEMONIC_CMP) {
        flags_of_difference();
        host_flags_ = HostFlags::compared;
    } else {
        flags_of_logic(operand_bytes_);
        host_flags_ = HostFlags::logic;
    }
}

void Emitter::one_operand(const BlockItem& item) {
    const unsigned reg = item.op->dst;
    const ZydisMnemonic mnemonic = item.shape.mnemonic;
    mov(eax, reg_at(reg));
    if (mnemonic == ZYDIS_MNEMONIC_NOT) {
        not_(eax);
        mov(reg_at(reg), eax);
        return;
    }
    if (mnemonic == ZYDIS_MNEMONIC_NEG) {
        mov(ecx, eax);
        xor_(eax, eax);
        mov(r8d, eax);
        sub(r8d, ecx);
        mov(reg_at(reg), r8d);
        if (!item.flags_read) return;
        flags_of_difference();
        host_flags_ = HostFlags::compared;
        return;
    }
    const bool increments = mnemonic == ZYDIS_MNEMONIC_INC;
    mov(r8d, eax);
    if (!item.flags_read) {
        increments ? inc(r8d) : dec(r8d);
        mov(reg_at(reg), r8d);
        return;
    }
    // CF stays. Bit 30 of the carries is OF ^ CF.
    xor_(ecx, ecx);
    increments ? inc(r8d) : dec(r8d);
    seto(cl);
    mov(reg_at(reg), r8d);
    mov(r10d, at(cpu_.carries));
    and_(r10d, 0x8000'0000);
    shl(ecx, 31);
    xor_(ecx, r10d);
    shr(ecx, 1);
    or_(r10d, ecx);
    xor_(eax, r8d);  // the carries into the bits, but for bit 0
    shr(eax, 1);
    and_(eax, 8);
    or_(r10d, eax);
    mov(at(cpu_.carries), r10d);
    mov(at(cpu_.result), r8d);
    host_flags_ = HostFlags::result_only;
}

// shl, shr, sar of a register by an immediate. The host's carry is the last bit shifted out.
void Emitter::shift(const BlockItem& item) {
    const unsigned reg = item.op->dst;
    const int count = static_cast<int>(item.op->immediate & 31);
    mov(r8d, reg_at(reg));
    switch (item.shape.mnemonic) {
        case ZYDIS_MNEMONIC_SHL:
            shl(r8d, count);
            break;
        case ZYDIS_MNEMONIC_SHR:
            shr(r8d, count);
            break;
        default:
            sar(r8d, count);
            break;
    }
    if (item.flags_read) sbb(esi, esi);  // all bits are the carry
    mov(reg_at(reg), r8d);
    if (!item.flags_read) return;
    if (item.shape.mnemonic == ZYDIS_MNEMONIC_SAR) {  // OF is 0
        and_(esi, 0xc000'0000);
    } else {
        // OF ^ CF: after shl the sign; after shr the two highest bits differ, or there is a carry.
        mov(r10d, r8d);
        if (item.shape.mnemonic == ZYDIS_MNEMONIC_SHR) {
            add(r10d, r10d);
            xor_(r10d, r8d);
            xor_(r10d, esi);
        }
        shr(r10d, 1);
        and_(r10d, 0x4000'0000);
        and_(esi, 0x8000'0000);
        or_(esi, r10d);
    }
    mov(at(cpu_.carries), esi);
    mov(at(cpu_.result), r8d);
    host_flags_ = HostFlags::result_only;
}

// The stack segment's offsets are physical addresses, and all of esp is used.
void Emitter::pop_register(const BlockItem& item) {
    mov(eax, reg_at(symsim::esp));
    load(4);
    add(reg_at(symsim::esp), 4);
    mov(reg_at(item.op->dst), eax);
}

// A byte register from 4 on is the second byte of register `number` - 4.
void Emitter::fetch_register(const Reg32& host, unsigned size, unsigned number) {
    if (size == 4) return mov(host, reg_at(number));
    const int place =
        cpu_.regs + static_cast<int>(size == 1 && number >= 4 ? 4 * (number - 4) + 1 : 4 * number);
    size == 1 ? movzx(host, byte[rdi + place]) : movzx(host, word[rdi + place]);
}

void Emitter::store_register(unsigned size, unsigned number, const Reg32& host) {
    if (size == 4) return mov(reg_at(number), host);
    const int place = cpu_.regs + static_cast<int>(number >= 4 ? 4 * (number - 4) + 1 : 4 * number);
    mov(byte[rdi + place], host.cvt8());
}

}  // namespace symsim
