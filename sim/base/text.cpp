// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace symsim {

namespace {

// A row of Unicode's table 3-7, "Well-Formed UTF-8 Byte Sequences": the first bytes, the second
// byte, and the number of bytes. All later bytes are 80 to BF.
struct Row {
    unsigned char first, last;
    unsigned char second_first, second_last;
    std::size_t bytes;
};
constexpr Row kRows[] = {
    {0x00, 0x7f, 0x00, 0x00, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

bool within(char c, unsigned char first, unsigned char last) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= first && byte <= last;
}

struct Part {
    std::size_t bytes;
    bool whole;  // a character
};

// What the text, which is not empty, begins with.
Part part_of(std::string_view text) {
    for (const Row& row : kRows) {
        if (!within(text[0], row.first, row.last)) continue;
        std::size_t bytes = 1;
        while (bytes < row.bytes && bytes < text.size() &&
               within(text[bytes], bytes == 1 ? row.second_first : 0x80,
                      bytes == 1 ? row.second_last : 0xbf))
            ++bytes;
        return {bytes, bytes == row.bytes};
    }
    return {1, false};
}

}  // namespace

std::string utf8(std::string_view text) {
    std::string all;
    all.reserve(text.size());
    while (!text.empty()) {
        const Part part = part_of(text);
        all += part.whole ? text.substr(0, part.bytes) : kReplacement;
        text.remove_prefix(part.bytes);
    }
    return all;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> before, last, row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        before = std::exchange(last, row);
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, last[j + 1] + 1});
            if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
                row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
        }
    }
    return row.back();
}

}  // namespace symsim
