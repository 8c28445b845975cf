// SPDX-License-Identifier: MIT
// Emits the machine code of a random guest; comments name the instructions.
#include "tests/engine/random_guest.h"

namespace symsim::test {

namespace {
constexpr std::uint32_t kShared = 0x0020'0000;    // lines that all processors use
constexpr std::uint32_t kCounters = 0x0020'4000;  // one dword per barrier
constexpr std::uint32_t kResults = 0x0020'8000;   // one dword per processor
constexpr std::uint32_t kStacks = 0x0030'0000;    // 256 bytes each
constexpr int kEax = 0, kEdx = 2;
}  // namespace

RandomGuest::RandomGuest(std::uint32_t seed, unsigned processors)
    : random_(seed), processors_(processors), reads_monitor_(reads_monitor(seed)) {
    prologue();
    const unsigned rounds = 1 + pick(3);
    for (unsigned round = 0; round < rounds; ++round) {
        emit({0xbf});  // mov edi, iterations
        emit32(1 + pick(12));
        const std::uint32_t loop = here();
        const unsigned items = 2 + pick(14);
        for (unsigned i = 0; i < items; ++i) item();
        emit({0x4f, 0x0f, 0x85});  // dec edi; jnz loop
        emit32(loop - (here() + 4));
        barrier();
    }
    epilogue();
}

void RandomGuest::emit(std::initializer_list<int> bytes) {
    for (const int b : bytes) code_.push_back(static_cast<std::uint8_t>(b));
}

void RandomGuest::emit32(std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
        code_.push_back(static_cast<std::uint8_t>(value >> shift));
}

// Offsets in a few lines: some are adjacent, some so far apart that they fall into the same set of
// a small cache.
std::uint32_t RandomGuest::shared(unsigned size) {
    const std::uint32_t line = pick(6) * 16 + (pick(4) == 0 ? 512 * (1 + pick(3)) : 0);
    const std::uint32_t offset = pick(8) == 0 ? pick(16) : pick(16) / size * size;
    return line + offset;
}

void RandomGuest::prologue() {
    emit({0x8b, 0x2d});  // mov ebp, [processor number]
    emit32(0xC8000000);
    emit({0xbb});  // mov ebx, shared
    emit32(kShared);
    emit({0x89, 0xec, 0xc1, 0xe4, 0x08});  // mov esp, ebp; shl esp, 8
    emit({0x81, 0xc4});                    // add esp, top of the first stack
    emit32(kStacks + 0xf0);
    emit({0x89, 0xe8, 0x69, 0xd5});  // mov eax, ebp; imul edx, ebp, odd number
    emit32(0x9e3779b1);
    emit({0x89, 0xd6});  // mov esi, edx
}

// All processors meet here. They wait in a loop that changes nothing, so it can sleep.
void RandomGuest::barrier() {
    const std::uint32_t counter = kCounters + 4 * barriers_++;
    emit({0xf0, 0xff, 0x05});  // lock inc dword [counter]
    emit32(counter);
    emit({0x83, 0x3d});  // cmp dword [counter], processors
    emit32(counter);
    emit({static_cast<int>(processors_), 0x72, 0xf7});  // jb back to the cmp
}

// Each processor stores a result. Processor 0 sums results and shared data, and switches the power
// off with the sum as status.
void RandomGuest::epilogue() {
    emit(
        {0x01, 0xd0, 0x01, 0xf0, 0x89, 0x04, 0xad});  // add eax,edx; add eax,esi; mov [r+4*ebp],eax
    emit32(kResults);
    barrier();
    emit({0x85, 0xed, 0x74, 0x01, 0xf4});  // test ebp, ebp; jz over; hlt
    emit({0x31, 0xc0, 0xbe});              // xor eax, eax; mov esi, shared
    emit32(kShared);
    emit({0xb9});  // mov ecx, dwords
    emit32(0x200);
    emit({0x03, 0x06, 0xc1, 0xc0, 0x03, 0x83, 0xc6, 0x04});  // add eax,[esi]; rol 3; add esi,4
    emit({0x49, 0x75, 0xf5, 0xbe});                          // dec ecx; jnz; mov esi, results
    emit32(kResults);
    emit({0xb9});
    emit32(processors_);
    emit({0x03, 0x06, 0xc1, 0xc0, 0x05, 0x83, 0xc6, 0x04, 0x49, 0x75, 0xf5});
    emit({0xa3});  // mov [power], eax
    emit32(0xD0001000);
    emit({0xf4});
}

void RandomGuest::item() {
    switch (pick(20)) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4:
            return memory_item();
        case 5:
        case 6:
        case 7:
        case 8:
            return register_item();
        case 9:
        case 10:
        case 11:
            return locked_item();
        case 12:
        case 13:
            return waiting_item();
        case 14:
        case 15:
            return stack_item();
        case 16:
            return string_item();
        case 17:
            return code_item();
        case 18:
            return skip_item();
        default:
            return device_item();
    }
}

void RandomGuest::memory_item() {
    const int reg = pick(2) ? kEax : kEdx;
    const int modrm = 0x83 | reg << 3;  // [ebx + disp32]
    switch (pick(9)) {
        case 0:
            emit({0x8b, modrm});
            return emit32(shared(4));  // mov r, m
        case 1:
            emit({0x89, modrm});
            return emit32(shared(4));  // mov m, r
        case 2:
            emit({0x88, modrm});
            return emit32(shared(1));  // mov m8, r8
        case 3:
            emit({0x66, 0x89, modrm});
            return emit32(shared(2));  // mov m16, r16
        case 4:
            emit({0x0f, 0xb6, modrm});
            return emit32(shared(1));  // movzx r, m8
        case 5:
            emit({0x01, modrm});
            return emit32(shared(4));  // add m, r
        case 6:
            emit({0x33, modrm});
            return emit32(shared(4));  // xor r, m
        case 7:
            emit({0x3b, modrm});
            return emit32(shared(4));  // cmp r, m
        default:
            emit({0xfe, 0x83});
            return emit32(shared(1));  // inc m8
    }
}

void RandomGuest::register_item() {
    switch (pick(7)) {
        case 0:
            return emit({0x01, 0xd0});  // add eax, edx
        case 1:
            return emit({0x29, 0xf2});  // sub edx, esi
        case 2:
            return emit({0x0f, 0xaf, 0xc2});  // imul eax, edx
        case 3:
            return emit({0xd1, 0xc6, 0x31, 0xc6});  // rol esi; xor esi,eax
        case 4:
            return emit({0x8d, 0x54, 0x82, static_cast<int>(pick(128))});  // lea edx,[..]
        case 5:
            return emit({0xf7, 0xe2});  // mul edx
        default:                        // delay loop
            emit({0xb9});
            emit32(1 + pick(40));
            return emit({0x49, 0x75, 0xfd});
    }
}

void RandomGuest::locked_item() {
    switch (pick(6)) {
        case 0:
            emit({0x86, 0x83});
            return emit32(shared(1));  // xchg m8, al
        case 1:
            emit({0x87, 0x83});
            return emit32(shared(4));  // xchg m32, eax
        case 2:
            emit({0xf0, 0x01, 0x83});
            return emit32(shared(4));  // lock add m, eax
        case 3:
            emit({0xf0, 0xff, 0x8b});
            return emit32(shared(4));  // lock dec m
        case 4:                        // lock bts m, imm
            emit({0xf0, 0x0f, 0xba, 0xab});
            emit32(shared(4));
            return emit({static_cast<int>(pick(32))});
        default:
            emit({0xf0, 0xf7, 0x93});
            return emit32(shared(4));  // lock not m
    }
}

// Spins with test-and-set or on a read, for at most ecx iterations.
void RandomGuest::waiting_item() {
    emit({0xb9});
    emit32(1 + pick(60));
    const std::uint32_t where = shared(1);
    if (pick(2)) {
        emit({0x80, 0xbb});  // L: cmp byte [ebx+d], v; je out; dec ecx; jnz L
        emit32(where);
        return emit({static_cast<int>(pick(256)), 0x74, 0x03, 0x49, 0x75, 0xf4});
    }
    emit({0xb0, 0x01, 0x86, 0x83});  // L: mov al, 1; xchg [ebx+d], al; test al; jz; dec ecx; jnz L
    emit32(where);
    emit({0x84, 0xc0, 0x74, 0x03, 0x49, 0x75, 0xf1});
}

void RandomGuest::stack_item() {
    switch (pick(4)) {
        case 0:
            return emit({0x50, 0x52, 0x58, 0x5a});  // push eax, edx; pop eax, edx
        case 1:
            return emit({0x60, 0x61});  // pusha; popa
        case 2:                         // push m; pop eax
            emit({0xff, 0xb3});
            emit32(shared(4));
            return emit({0x58});
        default:  // call a routine that stands before the call, jumped over
            emit({0xeb, 0x05});
            emit({0x01, 0xc2, 0xd1, 0xca, 0xc3});  // add edx,eax; ror edx; ret
            emit({0xe8});
            return emit32(static_cast<std::uint32_t>(-10));
    }
}

void RandomGuest::string_item() {
    emit({0x56, 0x57, 0x8d, 0xb3});  // push esi, edi; lea esi, [ebx+d]; lea edi, [ebx+d]; mov ecx
    emit32(shared(4));
    emit({0x8d, 0xbb});
    emit32(shared(4));
    emit({0xb9});
    emit32(pick(9));
    switch (pick(4)) {
        case 0:
            emit({0xf3, 0xa5});
            break;  // rep movsd
        case 1:
            emit({0xf3, 0xaa});
            break;  // rep stosb
        case 2:
            emit({0xf3, 0xa6});
            break;  // repe cmpsb
        default:
            emit({0xf2, 0xaf});
            break;  // repne scasd
    }
    emit({0x5f, 0x5e});
}

// Emits an instruction whose immediate others may overwrite, or a store to such an immediate.
void RandomGuest::code_item() {
    if (patchable_.empty() || pick(2)) {
        emit({0x05});  // add eax, imm32
        patchable_.push_back(here());
        return emit32(pick(1 << 30));
    }
    const std::uint32_t target =
        patchable_[pick(static_cast<unsigned>(patchable_.size()))] + pick(4);
    emit({0x88, 0x05});  // mov [target], al
    emit32(target);
    if (pick(2)) emit({0xeb, 0x00});  // jmp to the next instruction
}

// Emits instructions that some processors execute and others skip.
void RandomGuest::skip_item() {
    emit({0xf7, 0xc5});  // test ebp, mask; jz over
    emit32(1u << pick(3));
    emit({0x0f, 0x84});
    const std::size_t from = code_.size();
    emit32(0);
    memory_item();
    locked_item();
    const auto over = static_cast<std::uint32_t>(code_.size() - from - 4);
    for (int i = 0; i < 4; ++i) code_[from + i] = static_cast<std::uint8_t>(over >> 8 * i);
}

void RandomGuest::device_item() {
    switch (pick(6)) {
        case 0:
            emit({0xa1});
            return emit32(0xCC002000);  // mov eax, [microsecond clock]
        case 2:
            emit({0xa0});
            return emit32(0xD0000000);  // mov al, [console]: takes a byte of the input
        case 3:
            emit({0x03, 0x05});
            return emit32(0xD0000000);  // add eax, [console]
        case 4:
            emit({0x33, 0x15});
            return emit32(0xD0000004);  // xor edx, [bytes left]
        case 1:
            emit({0xa2});
            return emit32(0xD0000000);  // mov [console], al
        default:
            if (reads_monitor_) return monitor_item();
            emit({0xa1});
            return emit32(0xC8000004);
    }
}

// Which register is not a choice of random_: guests with and without a monitor differ in nothing
// else.
void RandomGuest::monitor_item() {
    const auto which = static_cast<std::uint32_t>(code_.size() % 6);
    const std::uint32_t read = 0xCB000000 + (which == 5 ? 0x18 : 4 * which);
    if (which >= 4) {
        emit({0x89, 0x1d});  // mov [node or range], ebx
        emit32(0xCB000000 + 4 * which);
    }
    if (which == 5) {
        emit({0xc7, 0x05});  // mov dword ptr [lines], 2 GB: all from ebx on
        emit32(read);
        emit32(0x7fffffff);
    }
    emit({0x33, 0x05});  // xor eax, [register]
    emit32(read);
}

}  // namespace symsim::test
