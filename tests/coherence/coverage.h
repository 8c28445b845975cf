// SPDX-License-Identifier: MIT
// Coverage of the random test: which events occurred in which states. Each pair is declared
// reachable or impossible. If a run does not reach a reachable pair, it has tested less than
// declared. If it reaches an impossible pair, there is an error in the model or the declaration.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace symsim::test {

class Coverage {
  public:
    // Names are one word each.
    Coverage(std::string title, std::vector<std::string> states, std::vector<std::string> events);

    template <class State, class Event>
    void reached(State state, Event event) {
        ++counts_[static_cast<std::size_t>(state) * events_.size() +
                  static_cast<std::size_t>(event)];
    }

    // Compares with the declaration: returns a line for each difference, or an empty string.
    // `declared` lists the reachable pairs: a state with a colon, then its events. "-event" removes
    // an event declared before. "event?" is reachable, but so rare that it is not required.
    std::string differences(std::string_view declared) const;
    // The pairs that were reached, in the form of a declaration, with counts.
    std::string table() const;

  private:
    std::string title_;
    std::vector<std::string> states_;
    std::vector<std::string> events_;
    std::vector<std::uint64_t> counts_;
};

}  // namespace symsim::test
