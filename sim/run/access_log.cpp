// SPDX-License-Identifier: MIT
#include "sim/run/access_log.h"

#include <algorithm>

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

}  // namespace symsim
