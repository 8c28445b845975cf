// SPDX-License-Identifier: MIT
// The main program of the device tests. SystemC's library has a main() of its own that needs an
// sc_main(); this file defines both.
#include <gtest/gtest.h>

#include <systemc>

int sc_main(int, char**) {
    return 0;
}

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
