// SPDX-License-Identifier: MIT
#include "sim/image/regions.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "sim/base/activity.h"
#include "sim/image/image.h"

namespace symsim {

Activity activity_of_section(std::string_view name) {
    constexpr std::string_view kPrefix = ".text.";
    constexpr std::array kNamed = {Activity::threads, Activity::critical, Activity::spin,
                                   Activity::idle,    Activity::kernel,   Activity::boot};
    if (name.substr(0, kPrefix.size()) != kPrefix) return Activity::user;
    name.remove_prefix(kPrefix.size());
    for (const Activity a : kNamed) {
        const std::string_view word = symsim::name(a);
        if (name.substr(0, word.size()) == word) return a;
    }
    return Activity::user;
}

Regions::Regions(const std::vector<CodeSection>& sections) {
    for (const CodeSection& s : sections)
        regions_.push_back(
            {s.address, std::uint64_t{s.address} + s.size, activity_of_section(s.name)});
    std::sort(regions_.begin(), regions_.end(),
              [](const Region& a, const Region& b) { return a.begin < b.begin; });
}

Activity Regions::activity_at(Address address) const {
    const auto after = std::upper_bound(regions_.begin(), regions_.end(), address,
                                        [](Address a, const Region& r) { return a < r.begin; });
    if (after == regions_.begin()) return Activity::user;
    const Region& region = *std::prev(after);
    return address < region.end ? region.activity : Activity::user;
}

}  // namespace symsim
