// SPDX-License-Identifier: MIT
// SystemC brings a main of its own, and wants an sc_main for it.
#include <gtest/gtest.h>

#include <systemc>

int sc_main(int, char**) {
    return 0;
}

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
