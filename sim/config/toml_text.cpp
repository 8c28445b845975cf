// SPDX-License-Identifier: MIT
#include "sim/config/toml_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/failure.h"

namespace symsim {

std::string toml_string(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            quoted += fmt::format("\\{}", c);
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            quoted += c;
    }
    return quoted + "\"";
}

std::string toml_real(double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
}

namespace {

// The position after the string or comment that begins at `at`. A string that does not end on its
// line is refused by the parser.
std::size_t after_string(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string_view three = text.substr(at, 3);
    const bool long_string = three.size() == 3 && three[1] == quote && three[2] == quote;
    at += long_string ? 3 : 1;
    for (; at < text.size(); ++at) {
        if (text[at] == '\\' && quote == '"') {
            ++at;
        } else if (text[at] == '\n' && !long_string) {
            return at;
        } else if (text[at] == quote) {
            if (!long_string) return at + 1;
            if (text.substr(at, 3) != three) continue;
            // Up to two quotes before the end belong to the string.
            for (at += 3; at < text.size() && text[at] == quote; ++at) {
            }
            return at;
        }
    }
    return text.size();
}

}  // namespace

void check_levels(std::string_view text, const std::string& source) {
    std::size_t brackets = 0, dots = 0, line = 1;
    std::size_t most = 0, where = 1;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '"' || c == '\'') {
            const std::size_t end = after_string(text, at);
            line += static_cast<std::size_t>(std::count(&text[at], text.data() + end, '\n'));
            at = end;
            continue;
        }
        if (c == '#') {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        ++at;
        if (c == '.') ++dots;
        if (c == '=' || c == ',' || c == '\n' || c == '[' || c == '{' || c == ']' || c == '}')
            dots = 0;
        if (c == '[' || c == '{') ++brackets;
        if ((c == ']' || c == '}') && brackets > 0) --brackets;
        if (c == '\n') ++line;
        if (brackets + dots <= most) continue;
        most = brackets + dots;
        where = line;
    }
    if (most > kMostLevels)
        throw UserError(fmt::format(
            "{}:{}: has {} levels of tables and arrays, and at most {} are read; write the values "
            "into the tables that symsim --list-keys prints",
            source, where, most, kMostLevels));
}

}  // namespace symsim
