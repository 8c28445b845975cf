// SPDX-License-Identifier: MIT
// The integer instructions that guest/instruction_sets.def adds to those of a 386, but for cpuid
// and rdtsc, whose results are a processor's own. The encodings of cmpxchg before step B of the
// 486, 0f a6 and 0f a7, are not included.
#include "tests/lockstep/pattern_table.h"

namespace symsim::test {

const std::vector<Pattern>& added_grammar() {
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
        t.add("cmpxchg8b", "0f c7 /1m", 0, 0, Trait::compare_exchange_pair).lockable = true;
        t.add("cmovcc", "0f 40+cc /r", 0);
        t.add("nop", "0f 1f /r", 0);
        t.add("nop", "f3 0f 1e /r", 0);
        return t.all;
    }();
    return kAll;
}

}  // namespace symsim::test
