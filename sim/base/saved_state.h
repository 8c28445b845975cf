// SPDX-License-Identifier: MIT
// Checks of a state that was loaded from a checkpoint file. Its bytes may have been changed, or
// come from another program. So each part of the machine has a function check_loaded(), which
// compares what it has loaded with its own invariants before the run continues.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "sim/base/time.h"

namespace symsim {

// The loaded state is none that the machine can be in.
class StateError : public std::runtime_error {
  public:
    explicit StateError(const std::string& text) : std::runtime_error(text) {}
};

// Throws StateError with the text, unless the state holds what it must.
template <class... Values>
void require(bool holds, fmt::format_string<const Values&...> text, const Values&... values) {
    if (!holds) throw StateError(fmt::format(text, values...));
}

// A sum of times that a file contains. Neither a part nor the sum may be negative or overflow.
class CheckedSum {
  public:
    void add(Time part) {
        require(part >= 0 && !__builtin_add_overflow(sum_, part, &sum_),
                "a sum of times has a part of {} ps", part);
    }
    Time sum() const { return sum_; }

  private:
    Time sum_ = 0;
};

}  // namespace symsim
