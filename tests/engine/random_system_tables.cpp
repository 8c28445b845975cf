// SPDX-License-Identifier: MIT
// Handlers, descriptor tables and page tables of a random system guest.
#include "tests/engine/random_system_tables.h"

#include <fmt/format.h>

namespace symsim::test {

std::string system_constants(unsigned processors) {
    return fmt::format(R"(
.intel_syntax noprefix
.set BASE, 0x100000
.set SHARED, 0x200000          # lines all fight for
.set COUNTERS, 0x204000        # a dword per barrier
.set RESULTS, 0x205000         # a dword per processor
.set SAVED, 0x206000           # esp of ring 0 while a processor is in ring 3
.set STACKS, 0x300000          # 1 KB each: of ring 0 ...
.set ENTRY_STACKS, 0x320000    # ... of ring 0 when entered from ring 3
.set USER_STACKS, 0x340000     # ... of ring 3
.set TASK_STACKS, 0x360000     # ... of the second task
.set ALIAS, 0x400000           # pages, the first with other rights each, then the code
.set PROCESSORS, {}
.set SLIC_COMMAND, 0xC8000100
.set SLIC_DESTINATION, 0xC8000104
.set SLIC_BIN, 0xC8000108
.set SLIC_MESSAGE, 0xC800010c
.set SLIC_MASK, 0xC8000110
.set SLIC_GROUPS, 0xC8000114
.set SLIC_PRIORITY, 0xC8000118
.set SLIC_PENDING, 0xC800011c
.set SLIC_SOFTWARE, 0xC8000120
.set SLIC_TIMER_RELOAD, 0xC8000124
.set SLIC_TIMER_CONTROL, 0xC8000128
.set KCODE, 0x08
.set KDATA, 0x10
.set UCODE, 0x1b
.set UDATA, 0x23
.set CODE16, 0x28
.set SMALL, 0x33               # data segments of some sizes and bases
.set DOWN, 0x3b
.set FAR, 0x43
.set ABSENT, 0x4b
.set CALL_GATE, 0x53
.set SAME_GATE, 0x58
.set TSS, 0x80                 # a descriptor per processor
.set TASKS, 0x80 + 8 * PROCESSORS
)",
                       processors);
}

// Handlers of faults that are skipped continue at the address in ecx.
std::string system_handlers() {
    return R"(
skip_with_code:
    add esp, 4
skip:
    mov [esp], ecx
    iretd

page_fault:
    push eax
    mov eax, cr2
    test byte ptr [esp+4], 1
    jnz 1f
    shr eax, 12
    and eax, 7
    lock or dword ptr [alias_table+eax*4], 1
    pop eax
    add esp, 4
    iretd
1:  add [ebx+64], eax
    pop eax
    jmp skip_with_code

no_coprocessor:
    clts
    iretd

software:
    add edx, eax
    rol edx, 3
    mov [ebx+40], al
    iretd

debug:
    and dword ptr [esp+8], ~0x100
trap:
    inc eax
    iretd

leave_ring_3:
    mov esp, [SAVED+ebp*4]
    ret

called_inner:
    mov edx, [esp+8]
    add [ebx+32], edx
    retf 8
called_same:
    xor eax, [esp]
    retf

clock_interrupt:
    push eax
    lock inc dword ptr [ebx+80]
    mov eax, [SLIC_PENDING]
    xor [ebx+84], eax
    pop eax
    iretd
message_interrupt:
    push eax
    mov eax, [SLIC_MESSAGE]
    add [ebx+88], eax
    pop eax
    iretd
software_interrupt:
    push eax
    mov eax, [SLIC_SOFTWARE]
    or [ebx+92], eax
    pop eax
    iretd
nmi:
    inc dword ptr [ebx+96]
    iretd

second_task:
    add edx, ebp
    lock add [ebx+48], edx
    iretd
    jmp second_task
)";
}

namespace {

std::string segment(unsigned base, unsigned limit, unsigned access, unsigned flags) {
    return fmt::format(
        ".long {:#x}, {:#x}\n", (base & 0xffff) << 16 | (limit & 0xffff),
        (base & 0xff000000) | flags << 20 | (limit & 0xf0000) | access << 8 | (base >> 16 & 0xff));
}

// The base is a label that only the assembler knows.
std::string tss_descriptor(const std::string& label) {
    return fmt::format(
        ".word 103, ({0}-start+BASE) & 0xffff\n"
        ".byte (({0}-start+BASE) >> 16) & 0xff, 0x89, 0, (({0}-start+BASE) >> 24) & 0xff\n",
        label);
}

std::string gate(const std::string& label, unsigned selector, unsigned access, unsigned count = 0) {
    return fmt::format(
        ".word ({0}-start+BASE) & 0xffff, {1}\n.byte {3}, {2}\n.word ({0}-start+BASE) >> 16\n",
        label, selector, access, count);
}

std::string interrupt_table() {
    constexpr unsigned kInterrupt = 0x8e, kTrap = 0x8f, kForAll = 0x60;
    std::string text = ".balign 16\nidt:\n";
    for (unsigned vector = 0; vector < 0x60; ++vector) {
        switch (vector) {
            case 0:  // divide error
            case 5:  // bound
            case 6:  // undefined opcode
                text += gate("skip", 8, kInterrupt);
                break;
            case 1:  // single step
                text += gate("debug", 8, kInterrupt);
                break;
            case 2:
                text += gate("nmi", 8, kInterrupt);
                break;
            case 3:  // breakpoint
            case 4:  // overflow
                text += gate("trap", 8, kTrap | kForAll);
                break;
            case 7:
                text += gate("no_coprocessor", 8, kInterrupt);
                break;
            case 11:  // segment not present
            case 12:  // stack
            case 13:  // general protection
                text += gate("skip_with_code", 8, kInterrupt);
                break;
            case 14:
                text += gate("page_fault", 8, kInterrupt);
                break;
            case 0x30:
                text += gate("leave_ring_3", 8, kInterrupt | kForAll);
                break;
            case 0x31:
                text += gate("software", 8, kInterrupt | kForAll);
                break;
            case 0x32:
                text += gate("software", 8, kTrap | kForAll);
                break;
            case 0x40:  // bins 0 to 7 of the SLIC
                text += gate("software_interrupt", 8, kInterrupt);
                break;
            case 0x47:
                text += gate("clock_interrupt", 8, kInterrupt);
                break;
            default:
                if (vector > 0x40 && vector < 0x47)
                    text += gate("message_interrupt", 8, kInterrupt);
                else
                    text += ".quad 0\n";
        }
    }
    return text + "idt_pointer: .word . - idt - 1\n.long idt\n";
}

// A 32-bit task state segment (PRM figure 7-1): esp0, then the registers that a task switch loads.
std::string task_state(const std::string& label, const char* eip, unsigned processor) {
    return fmt::format(R"(.balign 128
{0}:
    .long 0, ENTRY_STACKS + {1} * 1024 + 1000, KDATA, 0, 0, 0, 0, directory
    .long {2}, 2
    .long 3, 0, 5, SHARED, TASK_STACKS + {1} * 1024 + 1000, {1}, 0, 0
    .long UDATA, KCODE, KDATA, UDATA, UDATA, UDATA, 0
    .word 0, 104
)",
                       label, processor, eip);
}

// Memory and devices are mapped to the same physical addresses. ALIAS maps the shared page again,
// with different rights in each of its first pages, and after it the code.
std::string page_tables() {
    return R"(
.balign 4096
directory:
    .long low_table + 7, alias_table + 7
    .fill 0x320 - 2, 4, 0
    .long board_table + 7
    .fill 0xb, 4, 0
    .long monitor_table + 7
    .fill 3, 4, 0
    .long clock_table + 7
    .fill 0xf, 4, 0
    .long device_table + 7
    .balign 4096
low_table:
    .set page, 0
    .rept 1024
    .long page + 7
    .set page, page + 4096
    .endr
alias_table:
    .long SHARED + 7, SHARED + 5, SHARED + 3, SHARED + 1, SHARED + 6, SHARED + 6, SHARED + 4
    .set page, BASE
    .rept 16
    .long page + 7
    .set page, page + 4096
    .endr
    .balign 4096
board_table:
    .set page, 0xC8000000
    .rept 16
    .long page + 7
    .set page, page + 4096
    .endr
    .balign 4096
clock_table:
    .long 0xCC000007, 0xCC001007, 0xCC002007
    .balign 4096
device_table:
    .long 0xD0000007, 0xD0001007, 0xD0002007
    .balign 4096
monitor_table:
    .long 0xCB000007
    .balign 4096
)";
}

}  // namespace

std::string system_tables(unsigned processors) {
    std::string text = ".balign 4096\ngdt: .quad 0\n";
    text += segment(0, 0xfffff, 0x9a, 0xc);         // code of ring 0, not yet accessed
    text += segment(0, 0xfffff, 0x92, 0xc);         // its data
    text += segment(0, 0xfffff, 0xfa, 0xc);         // code of ring 3
    text += segment(0, 0xfffff, 0xf2, 0xc);         // its data
    text += segment(0x100000, 0xffff, 0x9a, 0);     // 16-bit code
    text += segment(0x200000, 0x3f, 0xf2, 4);       // 64 bytes
    text += segment(0x200000, 0x1f, 0xf6, 4);       // expands down to its 32nd byte
    text += segment(0x200100, 0xfffff, 0xf2, 0xc);  // wraps around
    text += segment(0, 0xfffff, 0x72, 0xc);         // not present
    text += gate("called_inner", 8, 0xec, 2);
    text += gate("called_same", 8, 0xec);
    text += ".org gdt + TSS\n";
    for (unsigned n = 0; n < processors; ++n) text += tss_descriptor(fmt::format("tss{}", n));
    for (unsigned n = 0; n < processors; ++n) text += tss_descriptor(fmt::format("task{}", n));
    text += "gdt_pointer: .word . - gdt - 1\n.long gdt\n";
    text += interrupt_table();
    for (unsigned n = 0; n < processors; ++n) {
        text += task_state(fmt::format("tss{}", n), "0", n);
        text += task_state(fmt::format("task{}", n), "second_task", n);
    }
    // Far pointers to the second tasks.
    text += ".balign 8\nto_task:\n";
    for (unsigned n = 0; n < processors; ++n) text += fmt::format(".long 0, TASKS + {} * 8\n", n);
    return text + page_tables();
}

}  // namespace symsim::test
