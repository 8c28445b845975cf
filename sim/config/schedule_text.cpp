// SPDX-License-Identifier: MIT
#include "sim/config/schedule_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <sstream>

#include "sim/base/failure.h"

namespace symsim {

namespace {

constexpr std::uint64_t kMostNumber = std::uint64_t{1} << 48;
constexpr std::uint64_t kMostNanoseconds = kLongestHold / kNanosecond;

std::optional<std::uint64_t> number(const std::string& word, std::uint64_t most) {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
    const bool whole = error == std::errc{} && end == word.data() + word.size();
    return whole && n <= most ? std::optional(n) : std::nullopt;
}

std::vector<std::string> words_of(std::string_view entry) {
    std::istringstream text{std::string(entry)};
    std::vector<std::string> words;
    for (std::string word; text >> word;) words.push_back(word);
    return words;
}

std::optional<ScheduleText> parse_entry(const std::vector<std::string>& words) {
    if (words.size() != 4 && words.size() != 5) return std::nullopt;
    ScheduleText all;
    const auto processor = number(words[0], kMaxProcessors - 1);
    const auto position = number(words[2], kMostNumber);
    const bool access = words[1] == "access";
    if (!processor || !position || *position == 0 || !(access || words[1] == "instruction"))
        return std::nullopt;
    all.processor = static_cast<ProcessorId>(*processor);
    all.entry.at = access ? ScheduleEntry::At::access : ScheduleEntry::At::instruction;
    all.entry.number = *position;
    if (words[3] == "interrupt" && words.size() == 4 && !access) {
        all.entry.what = ScheduleEntry::What::interrupt;
        return all;
    }
    if (words.size() != 5 || !(words[3] == "hold" || words[3] == "stores")) return std::nullopt;
    const auto delay = number(words[4], kMostNanoseconds);
    if (!delay || *delay == 0) return std::nullopt;
    all.entry.what =
        words[3] == "hold" ? ScheduleEntry::What::hold : ScheduleEntry::What::hold_stores;
    all.entry.delay = static_cast<Time>(*delay) * kNanosecond;
    return all;
}

// Throws UserError if an entry comes before one of the same processor that it follows in the text.
void check_order(const std::vector<ScheduleText>& all) {
    for (std::size_t later = 0; later < all.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            const ScheduleText &a = all[earlier], &b = all[later];
            if (a.processor == b.processor && a.entry.at == b.entry.at &&
                a.entry.number > b.entry.number)
                throw UserError(
                    fmt::format("\"{}\" comes before \"{}\" on that processor; put it before it",
                                b.text, a.text));
        }
}

}  // namespace

std::vector<ScheduleText> parse_schedule(std::string_view text, unsigned processors) {
    std::vector<ScheduleText> all;
    if (words_of(text).empty()) return all;
    for (bool last = false; !last;) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::vector<std::string> words = words_of(text.substr(0, end));
        last = end == text.size();
        text.remove_prefix(last ? end : end + 1);
        std::string entry;
        for (const std::string& word : words) entry += (entry.empty() ? "" : " ") + word;
        auto parsed = parse_entry(words);
        if (!parsed)
            throw UserError(
                fmt::format("\"{}\" is not an entry; an entry is {}", entry, kScheduleForm));
        if (parsed->processor >= processors)
            throw UserError(fmt::format(
                "\"{}\": there is no processor {}: the machine has {} (machine.processors), "
                "numbered from 0; take one of 0 to {}",
                entry, parsed->processor, processors, processors - 1));
        parsed->text = entry;
        all.push_back(std::move(*parsed));
    }
    check_order(all);
    return all;
}

std::vector<std::vector<ScheduleEntry>> by_processor(const std::vector<ScheduleText>& entries,
                                                     unsigned processors) {
    std::vector<std::vector<ScheduleEntry>> all(processors);
    for (const ScheduleText& text : entries) all[text.processor].push_back(text.entry);
    return all;
}

}  // namespace symsim
