// SPDX-License-Identifier: MIT
#include "sim/run/unused_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/probe_point.h"
#include "sim/base/text.h"
#include "sim/base/types.h"

namespace symsim {
namespace {

// More names than these are not listed.
constexpr std::size_t kMostListed = 12;

std::string hint(const std::string& name, const std::vector<std::string>& asked) {
    if (asked.empty()) return "the guest asks for no argument";
    const auto unlike = [&](const std::string& other) { return edit_distance(name, other); };
    const auto nearest =
        std::min_element(asked.begin(), asked.end(),
                         [&](const auto& a, const auto& b) { return unlike(a) < unlike(b); });
    // One slip in three letters may be a misspelling.
    if (unlike(*nearest) * 3 <= std::max(name.size(), nearest->size()))
        return fmt::format("did you mean {}?", *nearest);
    if (asked.size() > kMostListed)
        return fmt::format("the guest asks for {} others", asked.size());
    return fmt::format("the guest asks for {}", fmt::join(asked, ", "));
}

}  // namespace

std::vector<UnusedArgument> unused_arguments(const Image& image, const std::string& image_name,
                                             const GuestArguments& arguments,
                                             const std::set<std::string>& asked) {
    const bool observed = std::any_of(
        image.probes.begin(), image.probes.end(),
        [](const ProbeRecord& probe) { return probe.kind == index(ProbeKind::argument); });
    if (!observed) return {};
    std::vector<std::string> own;  // without those that every guest gets
    for (const std::string& name : asked)
        if (name != "processors" && name != "seed") own.push_back(name);
    std::vector<UnusedArgument> unused;
    for (const auto& [name, value] : arguments)
        if (asked.count(name) == 0 && image_name.find('{' + name + '}') == std::string::npos)
            unused.push_back({name, hint(name, own)});
    return unused;
}

}  // namespace symsim
