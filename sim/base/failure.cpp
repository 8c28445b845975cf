// SPDX-License-Identifier: MIT
#include "sim/base/failure.h"

#include <cstdio>
#include <cstdlib>

namespace symsim {

void impossible(const std::string& what) {
    fmt::print(stderr, "symsim: internal error: {}\n", what);
    std::fflush(nullptr);
    std::abort();
}

}  // namespace symsim
