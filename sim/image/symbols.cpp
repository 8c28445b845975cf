// SPDX-License-Identifier: MIT
#include "sim/image/symbols.h"

#include <fmt/format.h>

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

namespace symsim {
namespace {

// If an address has several names, describe() and around() use the last one in this order.
auto rank(const Symbol& s) {
    return std::tie(s.address, s.typed, s.global, s.name);
}

std::string demangled(const std::string& name) {
    if (name.compare(0, 2, "_Z") != 0) return "";
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 ? text.get() : "";
}

bool names_place(const Symbol& s) {
    return !s.absolute;
}

}  // namespace

Symbols::Symbols(std::vector<Symbol> symbols) : symbols_(std::move(symbols)) {
    for (Symbol& s : symbols_) s.demangled = demangled(s.name);
    std::sort(symbols_.begin(), symbols_.end(),
              [](const Symbol& a, const Symbol& b) { return rank(a) < rank(b); });
    for (std::uint32_t i = 0; i < symbols_.size(); ++i) by_name_.push_back(i);
    std::stable_sort(by_name_.begin(), by_name_.end(), [this](std::uint32_t a, std::uint32_t b) {
        return symbols_[a].name < symbols_[b].name;
    });
}

const Symbol* Symbols::around(Address address) const {
    auto after = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                                  [](Address a, const Symbol& s) { return a < s.address; });
    while (after != symbols_.begin()) {
        const Symbol& s = *--after;
        if (names_place(s) && (address == s.address || address < s.end)) return &s;
    }
    return nullptr;
}

std::vector<NamedRange> Symbols::ranges() const {
    constexpr std::uint64_t kAddresses = std::uint64_t{1} << 32;
    std::set<std::uint64_t> borders;  // addresses at which the answer of around() may change
    for (const Symbol& s : symbols_)
        for (const std::uint64_t border :
             {std::uint64_t{s.address}, s.address + std::uint64_t{1}, std::min(s.end, kAddresses)})
            borders.insert(border);
    std::vector<NamedRange> ranges;
    for (auto border = borders.begin(); border != borders.end(); ++border) {
        const auto next = std::next(border);
        if (next == borders.end()) break;
        const auto begin = static_cast<Address>(*border);
        const Symbol* const s = around(begin);
        if (s == nullptr) continue;
        if (!ranges.empty() && ranges.back().end == begin && ranges.back().name == s->shown() &&
            ranges.back().origin == s->address)
            ranges.back().end = *next;
        else
            ranges.push_back({begin, *next, s->address, s->shown()});
    }
    return ranges;
}

std::string Symbols::describe(Address address) const {
    const Symbol* const s = around(address);
    if (!s) return fmt::format("{:#010x}", address);
    return address == s->address ? s->shown()
                                 : fmt::format("{}+{:#x}", s->shown(), address - s->address);
}

Symbols::Match Symbols::match(std::string_view name) const {
    auto at = std::lower_bound(
        by_name_.begin(), by_name_.end(), name,
        [this](std::uint32_t i, std::string_view wanted) { return symbols_[i].name < wanted; });
    Match best;
    const auto take = [&](const Symbol& s) {
        if (best.symbol == nullptr || s.global > best.symbol->global)
            best = {&s, false};
        else if (s.global == best.symbol->global && s.address != best.symbol->address)
            best.ambiguous = true;
    };
    for (; at != by_name_.end() && symbols_[*at].name == name; ++at) take(symbols_[*at]);
    if (best.symbol != nullptr) return best;
    for (const Symbol& s : symbols_)
        if (s.demangled == name && !name.empty()) take(s);
    return best;
}

const Symbol* Symbols::find(std::string_view name) const& {
    const Match found = match(name);
    return found.ambiguous ? nullptr : found.symbol;
}

bool Symbols::ambiguous(std::string_view name) const {
    return match(name).ambiguous;
}

}  // namespace symsim
