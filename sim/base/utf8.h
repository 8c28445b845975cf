// SPDX-License-Identifier: MIT
// Text for files and messages, from bytes of any kind: a guest may name its symbols, and print, as
// it likes.
#pragma once

#include <string>
#include <string_view>

namespace symsim {

// The text as UTF-8. Each longest part that begins a character and does not end it, and each other
// byte that is none, becomes U+FFFD, as Unicode recommends (section 3.9, "Substitution of maximal
// subparts") and as the JSON files have it.
std::string utf8(std::string_view text);

}  // namespace symsim
