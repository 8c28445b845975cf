// SPDX-License-Identifier: MIT
// Sorts what comes as a few runs that are in order already, one behind the other: neighbours are
// merged two by two until one is left. Equal ones stay as they came.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace symsim {

template <class Item, class Less>
void merge_runs(std::vector<Item>& items, Less less) {
    std::vector<std::size_t> ends;  // of runs
    for (auto begin = items.begin(); begin != items.end();) {
        begin = std::is_sorted_until(begin, items.end(), less);
        ends.push_back(static_cast<std::size_t>(begin - items.begin()));
    }
    std::vector<Item> merged(ends.size() > 1 ? items.size() : 0);
    while (ends.size() > 1) {
        std::vector<std::size_t> merged_ends;
        std::size_t begin = 0;
        for (std::size_t run = 0; run < ends.size(); run += 2) {
            const std::size_t middle = ends[run];
            const std::size_t end = run + 1 < ends.size() ? ends[run + 1] : middle;
            const auto at = [&](std::size_t n) {
                return items.begin() + static_cast<std::ptrdiff_t>(n);
            };
            std::merge(at(begin), at(middle), at(middle), at(end),
                       merged.begin() + static_cast<std::ptrdiff_t>(begin), less);
            merged_ends.push_back(begin = end);
        }
        items.swap(merged);
        ends.swap(merged_ends);
    }
}

}  // namespace symsim
