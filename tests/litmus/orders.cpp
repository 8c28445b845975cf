// SPDX-License-Identifier: MIT
#include "tests/litmus/orders.h"

#include <fmt/format.h>

namespace symsim::test {
namespace {

using What = LitmusOp::What;

// Long enough for any access, for the start of all threads, and for a store to reach memory.
constexpr unsigned kSlotNs = 50'000;

// Each access takes effect in a slot of its own; slots are numbered from 1.
using Slots = std::vector<std::vector<unsigned>>;  // by thread and access

class Orders {
  public:
    Orders(const LitmusTest& test, unsigned depth) : test_(test), depth_(depth) {
        for (const auto& thread : test.threads) slots_.emplace_back(thread.size(), 0);
        extend(1);
    }
    std::vector<std::string> all;

  private:
    const LitmusOp& op(std::size_t t, std::size_t i) const { return test_.threads[t][i]; }
    bool is_store(std::size_t t, std::size_t i) const { return op(t, i).what == What::store; }

    void extend(unsigned slot) {
        bool done = true;
        for (std::size_t t = 0; t < test_.threads.size(); ++t)
            for (std::size_t i = 0; i < test_.threads[t].size(); ++i) {
                if (slots_[t][i] != 0) continue;
                done = false;
                if (!can_be_next(t, i)) continue;
                slots_[t][i] = slot;
                extend(slot + 1);
                slots_[t][i] = 0;
            }
        if (done) all.push_back(schedule());
    }

    // Whether the access can take effect before all others that have not.
    bool can_be_next(std::size_t t, std::size_t i) const {
        unsigned buffered = 0;
        for (std::size_t earlier = 0; earlier < i; ++earlier) {
            if (slots_[t][earlier] != 0) continue;
            if (!is_store(t, earlier) || op(t, i).what != What::load) return false;
            ++buffered;
        }
        return buffered <= depth_;
    }

    std::string schedule() const {
        std::string text;
        for (std::size_t t = 0; t < test_.threads.size(); ++t) {
            unsigned access = 1, reached = 0;  // slot in which the thread's last access was made
            for (std::size_t i = 0; i < test_.threads[t].size(); ++i) {
                text += fmt::format("{}{} access {} {} {}", text.empty() ? "" : ", ", t, access,
                                    is_store(t, i) && depth_ > 0 ? "stores" : "hold",
                                    (slots_[t][i] - reached) * kSlotNs);
                const What what = op(t, i).what;
                access += what == What::fence || what == What::exchange ? 2 : 1;
                if (!is_store(t, i) || depth_ == 0) reached = slots_[t][i];
            }
        }
        return text;
    }

    const LitmusTest& test_;
    unsigned depth_;
    Slots slots_;
};

}  // namespace

std::vector<std::string> schedules(const LitmusTest& test, unsigned buffer_depth) {
    return Orders(test, buffer_depth).all;
}

}  // namespace symsim::test
