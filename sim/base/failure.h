// SPDX-License-Identifier: MIT
// Three kinds of failure, kept apart: the user's (UserError), the guest's (GuestFailure, which
// is data: the run ends orderly and its results are kept), and ours (impossible, which aborts).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// The user's mistake: a config, an image or an argument. The text names the file, line, key and
// the fix.
class UserError : public std::runtime_error {
  public:
    explicit UserError(const std::string& text) : std::runtime_error(text) {}
};

// An output that could not be written (full disk, no permission).
class OutputError : public std::runtime_error {
  public:
    explicit OutputError(const std::string& text) : std::runtime_error(text) {}
};

// What a guest did that no 386 program may do. `what` is one sentence; `fix` says where to look.
struct GuestFailure {
    std::string what;
    std::string fix;
    ProcessorId processor = 0;
    Time time = 0;
    Offset eip = 0;
    // Of an exception that nobody handled.
    std::optional<std::uint8_t> vector = {};
    std::optional<std::uint32_t> error_code = {};
    std::optional<Address> cr2 = {};  // of a page fault
};

// Our own mistake: a state that cannot be. Prints what was impossible, with its values, and aborts.
[[noreturn]] void impossible(const std::string& what);

template <class First, class... Rest>
[[noreturn]] void impossible(fmt::format_string<First, Rest...> text, const First& first,
                             const Rest&... rest) {
    impossible(fmt::format(text, first, rest...));
}

}  // namespace symsim
