// SPDX-License-Identifier: MIT
// The main program of all tests. SystemC's library has a main() of its own that needs an sc_main().
// A test may be linked with that library or not, so this file defines both.
#include <gtest/gtest.h>

extern "C" int sc_main(int, char**) {
    return 0;
}

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
