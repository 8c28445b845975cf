// SPDX-License-Identifier: MIT
#include "tests/cpu/clock_sequences.h"

#include <fmt/format.h>

#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace symsim::test {
namespace {

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' ');
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

class Sum {
  public:
    Sum(const std::string& text, unsigned w) : text_(text), w_(w) {}
    unsigned value() {
        const unsigned all = sum();
        if (at_ != text_.size()) wrong();
        return all;
    }

  private:
    unsigned sum() {
        unsigned value = product();
        while (next('+')) value += product();
        return value;
    }
    unsigned product() {
        unsigned value = factor();
        while (next('*')) value *= factor();
        return value;
    }
    unsigned factor() {
        if (next('w')) return w_;
        if (next('(')) {
            const unsigned value = sum();
            if (!next(')')) wrong();
            return value;
        }
        std::size_t digits = at_;
        while (digits < text_.size() && std::isdigit(static_cast<unsigned char>(text_[digits])))
            ++digits;
        if (digits == at_) wrong();
        const unsigned value = static_cast<unsigned>(std::stoul(text_.substr(at_, digits - at_)));
        at_ = digits;
        return value;
    }
    bool next(char wanted) {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        if (at_ == text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    [[noreturn]] void wrong() const { throw std::runtime_error("no sum: " + text_); }

    std::string text_;
    unsigned w_;
    std::size_t at_ = 0;
};

void read_given(const std::string& line, ClockSequence& sequence) {
    std::istringstream words(line);
    std::string word;
    for (words >> word; words >> word;) {
        const auto equals = word.find('=');
        sequence.given.emplace_back(word.substr(0, equals),
                                    equals == std::string::npos ? "" : word.substr(equals + 1));
    }
}

void read_line(const std::string& line, ClockSequence& sequence) {
    const auto bar = line.find('|');
    sequence.source += line.substr(0, bar) + "\n";
    if (bar == std::string::npos) return;
    const auto remark = line.find('|', bar + 1);
    const std::string count =
        trimmed(line.substr(bar + 1, remark == std::string::npos ? remark : remark - bar - 1));
    sequence.count += (sequence.count.empty() ? "" : " + ") + count;
}

}  // namespace

std::vector<ClockSequence> read_clock_sequences(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::vector<ClockSequence> sequences;
    std::string line;
    for (unsigned number = 1; std::getline(in, line); ++number) {
        if (line.empty() || line[0] == '#') continue;
        if (line.compare(0, 3, "== ") == 0) {
            sequences.emplace_back();
            sequences.back().place =
                fmt::format("{}:{}: {}", file.filename().string(), number, line.substr(3));
        } else if (sequences.empty()) {
            throw std::runtime_error("a line before the first sequence: " + line);
        } else if (line.compare(0, 6, "given ") == 0) {
            read_given(line, sequences.back());
        } else {
            read_line(line, sequences.back());
        }
    }
    return sequences;
}

unsigned evaluate(const std::string& sum, unsigned w) {
    return Sum(sum, w).value();
}

}  // namespace symsim::test
