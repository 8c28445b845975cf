// SPDX-License-Identifier: MIT
#include "sim/observe/miss_meter.h"

#include <algorithm>

#include "sim/base/failure.h"
#include "sim/observe/numbers.h"

namespace symsim {

MissCounts& MissCounts::operator+=(const MissCounts& other) {
    misses += other.misses;
    far += other.far;
    time += other.time;
    far_time += other.far_time;
    links += other.links;
    return *this;
}

MissCounts sum(const ProcessorMisses& misses) {
    MissCounts all;
    for (const auto& by_supplier : misses)
        for (const MissCounts& counts : by_supplier) all += counts;
    return all;
}

void MissMeter::missed(const Miss& miss) {
    const unsigned node = miss.processor / topology_.processors_per_node;
    if (miss.processor >= processors_.size() || miss.home >= topology_.nodes ||
        miss.posted > miss.arrived)
        impossible("processor {} misses a line of node {} from {} ps to {} ps", miss.processor,
                   miss.home, miss.posted, miss.arrived);
    const Time time = miss.arrived - miss.posted;
    const bool far = miss.links > 0;
    processors_[miss.processor][index(miss.activity)][index(miss.supplier)] +=
        MissCounts{1, far, time, far ? time : 0, miss.links};
    const Address page = miss.line - miss.line % kMissPageBytes;
    const auto [place, is_first] = places_.try_emplace(page, pages_.size());
    if (is_first) {
        pages_.emplace_back();
        pages_.back().page = page;
        pages_.back().by_node.resize(topology_.nodes);
    }
    PageMisses& misses = pages_[place->second];
    misses.home = miss.home;
    ++misses.by_node[node];
}

std::uint64_t MissMeter::misses_of_pages() const {
    std::uint64_t all = 0;
    for (const PageMisses& page : pages_)
        for (const std::uint64_t misses : page.by_node) all += misses;
    return all;
}

void MissMeter::close() const {
    MissCounts all;
    for (const ProcessorMisses& misses : processors_) all += sum(misses);
    if (all.misses != misses_of_pages())
        impossible("processors missed {} lines, but {} by page", all.misses, misses_of_pages());
}

std::vector<PageMisses> MissMeter::pages() const {
    std::vector<PageMisses> pages = pages_;
    std::sort(pages.begin(), pages.end(),
              [](const PageMisses& a, const PageMisses& b) { return a.page < b.page; });
    return pages;
}

}  // namespace symsim
