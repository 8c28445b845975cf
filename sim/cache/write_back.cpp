// SPDX-License-Identifier: MIT
#include "sim/cache/write_back.h"

#include <memory>

namespace symsim {

std::unique_ptr<Protocol> write_back() {
    return std::make_unique<WriteBack>();
}

}  // namespace symsim
