// SPDX-License-Identifier: MIT
// What a call says when it is the user's mistake.
#pragma once

#include <string>

#include "sim/base/failure.h"

namespace symsim::test {

// The text of the UserError thrown, or "(no error)".
template <class Call>
std::string user_error(Call&& call) {
    try {
        call();
    } catch (const UserError& e) {
        return e.what();
    }
    return "(no error)";
}

}  // namespace symsim::test

// The text contains the fragment; if not, both are shown.
#define EXPECT_SAYS(text, fragment)                     \
    EXPECT_NE((text).find(fragment), std::string::npos) \
        << "said: " << (text) << "\nmissing: " << (fragment)
