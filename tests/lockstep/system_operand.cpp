// SPDX-License-Identifier: MIT
// Random operands of system instructions: page table entries, descriptors, selectors.
#include "tests/lockstep/generator.h"

namespace symsim::test {

// Gives the data's pages and, less often, the code's random rights, accessed and dirty bits. Every
// page is mapped to itself: Unicorn 2.0.1 checks a page's rights but ignores its frame.
void Generator::prepare_pages() {
    constexpr std::uint32_t kPresent = 1, kRights = 7, kAccessed = 0x20, kDirty = 0x40;
    for (const std::uint32_t linear : {layout::kData, layout::kData + 0x1000}) {
        std::uint32_t marks = kRights;
        if (random_.one_in(2)) {
            marks = random_.any() & (kRights | kAccessed | kDirty);
            if (!random_.one_in(4)) marks |= kPresent;
        }
        patch(layout::kPageTable + linear / 0x1000 * 4, linear | marks);
    }
    for (const std::uint32_t linear : {0x2000u, 0x3000u}) {
        const std::uint32_t marks = random_.one_in(16) ? random_.any() & kRights : kRights;
        patch(layout::kPageTable + linear / 0x1000 * 4, linear | marks);
    }
}

// Real mode: random segments from which the code and the data are within 64 KB.
void Generator::prepare_segments() {
    for (std::uint16_t& selector : vector_.selectors)
        selector = static_cast<std::uint16_t>(
            random_.one_in(4) ? 0 : random_.below((layout::kData >> 4) + 1));
    vector_.selectors[cs] = static_cast<std::uint16_t>(far_target().selector);
}

// A random place where a far jump may lead.
Generator::FarTarget Generator::far_target() {
    if (vector_.world != World::real) return {landing(), any_selector()};
    const std::uint32_t selector =
        random_.one_in(4) ? 0 : random_.below((layout::kLanding >> 4) + 1);
    return {landing_place() - (selector << 4), selector};
}

bool Generator::transfers() const {
    return pattern_.trait == Trait::far_jump || pattern_.trait == Trait::far_return;
}

Descriptor Generator::any_descriptor() {
    static constexpr std::uint32_t kRings[] = {0, 0, 0, 1, 2, 3, 3, 3};
    const std::uint32_t ring = kRings[random_.below(8)];
    const std::uint32_t present = random_.one_in(8) ? 0 : 0x80;
    const std::uint32_t access = present | ring << 5;
    constexpr std::uint32_t kSegment = 0x10;
    if (random_.below(10) < 7) {
        const std::uint32_t big = random_.one_in(8) ? 0x8 : 0xc;
        // QEMU does not set the accessed bit for far transfers, so it is set here.
        const std::uint32_t accessed = transfers() ? 1 : 0;
        return descriptor(0, 0xfffff, access | kSegment | random_.below(16) | accessed, big);
    }
    if (random_.one_in(2)) {
        const auto target = static_cast<std::uint16_t>(any_selector());
        return gate(target, landing(), access | (random_.one_in(4) ? 0x4 : 0xc),
                    random_.one_in(2) ? 0 : random_.below(32));
    }
    // A system segment of any type that does not make a far jump switch tasks.
    static constexpr std::uint32_t kSystemTypes[] = {0x0, 0x2, 0x6, 0x7, 0x8, 0xa, 0xd, 0xe, 0xf};
    return descriptor(0, random_.any() & 0xfffff, access | kSystemTypes[random_.below(9)],
                      random_.below(2) * 8);
}

void Generator::prepare_descriptors() {
    for (std::uint32_t& entry : entries_)
        entry = layout::kFreeEntry + random_.below(layout::kGdtEntries - layout::kFreeEntry);
    for (const std::uint32_t entry : entries_) {
        const Descriptor d = any_descriptor();
        patch(layout::kGdt + 8 * entry, d.low);
        patch(layout::kGdt + 8 * entry + 4, d.high);
    }
}

std::uint32_t Generator::any_selector() {
    if (vector_.world == World::real)
        return random_.one_in(2) ? random_.below(layout::kData >> 4) : random_.any() & 0xffff;
    static constexpr std::uint32_t kRings[] = {0, 0, 0, 1, 2, 3, 3, 3};
    const std::uint32_t ring = kRings[random_.below(8)];
    switch (random_.below(16)) {
        case 0:
            return random_.below(4);  // the null selector
        case 1:
            return (random_.any() & 0xfff8) | ring;  // mostly beyond the table
        case 2:
            return 4 | (random_.below(8) << 3) | ring;  // in the local table, which does not exist
        case 3:
        case 4:
        case 5:
        case 6: {
            static constexpr std::uint32_t kFixed[] = {kKernelCode, kKernelData, kUserCode,
                                                       kUserData};
            return (kFixed[random_.below(4)] & ~3u) | ring;
        }
        default:
            return entries_[random_.below(3)] << 3 | ring;
    }
}

void Generator::prepare_far_operand() {
    const unsigned size = word_ ? 2 : 4;
    const std::uint32_t top = stack_top();
    const FarTarget to = far_target();
    const std::uint32_t target = word_ ? low_half(to.offset) : to.offset;
    switch (pattern_.trait) {
        case Trait::selector: {
            const std::uint32_t selector = low_half(any_selector());
            if (memory_at_ >= 0)
                patch(static_cast<std::uint32_t>(memory_at_), selector);
            else if (register_ != esp)
                vector_.regs[static_cast<unsigned>(register_)] = selector;
            break;
        }
        case Trait::far_pointer:
        case Trait::far_jump:
            if (memory_at_ < 0) break;
            patch(static_cast<std::uint32_t>(memory_at_), target);
            patch(static_cast<std::uint32_t>(memory_at_) + size, low_half(to.selector));
            break;
        case Trait::pop_selector:
            patch(top, low_half(any_selector()));
            break;
        case Trait::far_return: {
            const bool interrupt = pattern_.encoding[1] == 'f';
            patch(top, target);
            patch(top + size, low_half(to.selector));
            std::uint32_t at = top + 2 * size;
            constexpr std::uint32_t kVirtual = 1u << 17;
            if (interrupt) {
                vector_.flags &= ~std::uint32_t{Flags::kNested};
                patch(at, random_.any() & ~(std::uint32_t{Flags::kTrap} | kVirtual));
                at += size;
            } else if (pattern_.encoding[1] == 'a') {
                at += constant_ & 0xffff;
            }
            if (at + 2 * size > layout::kData + layout::kDataSize) break;
            patch(at, place());
            patch(at + size, low_half(any_selector()));
            break;
        }
        default:
            break;
    }
}

}  // namespace symsim::test
