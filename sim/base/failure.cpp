// SPDX-License-Identifier: MIT
#include "sim/base/failure.h"

#include <cstdio>
#include <cstdlib>

namespace symsim {

void impossible(const std::string& what) {
    std::fputs(fmt::format("symsim: internal error: {}\n", what).c_str(), stderr);
    std::fflush(nullptr);
    std::abort();
}

}  // namespace symsim
