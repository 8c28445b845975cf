// SPDX-License-Identifier: MIT
#include "sim/run/unused_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>

#include "sim/base/probe_point.h"
#include "sim/base/text.h"
#include "sim/base/types.h"
#include "sim/image/probe_records.h"

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

std::vector<UnusedArgument> unused_arguments(const Image& image, const Config& config,
                                             const Machine& machine) {
    if (!reports(image, [](ProbeKind kind) { return kind == ProbeKind::argument; })) return {};
    std::set<std::string> asked;
    for (ProcessorId p = 0; p < machine.processors(); ++p) {
        const std::set<std::string>& by_one = machine.processor(p).arguments_asked();
        asked.insert(by_one.begin(), by_one.end());
    }
    std::vector<std::string> own;  // without those that every guest gets
    for (const std::string& name : asked)
        if (name != "processors" && name != "seed") own.push_back(name);
    std::vector<UnusedArgument> unused;
    for (const auto& [name, value] : config.guest_args)
        if (asked.count(name) == 0 &&
            config.guest.image.find('{' + name + '}') == std::string::npos)
            unused.push_back({name, hint(name, own)});
    return unused;
}

}  // namespace symsim
