// SPDX-License-Identifier: MIT
#include "tests/lockstep/generator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

namespace symsim::test {
namespace {

constexpr std::uint8_t kOperandSize = 0x66, kAddressSize = 0x67, kLock = 0xf0;
constexpr std::uint8_t kLoadAx = 0xa1;
constexpr std::uint8_t kSegmentPrefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65};

const Pattern& any_of(const std::vector<Pattern>& from, Random& random) {
    return from[random.below(static_cast<std::uint32_t>(from.size()))];
}

const Pattern& any_of(World world, Random& random) {
    switch (world) {
        case World::selectors:
            return any_of(system_grammar(), random);
        case World::real:
            return any_of(random.one_in(3) ? system_grammar() : grammar(), random);
        case World::floating:
            return any_of(float_grammar(), random);
        case World::i686:
            return any_of(random.one_in(2) ? added_grammar() : grammar(), random);
        default:
            return any_of(grammar(), random);
    }
}

}  // namespace

Vector Generator::make(World world, std::uint64_t seed, std::uint64_t number) {
    Generator generator(world, seed, number);
    generator.add_prefixes();
    if (world == World::real) generator.prepare_segments();
    generator.prepare_registers();
    if (world == World::kernel || world == World::user || world == World::i686)
        generator.prepare_pages();
    if (world == World::selectors) generator.prepare_descriptors();
    generator.encode();
    generator.prepare_operand();
    generator.prepare_far_operand();
    generator.find_undefined();
    if (world == World::real) generator.look_through_segment();
    if (world == World::floating) {
        generator.prepare_float_state();
        generator.prepare_float_operand();
        generator.save_float_state();
    }
    return std::move(generator.vector_);
}

Generator::Generator(World world, std::uint64_t seed, std::uint64_t number)
    : random_(seed, number), pattern_(any_of(world, random_)) {
    vector_.number = number;
    vector_.world = world;
    vector_.user = world == World::user ||
                   ((world == World::selectors || world == World::i686) && random_.one_in(2));
    vector_.pattern = &pattern_;
    vector_.eip = layout::kCode + random_.below(layout::kCodeRange);
    vector_.undefined = pattern_.undefined;
}

bool Generator::string() const {
    return pattern_.trait == Trait::string || pattern_.trait == Trait::compare_string;
}

void Generator::put_all(std::uint32_t value, unsigned bytes) {
    for (unsigned n = 0; n < bytes; ++n) put(value >> 8 * n);
}

// A place before or after the instruction, on other pages than the instruction. Unicorn removes
// translations by walking all that it has for a page, which other translations would slow down.
std::uint32_t Generator::landing_place() {
    return random_.one_in(2) ? 0x1000 + random_.below(0x1000) : 0x4000 + random_.below(0x1fff);
}

// Byte instructions also get an operand size prefix, which must have no effect.
void Generator::add_prefixes() {
    Bytes prefixes;
    word_ = random_.one_in(3);
    const bool narrow = is_narrow(vector_.world);
    if (word_ != narrow) prefixes.push_back(kOperandSize);
    address16_ = random_.one_in(4);
    if (address16_ != narrow) prefixes.push_back(kAddressSize);
    if (random_.one_in(6)) {
        override_ = static_cast<int>(random_.below(6));
        prefixes.push_back(kSegmentPrefixes[override_]);
    }
    if (string() && !random_.one_in(3)) {
        repeated_ = true;
        prefixes.push_back(random_.one_in(2) && pattern_.trait == Trait::compare_string ? 0xf2
                                                                                        : 0xf3);
    }
    vector_.locked = random_.one_in(pattern_.lockable ? 4 : 50);
    if (vector_.locked) prefixes.push_back(kLock);
    // Repeats one of the prefixes.
    if (random_.one_in(12) && !prefixes.empty())
        prefixes.push_back(prefixes[random_.below(static_cast<std::uint32_t>(prefixes.size()))]);
    for (std::size_t n = prefixes.size(); n > 1; --n)
        std::swap(prefixes[n - 1], prefixes[random_.below(static_cast<std::uint32_t>(n))]);
    vector_.bytes = prefixes;
}

void Generator::prepare_registers() {
    Registers& regs = vector_.regs;
    for (auto& reg : regs.r) reg = random_.operand();
    regs[esp] = half_if(vector_.world == World::real, place() - vector_.base(ss));
    constexpr std::uint32_t kFlags = Flags::kArithmetic | Flags::kInterrupt | Flags::kDirection |
                                     Flags::kPrivilege | Flags::kNested;
    vector_.flags = (random_.any() & kFlags) | Flags::kAlwaysSet;
    if (string()) {
        regs[esi] = half_if(address16_, place() - base_of(ds));
        regs[edi] = half_if(address16_, place() - vector_.base(es));
        if (repeated_) regs[ecx] = half_if(address16_, random_.below(20));
    }
    if (pattern_.trait == Trait::table) regs[ebx] = half_if(address16_, place() - base_of(ds));
    if (pattern_.trait == Trait::frame)
        regs[ebp] = half_if(vector_.world == World::real, place() - vector_.base(ss));
    if (pattern_.trait == Trait::divide && !random_.one_in(4)) {
        // With a small or sign-extended upper half some quotients fit.
        if (pattern_.bits == 8)
            regs[eax] = random_.operand() >> random_.below(16);
        else
            regs[edx] = random_.one_in(2) ? random_.below(3) : 0u - (regs[eax] >> 31);
    }
    if (pattern_.trait == Trait::jump && random_.one_in(2)) regs[ecx] = random_.below(3);
}

void Generator::encode() {
    const std::string text = pattern_.encoding;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        encode_part(text.substr(at, end - at));
        at = end + 1;
    }
}

void Generator::encode_part(const std::string& part) {
    if (part[0] == '/') {
        const char digit = part[1];
        const unsigned middle = digit == 'r'   ? random_.below(8)
                                : digit == 'n' ? pattern_.digit
                                               : static_cast<unsigned>(digit - '0');
        add_modrm(middle, part[part.size() - 1]);
    } else if (part == "ib" || part == "iw" || part == "iv") {
        add_constant(part == "ib" ? 1 : part == "iw" || word_ ? 2 : 4);
    } else if (part == "rel8" || part == "relv") {
        add_relative(part == "rel8" ? 1 : word_ ? 2 : 4);
    } else if (part == "moffs") {
        put_all(place() - base_of(ds), address16_ ? 2 : 4);
    } else if (part == "far") {
        const FarTarget target = far_target();
        put_all(target.offset, word_ ? 2 : 4);
        put_all(target.selector, 2);
    } else if (part == "frame") {
        // Frames of any size and all nesting levels; levels above 31 count modulo 32.
        put_all(random_.operand(), 2);
        put(random_.one_in(2) ? random_.below(4) : random_.any());
    } else {
        const bool reg = part.find("+r") != std::string::npos;
        const bool condition = part.find("+cc") != std::string::npos;
        register_ = reg ? static_cast<int>(random_.below(8)) : -1;
        put(static_cast<std::uint32_t>(std::strtoul(part.c_str(), nullptr, 16)) + pattern_.added +
            (reg         ? static_cast<std::uint32_t>(register_)
             : condition ? random_.below(16)
                         : 0));
    }
}

void Generator::add_constant(unsigned bytes) {
    constant_ = random_.operand();
    // The result of a double shift by more than the operand's bits is undefined.
    if (pattern_.trait == Trait::double_shift && word_) constant_ = random_.below(17);
    put_all(constant_, bytes);
}

void Generator::add_relative(unsigned bytes) {
    const std::uint32_t next =
        vector_.eip + static_cast<std::uint32_t>(vector_.bytes.size()) + bytes;
    std::uint32_t by;
    if (bytes == 1) {
        // A backward jump must lead to before the instruction itself.
        do by = random_.below(256) - 128;
        while (static_cast<std::int32_t>(by) < 0 && by + layout::kLongest < layout::kLongest);
    } else {
        by = landing_place() - next;
    }
    put_all(by, bytes);
}

// A load through a random segment after the instruction: it shows the base that was loaded.
void Generator::look_through_segment() {
    if (pattern_.trait != Trait::selector && pattern_.trait != Trait::far_pointer &&
        pattern_.trait != Trait::pop_selector)
        return;
    put(kSegmentPrefixes[random_.below(6)]);
    put(kLoadAx);
    put_all(place(), 2);
}

// Gives operands values with which the instruction neither faults immediately nor leaves the
// landing area.
void Generator::prepare_operand() {
    Registers& regs = vector_.regs;
    switch (pattern_.trait) {
        case Trait::jump:
            if (memory_at_ >= 0)
                patch(static_cast<std::uint32_t>(memory_at_),
                      word_ ? low_half(landing()) : landing());
            else if (register_ >= 0)
                regs[static_cast<unsigned>(register_)] = word_ ? low_half(landing()) : landing();
            break;
        case Trait::ret:
            patch(stack_top(), word_ ? low_half(landing()) : landing());
            break;
        case Trait::pop_flags:
            patch(stack_top(), random_.any() & ~std::uint32_t{Flags::kTrap});
            break;
        case Trait::compare_exchange:
            // Half of the vectors compare equal.
            if (random_.one_in(2)) break;
            if (memory_at_ >= 0)
                patch(static_cast<std::uint32_t>(memory_at_), regs[eax]);
            else if (static_cast<unsigned>(register_) != esp)
                regs[static_cast<unsigned>(register_)] = regs[eax];
            break;
        case Trait::compare_exchange_pair:
            if (random_.one_in(2)) break;
            patch(static_cast<std::uint32_t>(memory_at_), regs[eax]);
            patch(static_cast<std::uint32_t>(memory_at_) + 4, regs[edx]);
            break;
        case Trait::bound: {
            const unsigned size = word_ ? 2 : 4;
            const auto at = static_cast<std::uint32_t>(memory_at_);
            if (random_.one_in(4)) break;
            // One bound is next to the value, the other is at an end of the range.
            const std::uint32_t value = regs[middle_];
            const std::uint32_t most = word_ ? 0x7fff : 0x7fffffff;
            const bool low = random_.one_in(2);
            patch(at, low ? value + random_.below(3) - 1 : most + 1);
            patch(at + size, low ? most : value + random_.below(3) - 1);
            break;
        }
        default:
            break;
    }
}

void Generator::find_undefined() {
    if (pattern_.trait != Trait::shift && pattern_.trait != Trait::rotate &&
        pattern_.trait != Trait::double_shift)
        return;
    const std::uint8_t opcode = pattern_.encoding[0] == 'd' ? pattern_.encoding[1] : 0;
    const bool by_one = opcode == '0' || opcode == '1';
    const bool by_constant = pattern_.encoding[std::strlen(pattern_.encoding) - 1] == 'b';
    const unsigned count = (by_one ? 1 : by_constant ? constant_ : vector_.regs[ecx]) & 31;
    if (count > 1) vector_.undefined |= Flags::kOverflow;
    if (pattern_.trait == Trait::rotate) return;
    if (count > 0) vector_.undefined |= Flags::kAuxiliary;
    if (count >= 8 * operand_bytes()) vector_.undefined |= Flags::kCarry;
}

}  // namespace symsim::test
