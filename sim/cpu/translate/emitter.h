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

#include "sim/cpu/translate/block.h"

namespace symsim {

class Emitter : private Xbyak::CodeGenerator {
  public:
    Emitter(const CodeRoom& room, const HostLayout& layout)
        : CodeGenerator(room.bytes, room.begin),
          layout_(layout),
          cpu_(layout.processor),
          cache_(layout.cache) {}

    SharedCode shared();
    void block(const std::vector<BlockItem>& block, const Translated& end,
               const SharedCode& shared);
    const std::vector<Link>& links() const { return links_; }
    void link(const Link& link);
    std::size_t size() const { return getSize(); }

  private:
    using Reg32 = Xbyak::Reg32;
    // A condition of the host, as jcc and setcc encode it.
    enum Condition : std::uint8_t {
        overflow,
        no_overflow,
        below,
        above_or_equal,
        equal,
        not_equal,
        below_or_equal,
        above,
        sign,
        no_sign,
        parity,
        no_parity,
        less,
        greater_or_equal,
        less_or_equal,
        greater,
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
    std::uint32_t offset_ = 0;    // of the current item
    unsigned operand_bytes_ = 4;  // of the current item's operands
};

}  // namespace symsim
