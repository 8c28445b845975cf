// SPDX-License-Identifier: MIT
// Makes random test vectors from the patterns of a grammar: prefixes, modrm with every addressing
// mode, constants. Registers and memory are chosen so that accesses and jumps stay within the areas
// that `layout` reserves for them.
#pragma once

#include <array>
#include <string>

#include "sim/cpu/fpu/float80.h"
#include "tests/lockstep/grammar.h"
#include "tests/lockstep/random.h"
#include "tests/lockstep/vector.h"
#include "tests/lockstep/world.h"

namespace symsim::test {

class Generator {
  public:
    // The vector with this number for this seed. It does not depend on vectors made before.
    static Vector make(World world, std::uint64_t seed, std::uint64_t number);

  private:
    Generator(World world, std::uint64_t seed, std::uint64_t number);

    void add_prefixes();
    void prepare_registers();
    void encode();
    void encode_part(const std::string& part);
    void add_modrm(unsigned middle, char kind);
    void add_memory(unsigned middle);
    struct Modrm;
    bool find_memory_32(Modrm& m, std::uint32_t target);
    bool find_memory_16(Modrm& m, std::uint32_t target);
    std::uint32_t in_segment(std::uint32_t target, bool of_stack) const;
    bool movable(unsigned reg, unsigned middle) const;
    void add_constant(unsigned bytes);
    void add_relative(unsigned bytes);
    void prepare_operand();
    void find_undefined();
    void prepare_pages();
    void prepare_descriptors();
    void prepare_far_operand();
    void prepare_segments();
    void look_through_segment();
    std::uint32_t any_control_word();
    std::uint64_t any_significand();
    Float80 any_real();
    void put_real(std::uint32_t at, unsigned bits);
    void prepare_float_state();
    void prepare_float_operand();
    void save_float_state();
    Descriptor any_descriptor();
    std::uint32_t any_selector();
    struct FarTarget {
        std::uint32_t offset, selector;
    };
    FarTarget far_target();
    void patch(std::uint32_t at, std::uint32_t value) { vector_.patches.push_back({at, value}); }

    bool string() const;
    bool transfers() const;
    unsigned operand_bytes() const { return pattern_.bits == 8 ? 1 : word_ ? 2 : 4; }
    void put(std::uint32_t byte) { vector_.bytes.push_back(static_cast<std::uint8_t>(byte)); }
    void put_all(std::uint32_t value, unsigned bytes);
    std::uint32_t place() { return layout::kPlace + random_.below(layout::kPlaces); }
    std::uint32_t landing_place();
    // A landing place as an offset in the code segment.
    std::uint32_t landing() { return landing_place() - vector_.base(cs); }
    // The base of the segment of an operand: the default segment, or the one that a prefix names.
    std::uint32_t base_of(Seg segment) const {
        return vector_.base(override_ >= 0 ? static_cast<Seg>(override_) : segment);
    }
    std::uint32_t stack_top() const {
        const std::uint32_t top = vector_.regs[esp];
        return vector_.world == World::real ? vector_.base(ss) + (top & 0xffff) : top;
    }
    // The offset; for 16-bit addresses only its low half counts.
    std::uint32_t half_if(bool narrow, std::uint32_t offset) {
        return narrow ? low_half(offset) : offset;
    }
    // A value of which only the low half is used. The high half is random, so that an error shows.
    std::uint32_t low_half(std::uint32_t value) { return (random_.any() << 16) | (value & 0xffff); }

    Random random_;
    const Pattern& pattern_;
    Vector vector_;
    bool word_ = false;       // 16-bit operands
    bool address16_ = false;  // 16-bit addresses
    bool repeated_ = false;
    int override_ = -1;                       // the segment a prefix names
    int memory_at_ = -1;                      // address of the modrm operand if it is in memory
    int register_ = -1;                       // else its register
    unsigned middle_ = 0;                     // reg field of modrm
    std::array<std::uint32_t, 3> entries_{};  // GDT entries of this vector's descriptors
    unsigned constant_ = 0;                   // the last constant encoded
};

}  // namespace symsim::test
