// SPDX-License-Identifier: MIT
#include "sim/run/access_log.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "sim/interconnect/device_space.h"
#include "sim/interconnect/request.h"

namespace symsim {

void AccessLog::attach(const std::vector<Processor*>& processors) {
    for (Processor* const processor : processors) {
        processor->set_debug_hook(this);
        sources_.emplace_back().processor = processor;
    }
}

bool AccessLog::begins(ProcessorId processor) {
    if (!begun_) begun_ = before_(processor);
    return true;
}

void AccessLog::accessed(ProcessorId processor, const OperandAccess& access) {
    if (!begun_ || access.address >= kDeviceSpace) return;
    Source& source = sources_[processor];
    LoggedEvent event;
    event.at = event.done = access.at;
    event.processor = processor;
    event.kind = access.write ? (access.locked ? LoggedEvent::locked_store : LoggedEvent::store)
                              : (access.locked ? LoggedEvent::locked_load : LoggedEvent::load);
    event.address = access.address;
    event.size = access.size;
    event.value = access.value;
    event.access = source.processor->schedule().accesses();
    event.eip = source.processor->context().eip;
    if (access.buffered) {
        event.done = LoggedEvent::kNotDone;
        source.buffered.push_back(events_.size());
    }
    if (event.kind == LoggedEvent::locked_store) exchanged(source, event);
    source.last = events_.size();
    events_.push_back(event);
}

// The store of a locked instruction takes effect when it is granted, earlier than the processor
// continues.
void AccessLog::exchanged(Source& source, LoggedEvent& store) {
    LoggedEvent& load = events_[source.last];
    if (source.locked_store >= load.at) store.at = store.done = source.locked_store;
    if (load.kind != LoggedEvent::locked_load || load.address != store.address) return;
    load.silent = store.silent = load.value == store.value && load.size == store.size;
}

void AccessLog::passed(ProcessorId processor, const std::vector<Mark>& marks) {
    if (!begun_) return;
    Source& source = sources_[processor];
    for (const Mark& mark : marks) {
        if (mark.what != Mark::What::probe) continue;
        if (mark.probe == ProbeKind::region_end && mark.value == region_)
            source.end = std::min(source.end, mark.time);
        LoggedEvent event;
        event.at = event.done = mark.time;
        event.processor = processor;
        event.kind = LoggedEvent::probe + static_cast<std::uint32_t>(mark.probe);
        event.value = mark.value;
        event.access = source.processor->schedule().accesses();
        event.eip = mark.address;
        events_.push_back(event);
    }
}

// A store leaves the write buffer. Stores before it that used no bus have been made in the cache.
void AccessLog::used(const BusUse& use) {
    if (!begun_ || use.reply || !is_store(use.kind)) return;
    Source& source = sources_[use.processor];
    if (use.kind == TransactionKind::locked_store) source.locked_store = use.start;
    auto& waiting = source.buffered;
    const auto found = std::find_if(waiting.begin(), waiting.end(), [&](std::size_t n) {
        const LoggedEvent& store = events_[n];
        return store.address - use.address < use.size || use.address == store.address;
    });
    if (found == waiting.end()) return;
    for (auto place = waiting.begin(); place != found + 1; ++place)
        events_[*place].done = use.start;
    waiting.erase(waiting.begin(), found + 1);
}

std::vector<LoggedEvent> AccessLog::events() const {
    std::vector<LoggedEvent> all;
    for (std::size_t n = 1; n < events_.size(); ++n)
        if (events_[n].at <= sources_[events_[n].processor].end) all.push_back(events_[n]);
    return all;
}

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
