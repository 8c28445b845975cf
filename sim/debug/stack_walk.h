// SPDX-License-Identifier: MIT
// How a processor came to where it is: the calls that have not returned, from what its stack holds.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/base/types.h"
#include "sim/image/image.h"

namespace symsim {

constexpr Address kStackPage = 4096;

// Linear addresses.
struct StackView {
    Offset eip = 0;
    Address esp = 0;
    Address ebp = 0;
    // The bytes of a page, valid as long as this is; null where nothing is.
    std::function<const std::uint8_t*(Address page)> page;
};

// Return addresses, innermost first. Of a function that has set up a frame (push %ebp; mov
// %esp,%ebp) its own is known. Of others the stack is searched for a value that points behind a
// call instruction: that may be of a call that has long returned.
std::vector<Address> walk_stack(const StackView& stack, const Image& image);

}  // namespace symsim
