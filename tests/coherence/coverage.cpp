// SPDX-License-Identifier: MIT
#include "tests/coherence/coverage.h"

#include <fmt/format.h>

#include <sstream>

namespace symsim::test {

Coverage::Coverage(std::string title, std::vector<std::string> states,
                   std::vector<std::string> events)
    : title_(std::move(title)),
      states_(std::move(states)),
      events_(std::move(events)),
      counts_(states_.size() * events_.size()) {}

std::string Coverage::differences(std::string_view declared) const {
    std::istringstream words{std::string(declared)};
    std::string found, word;
    const auto expect = [&](const std::string& name) {
        if (!(words >> word) || word != name)
            found += fmt::format("{}: the declared table has '{}' where '{}' belongs\n", title_,
                                 word, name);
    };
    for (const std::string& event : events_) expect(event);
    auto count = counts_.begin();
    for (const std::string& state : states_) {
        expect(state);
        for (const std::string& event : events_) {
            if (!(words >> word) || (word != "x" && word != "-"))
                found += fmt::format("{}: ({}, {}) is not declared\n", title_, state, event);
            else if (word == "x" && *count == 0)
                found += fmt::format("{}: ({}, {}) was never reached\n", title_, state, event);
            else if (word == "-" && *count != 0)
                found += fmt::format("{}: ({}, {}) is impossible, and was reached {} times\n",
                                     title_, state, event, *count);
            ++count;
        }
    }
    if (words >> word) found += fmt::format("{}: '{}' behind the declared table\n", title_, word);
    return found;
}

std::string Coverage::table() const {
    std::string text = fmt::format("{:14}", title_);
    for (const std::string& event : events_) text += fmt::format(" {:>8}", event);
    auto count = counts_.begin();
    for (const std::string& state : states_) {
        text += fmt::format("\n{:14}", state);
        for (std::size_t event = 0; event < events_.size(); ++event)
            text += fmt::format(" {:>8}", *count++);
    }
    return text + "\n";
}

}  // namespace symsim::test
