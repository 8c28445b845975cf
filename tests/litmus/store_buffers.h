// SPDX-License-Identifier: MIT
// What a litmus test may do on a machine whose processors execute in order, each behind a store
// buffer of some depth: x86-TSO as Owens, Sarkar and Sewell define it (2009) for any depth from 1
// that a test can fill, sequential consistency for 0. Found by trying every interleaving.
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
    std::vector<std::vector<LitmusOp>> threads;  // those that have something to do
};

// Those of tests/guest/litmus/tests.h.
std::vector<LitmusTest> litmus_tests();

// All outcomes, as the guest writes them.
std::set<std::string> outcomes(const LitmusTest& test, unsigned buffer_depth);

}  // namespace symsim::test
