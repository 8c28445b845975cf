// SPDX-License-Identifier: MIT
// Growth of the log of uses; the rest is inline in use_log.h.
#include "sim/cache/use_log.h"

#include <algorithm>

namespace symsim {

void UseLog::grow() {
    const std::size_t full = size();
    uses_.resize(std::max<std::size_t>(2 * full, 256));
    next_ = uses_.data() + full;
    end_ = uses_.data() + uses_.size();
}

}  // namespace symsim
