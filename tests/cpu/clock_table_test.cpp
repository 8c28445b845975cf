// SPDX-License-Identifier: MIT
// Compares the simulated clocks of instruction sequences with the sums counted by hand from the
// manual in clock_table/ (README.md there).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/cpu/bench.h"
#include "tests/cpu/clock_sequences.h"
#include "tests/cpu/clock_tables.h"
#include "tests/support/assembler.h"

namespace symsim::test {
namespace {

constexpr std::array<const char*, 8> kNames = {"eax", "ecx", "edx", "ebx",
                                               "esp", "ebp", "esi", "edi"};

// A number, or one of the names code, data, stack with an optional distance: "code+4".
std::uint32_t value_of(const std::string& text) {
    const auto sign = text.find_first_of("+-");
    const std::string name = text.substr(0, sign);
    std::uint32_t base = 0;
    if (name == "code")
        base = Bench::kCode;
    else if (name == "data")
        base = Bench::kData;
    else if (name == "stack")
        base = Bench::kStack;
    else
        return static_cast<std::uint32_t>(std::stoul(text, nullptr, 0));
    if (sign == std::string::npos) return base;
    const auto distance = static_cast<std::uint32_t>(std::stoul(text.substr(sign + 1), nullptr, 0));
    return text[sign] == '+' ? base + distance : base - distance;
}

void prepare(Bench& bench, const ClockSequence& sequence) {
    bench.regs()[ebx] = bench.regs()[esi] = Bench::kData;
    bench.regs()[edi] = Bench::kData + 64;
    bench.regs()[ebp] = Bench::kData + 256;
    for (const auto& [name, value] : sequence.given) {
        if (name == "tables" || name == "pages") {
            if (name == "tables")
                load_tables(bench.memory, bench.processor, Bench::kCode);
            else
                turn_paging_on(bench.memory, bench.processor);
            continue;
        }
        if (name == "real") {
            go_to_real_mode(bench.memory, bench.processor);
            continue;
        }
        if (name == "ring") {
            go_to_ring_3(bench.processor);
            continue;
        }
        if (name[0] == '[') {
            bench.memory.write(Bench::kData + value_of(name.substr(1, name.size() - 2)), 4,
                               value_of(value));
            continue;
        }
        const auto reg = std::find(kNames.begin(), kNames.end(), name);
        ASSERT_NE(reg, kNames.end()) << name;
        bench.regs()[static_cast<unsigned>(reg - kNames.begin())] = value_of(value);
    }
}

void expect_counts(const std::string& file, std::size_t at_least) {
    const auto sequences =
        read_clock_sequences(SOURCE_FOLDER "/tests/cpu/clock_table/" + file + ".txt");
    EXPECT_GE(sequences.size(), at_least);
    std::vector<std::string> sources;
    for (const ClockSequence& sequence : sequences) sources.push_back(sequence.source);
    const auto code = assemble(sources);
    for (std::size_t n = 0; n < sequences.size(); ++n) {
        for (const unsigned w : {0u, 1u}) {
            Bench bench(w);
            prepare(bench, sequences[n]);
            EXPECT_EQ(bench.clocks(code[n]), evaluate(sequences[n].count, w))
                << sequences[n].place << " with w = " << w << "\n"
                << sequences[n].source << "by hand " << sequences[n].count;
            EXPECT_EQ(bench.complaint(), "") << sequences[n].place;
        }
    }
}

TEST(ClockTable, IntegerInstructions) {
    expect_counts("integer", 40);
}

TEST(ClockTable, BranchesCallsAndFrames) {
    expect_counts("branches", 32);
}

TEST(ClockTable, Loops) {
    expect_counts("loops", 15);
}

TEST(ClockTable, StringsAndOperandsAcrossDwords) {
    expect_counts("memory", 15);
}

TEST(ClockTable, SegmentsGatesExceptionsAndPages) {
    expect_counts("system", 41);
}

TEST(ClockTable, SumsAreEvaluated) {
    EXPECT_EQ(evaluate("4+w", 1), 5u);
    EXPECT_EQ(evaluate("2*(7+1+w)+3 + 2", 1), 23u);
    EXPECT_ANY_THROW(evaluate("7+", 0));
    EXPECT_ANY_THROW(evaluate("2 3", 0));
}

}  // namespace
}  // namespace symsim::test
