// SPDX-License-Identifier: MIT
// A depth-first search through all states of a litmus test.
#include "tests/litmus/store_buffers.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "tests/guest/litmus/tests.h"

namespace symsim::test {
namespace {

using What = LitmusOp::What;

struct Thread {
    std::size_t next = 0;
    std::vector<std::pair<unsigned, unsigned>> buffer;  // location and value, oldest first
    std::array<unsigned, LITMUS_REGISTERS> registers{};

    bool operator<(const Thread& b) const {
        return std::tie(next, buffer, registers) < std::tie(b.next, b.buffer, b.registers);
    }
};

struct State {
    std::array<unsigned, 2> memory{};
    std::array<Thread, LITMUS_THREADS> threads{};

    bool operator<(const State& b) const {
        return std::tie(memory, threads) < std::tie(b.memory, b.threads);
    }
};

class Search {
  public:
    Search(const LitmusTest& test, unsigned depth) : test_(test), depth_(depth) { visit({}); }
    const std::set<std::string>& outcomes() const { return outcomes_; }

  private:
    void visit(const State& state) {
        if (!seen_.insert(state).second) return;
        bool done = true;
        for (std::size_t t = 0; t < test_.threads.size(); ++t) {
            const Thread& thread = state.threads[t];
            if (!thread.buffer.empty()) {
                done = false;
                State then = state;
                const auto [location, value] = thread.buffer.front();
                then.memory[location] = value;
                then.threads[t].buffer.erase(then.threads[t].buffer.begin());
                visit(then);
            }
            if (thread.next < test_.threads[t].size()) {
                done = false;
                step(state, t);
            }
        }
        if (done) outcomes_.insert(outcome(state));
    }

    void step(State state, std::size_t t) {
        Thread& thread = state.threads[t];
        const LitmusOp& op = test_.threads[t][thread.next++];
        switch (op.what) {
            case What::store:
                if (depth_ == 0)
                    state.memory[op.location] = op.value;
                else if (thread.buffer.size() < depth_)
                    thread.buffer.emplace_back(op.location, op.value);
                else
                    return;  // the buffer is full: its oldest store must reach memory first
                break;
            case What::load: {
                unsigned value = state.memory[op.location];
                for (const auto& [location, pending] : thread.buffer)
                    if (location == op.location) value = pending;
                thread.registers[op.reg] = value;
                break;
            }
            case What::fence:
                if (!thread.buffer.empty()) return;
                break;
            case What::exchange:
                if (!thread.buffer.empty()) return;
                thread.registers[op.reg] = state.memory[op.location];
                state.memory[op.location] = op.value;
                break;
        }
        visit(state);
    }

    std::string outcome(const State& state) const {
        std::string digits;
        for (const Thread& thread : state.threads)
            for (const unsigned value : thread.registers) digits += static_cast<char>('0' + value);
        for (const unsigned value : state.memory) digits += static_cast<char>('0' + value);
        return digits;
    }

    const LitmusTest& test_;
    unsigned depth_;
    std::set<State> seen_;
    std::set<std::string> outcomes_;
};

}  // namespace

std::vector<LitmusTest> litmus_tests() {
    constexpr unsigned x = 0, y = 1;
#define W(location, value) {What::store, location, value, 0},
#define R(number, location) {What::load, location, 0, number},
#define X(number, location, value) {What::exchange, location, value, number},
#define F {What::fence},
#define LITMUS(name, a, b, c, d) {#name, {{a}, {b}, {c}, {d}}},
    std::vector<LitmusTest> tests = {LITMUS_TESTS(LITMUS)};
#undef W
#undef R
#undef X
#undef F
#undef LITMUS
    for (LitmusTest& test : tests)
        while (test.threads.back().empty()) test.threads.pop_back();
    return tests;
}

std::set<std::string> outcomes(const LitmusTest& test, unsigned buffer_depth) {
    return Search(test, buffer_depth).outcomes();
}

}  // namespace symsim::test
