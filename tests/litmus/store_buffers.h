// SPDX-License-Identifier: MIT
// The memory model of the litmus tests: all outcomes on a machine whose processors execute in
// order, each with a store buffer of a given depth. Depth 0 is sequential consistency. A depth of 1
// or more is x86-TSO with buffers of that depth (S. Owens, S. Sarkar, P. Sewell, "A better x86
// memory model: x86-TSO", 2009). The outcomes are found by trying every interleaving.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace symsim::test {

struct LitmusOp {
    enum class What { store, load, exchange, fence };
    What what;
    unsigned location = 0;
    unsigned value = 0;
    unsigned reg = 0;
};

struct LitmusTest {
    std::string name;
    std::vector<std::vector<LitmusOp>> threads;  // without empty ones at the end
};

// The tests of tests/guest/litmus/tests.h.
std::vector<LitmusTest> litmus_tests();

// All outcomes in the guest's format: a digit for each register and for each location.
std::set<std::string> outcomes(const LitmusTest& test, unsigned buffer_depth);

}  // namespace symsim::test
