// SPDX-License-Identifier: MIT
// Which events have been met in which states. A pair is declared reachable or impossible; a run
// that does not reach a reachable one has tested less than it says, and one that reaches an
// impossible one has found something.
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

    // `declared` names the reachable pairs: a state with a colon, then its events. One with a minus
    // in front takes back what was declared before; one with a question mark behind is reachable,
    // but so rare that it is not demanded. What differs, a line each; empty if nothing does.
    std::string differences(std::string_view declared) const;
    // What has been reached, in the same form, with counts.
    std::string table() const;

  private:
    std::string title_;
    std::vector<std::string> states_;
    std::vector<std::string> events_;
    std::vector<std::uint64_t> counts_;
};

}  // namespace symsim::test
