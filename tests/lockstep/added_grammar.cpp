// SPDX-License-Identifier: MIT
// The instructions that a 486 adds, as the i486 Processor Programmer's Reference Manual (Intel
// 240486, 1990) lists them. The encodings of cmpxchg before step B of that processor, 0f a6 and 0f
// a7, are not included.
#include "tests/lockstep/pattern_table.h"

namespace symsim::test {

const std::vector<Pattern>& i486_grammar() {
    static const std::vector<Pattern> kAll = [] {
        PatternTable t;
        t.lockable = true;
        t.both("xadd", "0f c0 /r", "0f c1 /r");
        t.both("cmpxchg", "0f b0 /r", "0f b1 /r", 0, Trait::compare_exchange);
        t.lockable = false;
        t.add("bswap", "0f c8+r", 0);
        t.add("invlpg", "0f 01 /7m", 0);
        t.add("wbinvd", "0f 09", 0);
        t.add("invd", "0f 08", 0);
        return t.all;
    }();
    return kAll;
}

}  // namespace symsim::test
