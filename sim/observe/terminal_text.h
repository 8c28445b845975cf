// SPDX-License-Identifier: MIT
// The parts of the terminal's summary that have a file of their own, and text that all parts share.
#pragma once

#include <fmt/format.h>

#include <string>

#include "sim/base/time.h"
#include "sim/observe/numbers.h"
#include "sim/observe/report.h"

namespace symsim {

// Near and far misses; empty on a machine of one node.
std::string distance_text(const RunReport& report);
// Address spaces and calls between them; empty if the guest has one address space, and no calls.
std::string spaces_text(const RunReport& report);

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
