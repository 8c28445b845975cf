// SPDX-License-Identifier: MIT
// The forms of instructions that load segments, transfer control to other segments, or need a
// privilege. Encodings: 80386 Programmer's Reference Manual, chapter 17.
#include "tests/lockstep/pattern_table.h"

namespace symsim::test {
namespace {

void add_segments(PatternTable& t) {
    for (const char* const encoding : {"8e /0", "8e /2", "8e /3", "8e /4", "8e /5"})
        t.add("mov to segment", encoding, 0, 0, Trait::selector);
    t.add("mov from segment", "8c /0", 0);
    t.add("mov from segment", "8c /1", 0);
    t.add("mov from segment", "8c /2", 0);
    t.add("mov from segment", "8c /5", 0);
    for (const char* const encoding : {"c4 /rm", "c5 /rm", "0f b2 /rm", "0f b4 /rm", "0f b5 /rm"})
        t.add("load far pointer", encoding, 0, 0, Trait::far_pointer);
    for (const char* const encoding : {"06", "0e", "16", "1e", "0f a0", "0f a8"})
        t.add("push segment", encoding, 0);
    for (const char* const encoding : {"07", "17", "1f", "0f a1", "0f a9"})
        t.add("pop segment", encoding, 0, 0, Trait::pop_selector);
    t.add("lar", "0f 02 /r", 0, 0, Trait::selector);
    t.add("lsl", "0f 03 /r", 0, 0, Trait::selector);
    t.add("verr", "0f 00 /4", 0, 0, Trait::selector);
    t.add("verw", "0f 00 /5", 0, 0, Trait::selector);
    t.add("arpl", "63 /r", 0, 0, Trait::selector);
    t.add("lldt", "0f 00 /2", 0, 0, Trait::selector);
    t.add("str", "0f 00 /1", 0);
    t.add("sldt", "0f 00 /0", 0);
}

void add_transfers(PatternTable& t) {
    t.add("jmp far", "ea far", 0, 0, Trait::far_jump);
    t.add("call far", "9a far", 0, 0, Trait::far_jump);
    t.add("jmp far", "ff /5m", 0, 0, Trait::far_jump);
    t.add("call far", "ff /3m", 0, 0, Trait::far_jump);
    t.add("ret far", "cb", 0, 0, Trait::far_return);
    t.add("ret far", "ca iw", 0, 0, Trait::far_return);
    t.add("iret", "cf", 0, 0, Trait::far_return);
}

void add_privileged(PatternTable& t) {
    t.add("cli", "fa", 0);
    t.add("sti", "fb", 0);
    t.add("hlt", "f4", 0);
    t.add("popf", "9d", 0, 0, Trait::pop_flags);
    t.add("clts", "0f 06", 0, 0, Trait::system);
    t.add("smsw", "0f 01 /4m", 0, 0, Trait::system);
    t.add("sgdt", "0f 01 /0m", 0, 0, Trait::system);
    t.add("sidt", "0f 01 /1m", 0, 0, Trait::system);
    t.add("mov from cr0", "0f 20 /0x", 0, 0, Trait::system);
    t.add("mov from cr3", "0f 20 /3x", 0, 0, Trait::system);
}

}  // namespace

const std::vector<Pattern>& system_grammar() {
    static const std::vector<Pattern> kAll = [] {
        PatternTable table;
        for (const auto add : {add_segments, add_transfers, add_privileged}) add(table);
        return table.all;
    }();
    return kAll;
}

}  // namespace symsim::test
