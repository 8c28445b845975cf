// SPDX-License-Identifier: MIT
// Keeps the last line of a text that is not empty: of a guest's console, usually why it ended.
#pragma once

#include <string>
#include <utility>

namespace symsim {

class LastLine {
  public:
    void add(char c) {
        if (c == '\n')
            end_line();
        else if (c != '\r' && current_.size() < kMostCharacters)
            current_ += c;
    }
    // Empty if no line has been written.
    const std::string& text() const { return current_.empty() ? last_ : current_; }

  private:
    static constexpr std::size_t kMostCharacters = 500;

    void end_line() {
        if (!current_.empty()) last_ = std::exchange(current_, {});
    }

    std::string last_, current_;
};

}  // namespace symsim
