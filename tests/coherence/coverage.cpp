// SPDX-License-Identifier: MIT
// Compares counted pairs of state and event with a declaration.
#include "tests/coherence/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace symsim::test {

Coverage::Coverage(std::string title, std::vector<std::string> states,
                   std::vector<std::string> events)
    : title_(std::move(title)),
      states_(std::move(states)),
      events_(std::move(events)),
      counts_(states_.size() * events_.size()) {}

std::string Coverage::differences(std::string_view declared) const {
    const auto place = [](const std::vector<std::string>& names, const std::string& word) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), word) -
                                        names.begin());
    };
    std::istringstream words{std::string(declared)};
    std::string found, word;
    std::vector<bool> reachable(counts_.size()), demanded(counts_.size());
    for (std::size_t state = states_.size(); words >> word;) {
        if (word.back() == ':') {
            word.pop_back();
            state = place(states_, word);
            if (state < states_.size()) continue;
        }
        const bool rolled_back = word.front() == '-', rare = word.back() == '?';
        const std::size_t length = word.size() - rolled_back - rare;
        const std::size_t event = place(events_, word.substr(rolled_back, length));
        if (state >= states_.size() || event >= events_.size()) {
            found += fmt::format("{}: '{}' is declared and is not known\n", title_, word);
            continue;
        }
        const std::size_t pair = state * events_.size() + event;
        reachable[pair] = !rolled_back;
        demanded[pair] = !rolled_back && !rare;
    }
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        const std::string& state = states_[i / events_.size()];
        const std::string& event = events_[i % events_.size()];
        if (demanded[i] && counts_[i] == 0)
            found += fmt::format("{}: ({}, {}) was never reached\n", title_, state, event);
        if (!reachable[i] && counts_[i] != 0)
            found += fmt::format("{}: ({}, {}) is impossible, and was reached {} times\n", title_,
                                 state, event, counts_[i]);
    }
    return found;
}

std::string Coverage::table() const {
    std::string text = title_ + "\n";
    auto count = counts_.begin();
    for (const std::string& state : states_) {
        text += state + ":";
        for (const std::string& event : events_)
            if (const std::uint64_t n = *count++) text += fmt::format(" {} ({})", event, n);
        text += "\n";
    }
    return text;
}

}  // namespace symsim::test
