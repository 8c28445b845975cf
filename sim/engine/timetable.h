// SPDX-License-Identifier: MIT
// When each processor next has something to do, and which is first: a winner tree. Setting a time
// goes up from its leaf, and stops where the winner is another's and stays.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/time.h"
#include "sim/base/types.h"

namespace symsim {

class Timetable {
  public:
    explicit Timetable(std::size_t processors) {
        while (leaves_ < processors) leaves_ *= 2;
        times_.assign(leaves_, kNever);
        winners_.resize(2 * leaves_);
        for (std::uint32_t p = 0; p < leaves_; ++p) winners_[leaves_ + p] = p;
        for (std::size_t node = leaves_ - 1; node > 0; --node) winners_[node] = winner_of(node);
        for (ProcessorId p = 0; p < processors; ++p) set(p, 0);
    }

    Time at(ProcessorId processor) const { return times_[processor]; }
    void set(ProcessorId processor, Time at) {
        times_[processor] = at;
        for (std::size_t node = (leaves_ + processor) / 2; node > 0; node /= 2) {
            const ProcessorId winner = winner_of(node);
            if (winner == winners_[node] && winner != processor) return;
            winners_[node] = winner;
        }
    }
    // Of several at one time the one with the lowest number.
    ProcessorId first() const { return winners_[1]; }

  private:
    ProcessorId winner_of(std::size_t node) const {
        const ProcessorId left = winners_[2 * node], right = winners_[2 * node + 1];
        return times_[right] < times_[left] ? right : left;
    }

    std::size_t leaves_ = 2;
    std::vector<Time> times_;
    std::vector<ProcessorId> winners_;  // of each node; node n has 2n and 2n + 1 below it
};

}  // namespace symsim
