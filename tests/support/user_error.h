// SPDX-License-Identifier: MIT
// Checks the text of a UserError.
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

// Expects that the text contains the fragment; a failure shows both.
#define EXPECT_SAYS(text, fragment)                     \
    EXPECT_NE((text).find(fragment), std::string::npos) \
        << "said: " << (text) << "\nmissing: " << (fragment)
