// SPDX-License-Identifier: MIT
#include "sim/image/loaded_code.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "sim/base/activity.h"
#include "sim/image/image.h"

namespace symsim {

namespace {

constexpr Address kPage = 4096;

// The first page of a stack has the struct cpu of its processor, the second is the guard.
constexpr Address kGuard = kPage;

void close_stack_guards(const Image& image, unsigned processors, Memory& memory) {
    const Symbol* const stacks = image.symbols.find("symsim_stacks");
    const Symbol* const bytes = image.symbols.find("symsim_stack_bytes");
    if (stacks == nullptr || bytes == nullptr || bytes->address <= kGuard + kPage) return;
    const std::uint64_t all =
        std::min(std::uint64_t{bytes->address} * processors, std::uint64_t{stacks->size});
    const Address begin = stacks->address - image.linked_above;
    for (std::uint64_t stack = 0; stack + bytes->address <= all; stack += bytes->address) {
        const std::uint64_t guard = begin + stack + kGuard;
        if (guard < memory.size())
            memory.set_page(static_cast<Address>(guard), PageUse::stack_guard);
    }
}

}  // namespace

bool closes_first_page(const Image& image) {
    return image.symbols.find("symsim_boot_args") != nullptr &&
           std::none_of(image.segments.begin(), image.segments.end(),
                        [](const LoadSegment& segment) { return segment.address < kPage; });
}

void close_pages(const Image& image, unsigned processors, Memory& memory) {
    if (closes_first_page(image)) memory.set_page(0, PageUse::null_page);
    close_stack_guards(image, processors, memory);
}

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
