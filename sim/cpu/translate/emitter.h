// SPDX-License-Identifier: MIT
// Emits the host's code for the instructions of a block. Xbyak assembles it.
//
// Registers of the host while the code runs:
//     rdi  the Processor
//     rdx  when the block's first instruction begins, or would have begun
//     r9   the CacheController
//     rax, rcx, rsi, r8, r10, r11  within one instruction; eax and ecx are its operands, r8d is its
//          result. rsi is also the Translated that the code is left with.
// The guest's registers and flags stay in the Processor, so its state is complete before each
// instruction, and a block can be left there at any time.
//
// The code of an instruction first makes sure that it can be executed: then it changes the state.
// Code that is rarely executed is deferred to the end of the block.
//
// Xbyak assembles the instructions. Its labels are not used: they took half of the time that a
// translation takes.
#pragma once

#include <xbyak/xbyak.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "sim/cpu/isa/handlers.h"
#include "sim/cpu/translate/host_layout.h"
#include "sim/cpu/translate/translated.h"

namespace symsim {

// An instruction of a block that is being translated.
struct BlockItem {
    Op* op = nullptr;
    Shape shape;
    FastHandler alone = nullptr;
    bool enters = false;            // a cache line begins in it
    const Op* target = nullptr;     // of a jump: where the code may jump to; null: nowhere
    std::size_t target_item = ~std::size_t{0};  // its number, if it is in this block
    bool flags_read = true;         // something may read the flags that it sets
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

class Emitter : private Xbyak::CodeGenerator {
  public:
    // Emits into `room`, which is executable.
    Emitter(std::uint8_t* room, std::size_t bytes, const HostLayout& layout);

    SharedCode emit_shared();
    // The whole block. `end` is for the instruction after it.
    void emit(const std::vector<BlockItem>& block, const Translated& end, const SharedCode& shared);
    std::size_t size() const { return getSize(); }
    // Jumps out of the block that is emitted.
    const std::vector<Link>& links() const { return links_; }
    // Makes one of them go to an instruction of another block.
    void link(const Link& link);

    // Whether an instruction can be part of a block.
    static bool translates(const Shape& shape, const Op& op);
    static bool is_jump(const Shape& shape);
    static bool loads(const Shape& shape);
    // Of an instruction that translates().
    static bool sets_all_flags(const Shape& shape);

  private:
    using Reg32 = Xbyak::Reg32;
    // A condition of the host, as jcc and setcc encode it.
    enum Condition : std::uint8_t {
        overflow, no_overflow, below, above_or_equal, equal, not_equal, below_or_equal, above,
        sign, no_sign, parity, no_parity, less, greater_or_equal, less_or_equal, greater,
        always = 0xff
    };
    // A place in the code that jumps lead to, perhaps before it is known.
    struct Label {
        const std::uint8_t* place = nullptr;
        std::vector<std::uint8_t*> jumps;  // each is followed by a distance of 32 bits
    };

    // Which comparison of the host gives the guest's flags, right after an instruction.
    enum class HostFlags : std::uint8_t { unknown, compared, logic, result_only };

    void item(std::size_t number);
    void instruction(const BlockItem& item);
    void move(const BlockItem& item);
    void two_operands(const BlockItem& item);
    void one_operand(const BlockItem& item);
    void shift(const BlockItem& item);
    void pop_register(const BlockItem& item);
    void jump_of(const BlockItem& item);
    void take_jump(const BlockItem& item);
    void shared_jump();
    void watch_loop();
    void record_branch();
    void jump_if(std::uint8_t condition, Label& taken);
    void jump_if_flags(std::uint8_t condition, Label& taken);
    void enter(const Translated& to, Time refill);
    void end_block(const Translated& end);
    void count(int instructions);
    static Time rest_of(const Translated& to) { return to.last_offset - to.offset; }

    void jump(Condition condition, Label& to);
    void set(Label& label);
    void leave_if(Condition condition) { jump(condition, *exit_); }

    void fetch_register(const Reg32& host, unsigned size, unsigned number);
    void store_register(unsigned size, unsigned number, const Reg32& host);
    void address(const Op& op);
    void load(unsigned size);
    void shared_load(unsigned size);
    void call_or_leave(const std::uint8_t* shared);
    void enter_lines(const BlockItem& item);
    void use_line();
    void access_time(std::uint32_t offset);

    void flags_of_sum();
    void flags_of_difference();
    void flags_of_logic(unsigned size);
    void flags_of_carries(unsigned size);

    Xbyak::Address at(std::int32_t member) { return dword[rdi + member]; }
    Xbyak::Address at64(std::int32_t member) { return qword[rdi + member]; }
    Xbyak::Address reg_at(unsigned n) { return dword[rdi + cpu_.regs + 4 * static_cast<int>(n)]; }
    void defer(std::function<void()> cold) { deferred_.push_back(std::move(cold)); }
    void go(const std::uint8_t* shared, const Translated& with);
    void go_far(HostCode code);

    const HostLayout& layout_;
    const ProcessorLayout& cpu_;
    const CacheLayout& cache_;
    SharedCode shared_;
    const std::vector<BlockItem>* block_ = nullptr;
    std::deque<Label> labels_;  // of jumps that are emitted before the place they lead to
    std::vector<Link> links_;
    std::vector<Label*> entered_;  // of each item: its lines have been entered
    std::deque<std::function<void()>> deferred_;
    Label* exit_ = nullptr;  // of the current item: it cannot be executed now
    HostFlags host_flags_ = HostFlags::unknown;
    std::uint32_t offset_ = 0;  // of the current item
    unsigned operand_bytes_ = 4;         // of the current item's operands
};

}  // namespace symsim
