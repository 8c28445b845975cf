// SPDX-License-Identifier: MIT
// Translates sequences of instructions that are executed often to code of the host, which the fast
// path then executes.
//
// A sequence translated together is a block. Most of what the fast path does for each instruction
// it does for the whole block: the end of the run is checked when the block is entered, the clocks
// are summed when it is translated, and instructions are counted when it is left. Flags that later
// instructions replace before anything can read them are not computed.
//
// A block contains what needs nothing but registers and the own cache: loads, arithmetic, jumps.
// It ends before a store, and before an instruction without a fast path or with probe points. It
// can be left before each instruction: when a load or a fetch does not hit at once, the interpreter
// executes the instruction. A jump that is not taken stays in the block, and so does one that is
// taken to another of its instructions. The interpreter stays the reference: a block does the same
// in the same simulated time, or nothing.
//
// Each op is in at most one block, which can be entered at any of its instructions but the jumps.
// When code is written, all blocks of its page are dropped.
//
//   translator    which sequences, and the records of their instructions
//   emitter       the host's code, in files by what is emitted: emit_instructions, emit_memory,
//                 emit_flags, emit_jumps
//   host_layout   where the state is
//   code_memory   memory for code
#pragma once

#include <cstddef>
#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sim/base/types.h"
#include "sim/cpu/translate/block.h"
#include "sim/cpu/translate/code_memory.h"

namespace symsim {

class Translator {
  public:
    static constexpr std::size_t kMostInstructions = 48;  // of a block

    // Whether the loop that `jump` closes is to be translated: the first time that it is asked for,
    // and not where code is written often.
    bool begins(const Op& jump);
    // Translates `block`, of which each instruction follows the one before. `after` comes next.
    // False: there is no memory for code.
    bool translate(std::vector<BlockItem>& block, const Op& after, const HostLayout& layout);
    // Instructions on the page of an address are about to change.
    void drop(Address address);

  private:
    struct Page {
        std::vector<Op*> ops;                 // that are translated
        std::vector<Link> links;              // that do not yet go to another block
        std::unordered_set<const Op*> loops;  // their jumps; translated as far as possible
        unsigned drops = 0;
    };

    void connect(Page& page, const HostLayout& layout);

    void describe(std::vector<BlockItem>& block, const Op& after, const HostLayout& layout);

    static constexpr unsigned kMostDrops = 8;

    std::unordered_map<Address, Page> pages_;
    std::deque<std::vector<Translated>> records_;
    CodeMemory code_;
    std::size_t translated_ = 0;  // ops
    SharedCode shared_;
    const std::uint8_t* chunk_ = nullptr;  // that shared_ is in
};

}  // namespace symsim
