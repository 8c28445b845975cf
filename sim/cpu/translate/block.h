// SPDX-License-Identifier: MIT
// A block that is being translated, and the emission of its code. emitter.h is for hosts of x86-64;
// on others there is no_emitter.cpp, and nothing is translated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/cpu/isa/handlers.h"
#include "sim/cpu/translate/host_layout.h"
#include "sim/cpu/translate/translated.h"

namespace symsim {

// What instructions can be part of a block, and what they do.
bool translates(const Shape& shape, const Op& op);
bool is_direct_jump(const Shape& shape);
bool loads(const Shape& shape);
bool sets_all_flags(const Shape& shape);  // of one that translates()

// An instruction of a block that is being translated.
struct BlockItem {
    Op* op = nullptr;
    Shape shape;
    FastHandler alone = nullptr;
    bool enters = false;          // a cache line begins in it
    const Op* target = nullptr;   // of a jump: where the code may jump to; null: nowhere
    std::size_t target_item = 0;  // the target's number in the block, or the block's size
    bool flags_read = true;       // something may read the flags that it sets
    Translated* translated = nullptr;
};

// Code that all blocks of a chunk share, emitted at its beginning.
struct SharedCode {
    const std::uint8_t* leave = nullptr;
    const std::uint8_t* end = nullptr;
    const std::uint8_t* jump = nullptr;
    // Routines, which set the carry if they cannot do their work now.
    const std::uint8_t* load[3] = {};  // of 1, 2, 4 bytes
    const std::uint8_t* use_line = nullptr;
    const std::uint8_t* take_jump = nullptr;
};

// A jump out of a block, whose target may be translated later. It can then be made to go there.
struct Link {
    std::uint8_t* place = nullptr;  // after the distance of 32 bits that a jump of the host has
    const Op* target = nullptr;
    Time refill = 0;
    std::uint8_t segments = 0;  // that the block accesses
};

// Memory for code, and how much of it has been used.
struct CodeRoom {
    std::uint8_t* begin = nullptr;
    std::size_t bytes = 0;
    std::size_t used = 0;
};

SharedCode emit_shared(CodeRoom& room, const HostLayout& layout);
// Emits a whole block. `end` is for the instruction after it. Returns its jumps to other blocks.
std::vector<Link> emit_block(CodeRoom& room, const HostLayout& layout,
                             const std::vector<BlockItem>& block, const Translated& end,
                             const SharedCode& shared);
// Makes a jump out of a block go to an instruction of another block.
void emit_link(CodeRoom& room, const HostLayout& layout, const Link& link);

}  // namespace symsim
