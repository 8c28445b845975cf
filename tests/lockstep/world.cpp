// SPDX-License-Identifier: MIT
#include "tests/lockstep/world.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

namespace symsim::test {
namespace {

using namespace layout;

// Access bytes of descriptors: present, ring, type, accessed.
constexpr unsigned kCode0 = 0x9b, kData0 = 0x93, kCode3 = 0xfb, kData3 = 0xf3, kTask32 = 0x89;
constexpr unsigned kPages32 = 0xc;  // limit in pages, 32-bit
constexpr std::uint32_t kGdtPointer = kConstants, kEntryStack = kConstants + 0x10,
                        kEntryTarget = kConstants + 0x20, kUserSelector = kConstants + 0x30,
                        kRealSelectors = kConstants + 0x40;

void put32(std::uint8_t* memory, std::uint32_t at, std::uint32_t value) {
    std::memcpy(memory + at, &value, 4);
}
void put_descriptor(std::uint8_t* memory, std::uint16_t selector, const Descriptor& d) {
    put32(memory, kGdt + (selector & ~7u), d.low);
    put32(memory, kGdt + (selector & ~7u) + 4, d.high);
}

class Assembler {
  public:
    Assembler(std::uint8_t* memory, std::uint32_t at) : memory_(memory), at_(at) {}
    Assembler& code(std::initializer_list<unsigned> bytes) {
        for (const unsigned byte : bytes) memory_[at_++] = static_cast<std::uint8_t>(byte);
        return *this;
    }
    Assembler& dword(std::uint32_t value) {
        put32(memory_, at_, value);
        at_ += 4;
        return *this;
    }
    // The address as a 16-bit offset in cs, as the entry code of real mode uses it.
    Assembler& constant(std::uint32_t address) {
        const std::uint32_t offset = address - (std::uint32_t{kEntryParagraph} << 4);
        return code({offset & 0xff, offset >> 8});
    }
    std::uint32_t at() const { return at_; }

  private:
    std::uint8_t* memory_;
    std::uint32_t at_;
};

void place_start_up(std::uint8_t* memory) {
    Assembler a(memory, kBoot);
    a.code({0x0f, 0x01, 0x15}).dword(kGdtPointer);              // lgdt [..]
    a.code({0xb8}).dword(kDirectory).code({0x0f, 0x22, 0xd8});  // mov cr3, directory
    a.code({0x0f, 0x20, 0xc0, 0x0d}).dword(0x8000'0000);        // mov eax, cr0; or eax, PG
    a.code({0x0f, 0x22, 0xc0});                                 // mov cr0, eax
    a.code({0xea});
    a.dword(a.at() + 6).code({kKernelCode, 0});                    // jmp kernel_code:next
    a.code({0xb8}).dword(kTaskSelector).code({0x0f, 0x00, 0xd8});  // ltr
    a.code({0xb8}).dword(kKernelData).code({0x8e, 0xd8, 0x8e, 0xc0, 0x8e, 0xd0});  // ds es ss
    a.code({0x8e, 0xe0, 0x8e, 0xe8, kHlt});                                        // fs gs
}

// Switches to real mode as the manual prescribes (PRM 14.5): loads segments of 64 KB first, whose
// limits remain.
void place_start_up_of_real_mode(std::uint8_t* memory) {
    Assembler a(memory, kBoot);
    a.code({0x0f, 0x01, 0x15}).dword(kGdtPointer);  // lgdt [..]
    a.code({0xea});
    a.dword(a.at() + 6 - (kEntryParagraph << 4)).code({kRealCode, 0});     // jmp real_code:next
    a.code({0xb8, kRealData, 0});                                          // mov ax, real_data
    a.code({0x8e, 0xd8, 0x8e, 0xc0, 0x8e, 0xd0, 0x8e, 0xe0, 0x8e, 0xe8});  // ds es ss fs gs
    a.code({0x0f, 0x20, 0xc0, 0x24, 0xfe, 0x0f, 0x22, 0xc0});              // mov eax, cr0; clear PE
    a.code({0xea}).constant(a.at() + 4);  // jmp entry_paragraph:next
    a.code({kEntryParagraph & 0xff, kEntryParagraph >> 8});
    a.code({0xb8, kFrameParagraph & 0xff, kFrameParagraph >> 8, 0x8e, 0xd0, kHlt});  // ss
    Assembler entry(memory, kRealEntry);
    entry.code({0x66, 0x61, 0x66, 0x9d});  // popad; popfd
    std::uint32_t at = kRealSelectors;
    for (const unsigned digit : {0u, 3u, 4u, 5u}) {  // es ds fs gs
        entry.code({0x2e, 0x8e, 0x06 | digit << 3}).constant(at);
        at += 2;
    }
    entry.code({0x2e, 0x66, 0x0f, 0xb2, 0x26}).constant(kEntryStack);  // lss esp, cs:[..]
    entry.code({0x2e, 0x66, 0xff, 0x2e}).constant(kEntryTarget);       // jmp far cs:[..]
}

// Writes the registers in the order in which popa loads them. Returns the address after them.
std::uint32_t put_registers(std::uint8_t* memory, const Registers& regs) {
    std::uint32_t at = kFrame;
    for (unsigned reg = 8; reg-- > 0; at += 4) put32(memory, at, regs[reg]);
    return at;
}

Start enter_real_mode(const Vector& vector, std::uint8_t* memory) {
    put32(memory, put_registers(memory, vector.regs), vector.flags);
    put32(memory, kEntryStack, vector.regs[esp]);
    put32(memory, kEntryStack + 4, vector.selectors[ss]);
    put32(memory, kEntryTarget, vector.offset());
    put32(memory, kEntryTarget + 4, vector.selectors[cs]);
    std::uint32_t at = kRealSelectors;
    for (const Seg segment : {es, ds, fs, gs}) {
        put32(memory, at, vector.selectors[segment]);
        at += 2;
    }
    Start start{kRealEntry - (kEntryParagraph << 4), Flags::kAlwaysSet, {}};
    start.regs[esp] = kFrame - (kFrameParagraph << 4);
    return start;
}

void place_entries(World world, std::uint8_t* memory) {
    // Loading cr3 flushes the TLB.
    Assembler kernel(memory, kKernelEntry);
    if (world == World::floating) kernel.code({0xdd, 0x25}).dword(kFloatState);  // frstor [..]
    kernel.code({0x0f, 0x22, 0xd8, 0x61, 0x9d});               // mov cr3, eax; popad; popfd
    kernel.code({0x2e, 0x0f, 0xb2, 0x25}).dword(kEntryStack);  // lss esp, cs:[..]
    kernel.code({0x2e, 0xff, 0x2d}).dword(kEntryTarget);       // jmp far cs:[..]
    Assembler user(memory, kUserEntry);
    user.code({0x0f, 0x22, 0xd8});
    for (const unsigned digit : {0u, 3u, 4u, 5u})  // es ds fs gs
        user.code({0x2e, 0x8e, 0x05 | digit << 3}).dword(kUserSelector);
    user.code({0x61, 0xcf});  // popad; iretd
}

}  // namespace

const char* name_of(World world) {
    static constexpr const char* kNames[] = {"flat",      "kernel", "user",     "narrow",
                                             "selectors", "real",   "floating", "i686"};
    return kNames[static_cast<unsigned>(world)];
}

Descriptor descriptor(std::uint32_t base, std::uint32_t limit, unsigned access, unsigned flags) {
    return {(limit & 0xffff) | base << 16, (base >> 16 & 0xff) | access << 8 | (limit & 0xf'0000) |
                                               flags << 20 | (base & 0xff00'0000)};
}

Descriptor gate(std::uint16_t selector, std::uint32_t offset, unsigned access,
                unsigned parameters) {
    return {(offset & 0xffff) | std::uint32_t{selector} << 16,
            (offset & 0xffff'0000) | access << 8 | parameters};
}

void place_system(World world, std::uint8_t* memory) {
    std::memset(memory + kSystem, 0, kSystemEnd - kSystem);
    put_descriptor(memory, kKernelCode, descriptor(0, 0xfffff, kCode0, kPages32));
    put_descriptor(memory, kKernelData, descriptor(0, 0xfffff, kData0, kPages32));
    put_descriptor(memory, kUserCode, descriptor(0, 0xfffff, kCode3, kPages32));
    put_descriptor(memory, kUserData, descriptor(0, 0xfffff, kData3, kPages32));
    put_descriptor(memory, kNarrowCode, descriptor(0, 0xffff, kCode0, 0));
    put_descriptor(memory, kTaskSelector, descriptor(kTask, 0x67, kTask32, 0));
    for (unsigned ring = 0; ring < 3; ++ring) {
        put32(memory, kTask + 4 + 8 * ring, kKernelStack - 0x200 * ring);
        put32(memory, kTask + 8 + 8 * ring, ring == 0 ? kKernelData : 0);
    }
    put32(memory, kGdtPointer, (8 * kGdtEntries - 1) | (kGdt & 0xffff) << 16);
    put32(memory, kGdtPointer + 4, kGdt >> 16);
    put32(memory, kUserSelector, kUserData);
    // Maps the first 4 MB to themselves, writable in every ring.
    put32(memory, kDirectory, kPageTable | 7);
    for (std::uint32_t page = 0; page < 1024; ++page)
        put32(memory, kPageTable + 4 * page, page << 12 | 7);
    if (world == World::real) {
        put_descriptor(memory, kRealCode, descriptor(kEntryParagraph << 4, 0xffff, kCode0, 0));
        put_descriptor(memory, kRealData, descriptor(0, 0xffff, kData0, 0));
        place_start_up_of_real_mode(memory);
    } else {
        place_start_up(memory);
        place_entries(world, memory);
    }
}

Start enter(World world, const Vector& vector, std::uint8_t* memory) {
    if (world == World::flat) return {vector.eip, vector.flags, vector.regs};
    if (world == World::real) return enter_real_mode(vector, memory);
    std::uint32_t at = put_registers(memory, vector.regs);
    if (vector.user) {
        for (const std::uint32_t value : {vector.eip, std::uint32_t{kUserCode}, vector.flags,
                                          vector.regs[esp], std::uint32_t{kUserData}}) {
            put32(memory, at, value);
            at += 4;
        }
    } else {
        put32(memory, at, vector.flags);
        put32(memory, kEntryStack, vector.regs[esp]);
        put32(memory, kEntryStack + 4, kKernelData);
        put32(memory, kEntryTarget, vector.eip);
        put32(memory, kEntryTarget + 4, world == World::narrow ? kNarrowCode : kKernelCode);
    }
    if (world == World::floating)
        std::copy(vector.float_state.begin(), vector.float_state.end(), memory + kFloatState);
    Start start{vector.user ? kUserEntry : kKernelEntry, Flags::kAlwaysSet, {}};
    start.regs[eax] = kDirectory;
    start.regs[esp] = kFrame;
    return start;
}

}  // namespace symsim::test
