// SPDX-License-Identifier: MIT
// Text that the parts of the terminal's summary share.
#pragma once

#include <fmt/format.h>

#include <string>

#include "sim/base/time.h"
#include "sim/observe/numbers.h"

namespace symsim {

inline std::string percent(Time part, Time whole) {
    const std::int64_t tenths = (millionths(part, whole) + 500) / 1000;
    return fmt::format("{}.{}%", tenths / 10, tenths % 10);
}

// Cuts a guest's text to `width`. Shows control characters as '?', because they could move the
// cursor.
inline std::string clean(const std::string& text, std::size_t width) {
    std::string result = text.size() > width ? text.substr(0, width - 3) + "..." : text;
    for (char& c : result) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
    }
    return result;
}

}  // namespace symsim
