// SPDX-License-Identifier: MIT
#include "sim/run/shared_accesses.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

namespace symsim {

namespace {

// Who has accessed a line.
struct Users {
    ProcessorId first = 0;
    bool several = false;
    bool stored = false;
};

// Finds what repeats in a spin loop. Events come in the order of their effects.
class SpinFilter {
  public:
    bool repeats(const LoggedEvent& e) {
        Processor& processor = processors_[e.processor];
        if (e.writes() && e.silent) return processor.repeats;  // as the load of the exchange
        if (e.is_probe() || e.writes()) {
            processor.seen.clear();
            if (e.writes()) change(e);
            return processor.repeats = false;
        }
        const Read read{e.value, version(e)};
        const auto [place, first] = processor.seen.emplace(std::pair{e.eip, e.address}, read);
        const bool changes = e.kind == LoggedEvent::locked_load && !e.silent;
        processor.repeats = !first && !changes && place->second == read;
        place->second = read;
        return processor.repeats;
    }

  private:
    using Read = std::pair<std::uint32_t, std::uint64_t>;  // value, version of the bytes
    struct Processor {
        std::map<std::pair<Offset, Address>, Read> seen;  // since its last store or probe point
        bool repeats = false;                             // its last load
    };

    void change(const LoggedEvent& e) {
        for (Address word = e.address & ~3u; word < e.address + e.size; word += 4)
            ++versions_[word];
    }
    std::uint64_t version(const LoggedEvent& e) {
        std::uint64_t sum = 0;
        for (Address word = e.address & ~3u; word < e.address + e.size; word += 4)
            sum += versions_[word];
        return sum;
    }

    std::map<Address, std::uint64_t> versions_;
    std::map<ProcessorId, Processor> processors_;
};

template <class TimeOf>
void sort_by(std::vector<LoggedEvent>& events, TimeOf&& time) {
    const auto key = [&](const LoggedEvent& e) {
        return std::tuple(time(e), e.processor, !e.is_probe());
    };
    std::stable_sort(events.begin(), events.end(),
                     [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

template <class Test>
void remove_if(std::vector<LoggedEvent>& events, Test&& test) {
    events.erase(std::remove_if(events.begin(), events.end(), test), events.end());
}

}  // namespace

std::vector<LoggedEvent> shared_accesses(std::vector<LoggedEvent> events, unsigned line_bytes) {
    std::map<Address, Users> users;
    for (const LoggedEvent& e : events) {
        if (e.is_probe()) continue;
        const auto [place, added] = users.emplace(e.address / line_bytes, Users{e.processor});
        place->second.several |= place->second.first != e.processor;
        place->second.stored |= e.writes();
    }
    remove_if(events, [&](const LoggedEvent& e) {
        if (e.is_probe()) return false;
        const Users& of = users.at(e.address / line_bytes);
        return !of.several || !of.stored;
    });
    sort_by(events, [](const LoggedEvent& e) { return e.effect(); });
    SpinFilter spins;
    remove_if(events, [&](const LoggedEvent& e) { return spins.repeats(e); });
    sort_by(events, [](const LoggedEvent& e) { return e.at; });
    return events;
}

}  // namespace symsim
