// SPDX-License-Identifier: MIT
// Three kinds of failure: a mistake of the user (UserError), a crash of the guest (GuestFailure),
// and a bug in symsim (impossible(), which aborts). A GuestFailure is data, not an exception: the
// run ends in good order and keeps its results.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

// A mistake of the user in a config, an image or an argument. The text names the file, line, key
// and the fix.
class UserError : public std::runtime_error {
  public:
    explicit UserError(const std::string& text) : std::runtime_error(text) {}
};

// An output that could not be written (full disk, no permission).
class OutputError : public std::runtime_error {
  public:
    explicit OutputError(const std::string& text) : std::runtime_error(text) {}
};

// An act of the guest that no 386 program may do. `what` is one sentence; `fix` says where to look.
struct GuestFailure {
    std::string what;
    std::string fix;
    ProcessorId processor = 0;
    Time time = 0;
    Offset eip = 0;
    // Set for an exception that the guest did not handle.
    std::optional<std::uint8_t> vector = {};
    std::optional<std::uint32_t> error_code = {};
    std::optional<Address> cr2 = {};  // page faults only
};

// Reports a bug in symsim: a state that cannot occur. Prints the text, which names the state and
// its values, and aborts.
[[noreturn]] void impossible(const std::string& what);

template <class First, class... Rest>
[[noreturn]] void impossible(fmt::format_string<First, Rest...> text, const First& first,
                             const Rest&... rest) {
    impossible(fmt::format(text, first, rest...));
}

}  // namespace symsim
