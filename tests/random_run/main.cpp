// SPDX-License-Identifier: MIT
// Writes the random guest or the random system of a seed, and a config that runs it, for
// scripts/regression.py.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/engine/random_run.h"

int main(int argc, char** argv) {
    using namespace symsim::test;
    const std::string kind = argc == 5 ? argv[1] : "";
    if (kind != "guest" && kind != "system") {
        fmt::print(stderr, "usage: write_random_run guest|system SEED CONFIG IMAGE\n");
        return 2;
    }
    const auto seed = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
    const auto image = std::filesystem::path(argv[4]);
    std::ofstream(argv[3]) << write_random_guest(
        seed, kind == "guest" ? random_guest : random_system, image, image.filename());
    return 0;
}
