// SPDX-License-Identifier: MIT
// Tests walk_stack() on hand-made memories with code and a stack.
#include "sim/debug/stack_walk.h"

#include <gtest/gtest.h>

#include "sim/interconnect/memory.h"

namespace symsim {
namespace {

constexpr Address kOuter = 0x1000, kMiddle = 0x1100, kInner = 0x1200;
constexpr Address kStack = 0x8000;

class StackWalk : public testing::Test {
  protected:
    StackWalk() {
        image.code.push_back({".text", 0x1000, 0x1000});
        std::vector<Symbol> symbols;
        for (const auto& [name, at] :
             {std::pair("outer", kOuter), std::pair("middle", kMiddle), std::pair("inner", kInner)})
            symbols.push_back({name, at, 0x100, at + 0x100, true, true, false});
        image.symbols = Symbols(std::move(symbols));
        view.page = [this](Address a) -> const std::uint8_t* {
            return memory.contains(a, kStackPage) ? memory.data() + a : nullptr;
        };
    }
    void bytes(Address at, std::initializer_list<std::uint8_t> list) {
        for (const std::uint8_t b : list) memory.write(at++, 1, b);
    }
    // Writes a call instruction that ends at `back`, and returns `back`.
    Address call(Address back) {
        bytes(back - 5, {0xe8, 0, 0, 0, 0});
        return back;
    }
    void frame_prolog(Address function) { bytes(function, {0x55, 0x89, 0xe5}); }
    void stack(std::initializer_list<std::uint32_t> dwords) {
        Address at = kStack;
        for (const std::uint32_t d : dwords) {
            memory.write(at, 4, d);
            at += 4;
        }
        view.esp = kStack;
    }

    Memory memory{1 << 16};
    Image image;
    StackView view;
};

using Calls = std::vector<Address>;

TEST_F(StackWalk, FollowsFramesPastValuesThatOnlyLookLikeCalls) {
    for (const Address f : {kOuter, kMiddle, kInner}) frame_prolog(f);
    const Address in_middle = call(kMiddle + 0x20), in_outer = call(kOuter + 0x30);
    const Address stale = call(kOuter + 0x50);
    // inner's local, inner's frame (ebp, return address); middle's local, middle's frame; 0
    stack({stale, kStack + 0x10, in_middle, stale, 0, in_outer, 0});
    memory.write(kStack + 4, 4, kStack + 0x10);
    view.eip = kInner + 0x10;
    view.ebp = kStack + 4;
    EXPECT_EQ(walk_stack(view, image), (Calls{in_middle, in_outer}));
}

TEST_F(StackWalk, SearchesTheStackOfFunctionsWithoutFrames) {
    const Address in_middle = call(kMiddle + 0x20), in_outer = call(kOuter + 0x30);
    stack({7, in_middle, kMiddle, in_outer, 0});
    view.eip = kInner + 0x10;
    view.ebp = kStack + 8;  // looks like a frame, but the function has none
    EXPECT_EQ(walk_stack(view, image), (Calls{in_middle, in_outer}));
}

TEST_F(StackWalk, IgnoresWhatHasBeenPopped) {
    frame_prolog(kInner);
    const Address in_middle = call(kMiddle + 0x20), popped = call(kOuter + 0x50);
    stack({0, popped, in_middle});
    view.eip = kInner + 0x10;
    view.ebp = kStack;  // a frame below the stack pointer
    view.esp = kStack + 8;
    EXPECT_EQ(walk_stack(view, image), Calls{in_middle});
}

TEST_F(StackWalk, CombinesFramesAndSearch) {
    frame_prolog(kMiddle);
    const Address in_middle = call(kMiddle + 0x20), in_outer = call(kOuter + 0x30);
    const Address stale = call(kOuter + 0x50);
    // inner without a frame; middle's local, which looks like a return address; middle's frame
    stack({1, in_middle, stale, 0, in_outer});
    view.eip = kInner + 0x10;
    view.ebp = kStack + 12;
    EXPECT_EQ(walk_stack(view, image), (Calls{in_middle, in_outer}));
}

TEST_F(StackWalk, IgnoresEbpBeforeTheFrameIsSetUpAndAfterItsRemoval) {
    frame_prolog(kInner);
    frame_prolog(kMiddle);
    bytes(kInner + 0x40, {0xc3});
    const Address in_middle = call(kMiddle + 0x20), in_outer = call(kOuter + 0x30);
    stack({in_middle, 0, in_outer});
    view.ebp = kStack + 4;  // middle's frame: inner's is not set up yet, or already removed
    for (const Address eip : {kInner, kInner + 0x40}) {
        view.eip = eip;
        EXPECT_EQ(walk_stack(view, image), (Calls{in_middle, in_outer})) << eip;
    }
}

TEST_F(StackWalk, RecognisesCallsThroughRegistersAndMemory) {
    bytes(kMiddle + 0x1e, {0xff, 0xd0});             // call *%eax
    bytes(kOuter + 0x2a, {0xff, 0x15, 0, 0, 0, 0});  // call *address
    bytes(kOuter + 0x4e, {0xff, 0xe0});              // jmp *%eax, not a call
    stack({kOuter + 0x50, kMiddle + 0x20, kOuter + 0x30});
    view.eip = kInner;
    EXPECT_EQ(walk_stack(view, image), (Calls{kMiddle + 0x20, kOuter + 0x30}));
}

TEST_F(StackWalk, EndsOutsideMemoryAndAfter24Calls) {
    view.eip = kInner;
    view.esp = 0xffff'fff0;
    EXPECT_EQ(walk_stack(view, image), Calls{});
    frame_prolog(kMiddle);
    const Address again = call(kMiddle + 0x20);
    for (Address a = kStack; a < kStack + 0x1000; a += 4) memory.write(a, 4, again);
    view.esp = kStack;
    EXPECT_EQ(walk_stack(view, image).size(), 24u);
}

}  // namespace
}  // namespace symsim
