// SPDX-License-Identifier: MIT
// The random items of a system guest; its tables and handlers are in random_system_tables.cpp.
#include "tests/engine/random_system_guest.h"

#include <fmt/format.h>

#include <array>

#include "tests/engine/random_guest.h"
#include "tests/engine/random_system_tables.h"

namespace symsim::test {

template <class... Values>
void RandomSystemGuest::emit(const char* text, const Values&... values) {
    source_ += fmt::format(fmt::runtime(text), values...) + "\n";
}

RandomSystemGuest::RandomSystemGuest(std::uint32_t seed, unsigned processors)
    : random_(seed), processors_(processors), paging_(pick(4) != 0), timers_(pick(3) != 0) {
    source_ = system_constants(processors);
    prologue();
    const unsigned rounds = 1 + pick(3);
    for (unsigned round = 0; round < rounds; ++round) {
        const std::string loop = label();
        emit("mov edi, {}\n{}:", 1 + pick(8), loop);
        const unsigned items = 2 + pick(14);
        for (unsigned i = 0; i < items; ++i) {
            item();
            if (RandomGuest::reads_monitor(seed) && (round + i) % 3 == 0) monitor_item(i);
        }
        emit("dec edi\njnz {}", loop);
        barrier();
    }
    epilogue();
    source_ += system_handlers() + system_tables(processors);
}

void RandomSystemGuest::prologue() {
    emit(".globl start\nstart: mov ebp, [0xC8000000]\nlgdt [gdt_pointer]\nlidt [idt_pointer]");
    emit(".byte 0xea\n.long 1f\n.word KCODE\n1: mov eax, KDATA\nmov ss, eax");
    emit("mov esp, ebp\nshl esp, 10\nadd esp, STACKS + 1000");
    emit("mov eax, UDATA\nmov ds, eax\nmov es, eax\nmov fs, eax\nmov gs, eax");
    emit("lea eax, [ebp*8+TSS]\nltr ax\nmov ebx, SHARED\nimul edx, ebp, 0x1e3779b1\nmov esi, edx");
    if (paging_)
        emit(
            "mov eax, offset directory\nmov cr3, eax\nmov eax, cr0\nor eax, 0x80000000\n"
            "mov cr0, eax\njmp 1f\n1:");
    emit("fninit\nfld1");
    emit("mov dword ptr [SLIC_MASK], {}\nmov dword ptr [SLIC_GROUPS], ebp", 0xc0 | pick(256));
    emit("mov [SLIC_PRIORITY], ebp");
    // Rare enough to leave time for the program. The timer counts at 5 MHz; with 4 or more
    // processors, which are slow, in units of 100 us.
    if (timers_)
        emit("mov dword ptr [SLIC_TIMER_RELOAD], {}\nmov dword ptr [SLIC_TIMER_CONTROL], {}",
             processors_ < 4 ? 100 + pick(156) : processors_ / 2 + pick(4),
             processors_ < 4 ? 3 : 1);
    // No processor gets a message before its tables are loaded.
    barrier();
    emit("sti");
}

// All processors meet here. They wait in a loop that changes nothing, so it can sleep.
void RandomSystemGuest::barrier() {
    const unsigned counter = 4 * barriers_++;
    emit("lock inc dword ptr [COUNTERS+{0}]\n1: cmp dword ptr [COUNTERS+{0}], PROCESSORS\njb 1b",
         counter);
}

// Each processor stores a result. Processor 0 sums results and shared data, and switches the power
// off with the sum as status.
void RandomSystemGuest::epilogue() {
    emit(
        "cli\nadd eax, edx\nadd eax, esi\nfistp dword ptr [esp-64]\nadd eax, [esp-64]\n"
        "mov [RESULTS+ebp*4], eax");
    barrier();
    emit(
        "test ebp, ebp\njz 1f\n4: hlt\njmp 4b\n1: xor eax, eax\nmov esi, SHARED\nmov ecx, 0x200\n"
        "2: add eax, [esi]\nrol eax, 3\nadd esi, 4\ndec ecx\njnz 2b\nmov esi, RESULTS\n"
        "mov ecx, PROCESSORS\n3: add eax, [esi]\nrol eax, 5\nadd esi, 4\ndec ecx\njnz 3b\n"
        "mov [0xD0001000], eax\njmp 4b");
}

void RandomSystemGuest::item() {
    switch (pick(16)) {
        case 0:
        case 1:
            return ring_3_item();
        case 2:
            return task_item();
        case 3:
            return narrow_item();
        case 4:
            return privileged_item();
        case 5:
        case 6:
            return unmap_item();
        case 7:
            return interrupt_item();
        default:
            return user_item();
    }
}

// No choice of random_, as in RandomGuest. An interrupt may come while the processor waits for the
// monitor's answer.
void RandomSystemGuest::monitor_item(unsigned number) {
    const unsigned which = number % 6;
    const unsigned read = which == 5 ? 0x18 : 4 * which;
    if (which >= 4) skippable(fmt::format("mov dword ptr [0xCB0000{:02x}], ebx", 4 * which));
    if (which == 5) skippable("mov dword ptr [0xCB000018], 0x7fffffff");
    skippable(fmt::format("xor eax, [0xCB0000{:02x}]", read));
}

// Instructions that every ring may execute.
void RandomSystemGuest::user_item() {
    switch (pick(20)) {
        case 0:
        case 1:
        case 2:
            return memory_item();
        case 3:
        case 4:
            return locked_item();
        case 5:
            return waiting_item();
        case 6:
            return string_item();
        case 7:
        case 8:
            return code_item();
        case 9:
            return stack_item();
        case 10:
        case 11:
            return float_item();
        case 12:
        case 13:
            return segment_item();
        case 14:
        case 15:
            return alias_item();
        case 16:
            return software_item();
        case 17:
            return gate_item();
        default:
            return fault_item();
    }
}

// Offsets in a few lines: some are adjacent, some so far apart that they fall into the same set of
// a small cache.
std::string RandomSystemGuest::shared(unsigned size) {
    const unsigned line = pick(6) * 16 + (pick(4) == 0 ? 512 * (1 + pick(3)) : 0);
    const unsigned offset = pick(8) == 0 ? pick(16) : pick(16) / size * size;
    return fmt::format("[ebx+{}]", line + offset);
}

void RandomSystemGuest::skippable(const std::string& instruction) {
    const std::string behind = label();
    emit("mov ecx, offset {0}\n{1}\n{0}:", behind, instruction);
}

void RandomSystemGuest::memory_item() {
    constexpr std::array<const char*, 8> kForms = {
        "mov {r}, dword ptr {m}",  "mov dword ptr {m}, {r}",     "add dword ptr {m}, {r}",
        "xor {r}, dword ptr {m}",  "cmp {r}, dword ptr {m}",     "inc dword ptr {m}",
        "imul {r}, dword ptr {m}", "push dword ptr {m}\npop {r}"};
    emit(kForms[pick(kForms.size())], fmt::arg("r", accumulator()), fmt::arg("m", shared(4)));
}

void RandomSystemGuest::locked_item() {
    constexpr std::array<const char*, 5> kForms = {
        "xchg dword ptr {m}, {r}", "lock add dword ptr {m}, {r}", "lock dec dword ptr {m}",
        "lock bts dword ptr {m}, 7", "lock not dword ptr {m}"};
    emit(kForms[pick(kForms.size())], fmt::arg("r", accumulator()), fmt::arg("m", shared(4)));
}

// Spins on a read or with test-and-set, for a bounded number of iterations.
void RandomSystemGuest::waiting_item() {
    emit("mov ecx, {}", 1 + pick(60));
    const std::string where = shared(1);
    if (pick(2))
        emit("1: cmp byte ptr {}, {}\nje 2f\ndec ecx\njnz 1b\n2:", where, pick(256));
    else
        emit("1: mov al, 1\nxchg byte ptr {}, al\ntest al, al\njz 2f\ndec ecx\njnz 1b\n2:", where);
}

void RandomSystemGuest::string_item() {
    constexpr std::array<const char*, 4> kForms = {"rep movsd", "rep stosb", "repe cmpsb",
                                                   "repne scasd"};
    emit("push esi\npush edi\nlea esi, {}\nlea edi, {}\nmov ecx, {}\n{}\npop edi\npop esi",
         shared(4), shared(4), pick(9), kForms[pick(kForms.size())]);
}

// Emits an instruction whose immediate others may overwrite, or a store to such an immediate. The
// store uses the code's own address, or the alias of the code pages.
void RandomSystemGuest::code_item() {
    if (patchable_ == 0 || pick(2)) {
        emit("patch{}: add eax, {:#x}", patchable_++, 0x1000 + pick(1 << 30));
        return;
    }
    const std::string target = fmt::format("patch{} + {}", pick(patchable_), 1 + pick(4));
    if (paging_ && pick(2))
        emit("mov [ALIAS + 0x7000 + {} - start], al", target);
    else
        emit("mov [{}], al", target);
    if (pick(2)) emit("jmp 1f\n1:");
}

void RandomSystemGuest::stack_item() {
    switch (pick(3)) {
        case 0:
            return emit("pushad\npopad");
        case 1:
            // Flags that the manual leaves undefined, salc, and a push of two bytes.
            return emit(
                "shl al, 3\npushfd\npop eax\nand eax, 0x8d5\nbt eax, 2\nrcr al, 9\npushfd\n"
                "pop ecx\nadd eax, ecx\n.byte 0xd6\npush fs\npop ecx\nxor eax, ecx");
        default:
            return emit("call 1f\njmp 2f\n1: enter 8, 1\nxor [ebp-4], eax\nleave\nret\n2:");
    }
}

// Each form leaves one register on the stack of the 80387.
void RandomSystemGuest::float_item() {
    constexpr std::array<const char*, 8> kForms = {"fild dword ptr {m}\nfaddp",
                                                   "fmul dword ptr {m}",
                                                   "fst qword ptr {m}",
                                                   "fild word ptr {m}\nfdivp",
                                                   "fld st(0)\nfistp dword ptr {m}",
                                                   "fcom dword ptr {m}\nfnstsw ax",
                                                   "fstp tbyte ptr {m}\nfld1",
                                                   "fld qword ptr {m}\nfxch\nfsubp"};
    emit(kForms[pick(kForms.size())], fmt::arg("m", shared(4)));
}

void RandomSystemGuest::segment_item() {
    constexpr std::array<const char*, 5> kSelectors = {"SMALL", "DOWN", "FAR", "UDATA", "ABSENT"};
    constexpr std::array<const char*, 2> kRegisters = {"fs", "gs"};
    const std::string reg = kRegisters[pick(2)];
    switch (pick(4)) {
        case 0:
            emit("mov eax, {}", kSelectors[pick(5)]);
            return skippable(fmt::format("mov {}, eax", reg));
        case 1:
            emit("push {}", kSelectors[pick(5)]);
            // The pushed selector is removed from the stack even if the pop faults and is skipped.
            emit("mov esi, esp");
            skippable(fmt::format("pop {}", reg));
            return emit("lea esp, [esi+4]\nxor esi, eax");
        case 2:
            return skippable(fmt::format("add eax, {}:[{}]", reg, pick(80)));
        default:
            emit("mov ax, {}\nlsl esi, ax\nlar edx, eax\nverw ax\nsetz al", kSelectors[pick(5)]);
    }
}

// Accesses pages that may be read-only, accessible to ring 0 only, or not present until they are
// first accessed.
void RandomSystemGuest::alias_item() {
    if (!paging_) return memory_item();
    constexpr std::array<const char*, 5> kForms = {"mov {r}, [{m}]", "mov [{m}], {r}",
                                                   "lock add [{m}], {r}", "add [{m}], {r}",
                                                   "xor {r}, [{m}]"};
    const std::string place = fmt::format("ALIAS + {}", pick(7) * 4096 + pick(32) * 4 + pick(2));
    skippable(fmt::format(fmt::runtime(kForms[pick(kForms.size())]), fmt::arg("r", accumulator()),
                          fmt::arg("m", place)));
}

void RandomSystemGuest::unmap_item() {
    if (!paging_) return locked_item();
    emit("lock and dword ptr [alias_table + {}], ~1", 4 * (4 + pick(3)));
    if (pick(3)) emit("mov eax, cr3\nmov cr3, eax");
}

void RandomSystemGuest::software_item() {
    constexpr std::array<const char*, 5> kForms = {"int 0x31", "int 0x32", "int3", "into",
                                                   "pushfd\nor dword ptr [esp], 0x100\npopfd\nnop"};
    emit(kForms[pick(kForms.size())]);
}

void RandomSystemGuest::fault_item() {
    constexpr std::array<const char*, 8> kForms = {
        "aam 0",          ".byte 0x0f, 0x0b",  "mov gs, ax",        "int 0x50",
        "bound eax, {m}", "div dword ptr {m}", "idiv word ptr {m}", ".byte 0xf0, 0x89, 0xc0"};
    skippable(fmt::format(fmt::runtime(kForms[pick(kForms.size())]), fmt::arg("m", shared(4))));
}

void RandomSystemGuest::privileged_item() {
    constexpr std::array<const char*, 7> kForms = {"mov esi, cr0",
                                                   "mov eax, cr3\nmov cr3, eax",
                                                   "sgdt [esp-16]\nadd eax, [esp-14]",
                                                   "str ax\nsldt dx",
                                                   "in al, 0x80",
                                                   "out 0x80, al",
                                                   "smsw ax\nlmsw ax\nclts"};
    emit(kForms[pick(kForms.size())]);
}

// Enters ring 3 by iret, and returns by an interrupt. Instructions that ring 3 may not execute
// fault and are skipped.
void RandomSystemGuest::ring_3_item() {
    const std::string user = label(), back = label();
    emit("pushfd\npush offset {}\nmov [SAVED+ebp*4], esp\npush UDATA", back);
    emit("mov eax, ebp\nshl eax, 10\nadd eax, USER_STACKS + 1000\npush eax\npushfd\npush UCODE");
    emit("push offset {}\niretd\n{}:", user, user);
    constexpr std::array<const char*, 5> kForbidden = {"cli", "hlt", "mov cr3, eax", "in al, 0x80",
                                                       "mov ss, eax"};
    for (unsigned items = 1 + pick(4); items > 0; --items) {
        user_item();
        if (pick(3) == 0) skippable(kForbidden[pick(kForbidden.size())]);
    }
    emit("int 0x30\n{}: popfd", back);
}

// Calls through call gates. From ring 3 they switch to the stack of ring 0 and back.
void RandomSystemGuest::gate_item() {
    if (pick(2))
        emit("push eax\npush edx\n.byte 0x9a\n.long 0\n.word CALL_GATE");
    else
        emit(".byte 0x9a\n.long 0\n.word SAME_GATE");
}

void RandomSystemGuest::task_item() {
    emit("call fword ptr [to_task+ebp*8]");
}

void RandomSystemGuest::narrow_item() {
    constexpr std::array<const char*, 5> kForms = {
        "add ax, dx\nmov [bx+4], ax", "push ax\npop dx",
        "inc word ptr [bx]\nloop 1f\n1:", "mov si, 0x100\nlodsw", "call 1f\njmp 2f\n1: ret\n2:"};
    const std::string in = label(), out = label();
    emit(".byte 0xea\n.long {0} - start\n.word CODE16\n.code16\n{0}:", in);
    for (unsigned items = 1 + pick(3); items > 0; --items) emit(kForms[pick(kForms.size())]);
    emit(".byte 0x66, 0xea\n.long {0}\n.word KCODE\n.code32\n{0}:", out);
}

void RandomSystemGuest::interrupt_item() {
    switch (pick(4)) {
        case 0:
            return emit("pushfd\ncli\nadd eax, [ebx]\nsti\nnop\npopfd");
        case 1:
            return emit(timers_ ? "hlt" : "sti");
        case 2:
            return emit("mov dword ptr [SLIC_MASK], {}", 0xc0 | pick(256));
        default:
            return message_item();
    }
}

// Sends a message to one processor, a group or all; the message can be an NMI.
void RandomSystemGuest::message_item() {
    constexpr std::array<unsigned, 4> kDestinations = {0, 1, 0x40, 0xff};
    emit("mov dword ptr [SLIC_DESTINATION], {}\nmov dword ptr [SLIC_BIN], {}",
         kDestinations[pick(4)], pick(7));
    emit("mov [SLIC_MESSAGE], eax\nmov dword ptr [SLIC_COMMAND], {}", pick(8) == 0 ? 2 : 1);
    if (pick(2)) emit("1: test dword ptr [SLIC_COMMAND], 1\njnz 1b");
}

}  // namespace symsim::test
