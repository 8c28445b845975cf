// SPDX-License-Identifier: MIT
#include "sim/observe/transaction_log.h"

#include <algorithm>
#include <utility>

#include "sim/base/failure.h"
#include "sim/observe/transaction_header.h"

namespace symsim {
namespace {

// When a record is over, which is what it is held back for.
Time over(const BusUse& use) {
    return use.start + use.duration;
}
Time over(const ProcessorMark& passed) {
    return passed.mark.time;
}
Time over(const StateInterval& interval) {
    return interval.end;
}
Time over(const LogEnd&) {
    return kNever;  // behind all others, though a window may have ended long ago
}

ProcessorId processor_of(const LogEnd&) {
    return 0;
}
template <class Record>
ProcessorId processor_of(const Record& record) {
    return record.processor;
}

template <class Record>
std::vector<Record> take_over(std::vector<Record>& held, Time before) {
    std::vector<Record> records;
    auto keep = held.begin();
    for (const Record& record : held) {
        if (over(record) < before)
            records.push_back(record);
        else
            *keep++ = record;
    }
    held.erase(keep, held.end());
    return records;
}

template <class Record, class Predicate>
void erase_if(std::vector<Record>& records, Predicate predicate) {
    records.erase(std::remove_if(records.begin(), records.end(), predicate), records.end());
}

template <class Record>
std::uint64_t bytes_of(const std::vector<Record>& records) {
    return records.size() * record_bytes<Record>();
}

}  // namespace

TransactionLog::TransactionLog(const TransactionLogConfig& config, const Window& window)
    : file_(config.path), window_(window), room_(config.limit_bytes) {
    for (ProcessorId p = 0; p < config.processors; ++p) intervals_.emplace_back(p);
    file_.write(transaction_header(config.processors, config.symbols));
}

void TransactionLog::used(const BusUse& use) {
    if (!stopped() && window_.holds(use.start)) held_.uses.push_back(use);
}

void TransactionLog::passed(ProcessorId processor, const std::vector<Mark>& marks) {
    if (stopped()) return;
    for (const Mark& mark : marks)
        if (window_.holds(mark.time)) held_.marks.push_back({processor, mark});
}

void TransactionLog::entered(ProcessorId processor, State state, Time at) {
    if (stopped()) return;
    intervals_[processor].enter(state, at, [this](const StateInterval& i) { hold(i); });
}

void TransactionLog::settled(Time at) {
    if (stopped()) return;
    settle_states(at);
    if (at >= window_.to) cut_states(window_.to);
    Held records = take_before(at);
    if (bytes_of(records.uses) + bytes_of(records.marks) + bytes_of(records.states) <= room_) {
        write(records);
        settled_ = at;
        return;
    }
    // All since the last time goes, so that the three types of records end at one time.
    erase_if(records.uses, [this](const BusUse& u) { return u.start >= settled_; });
    erase_if(records.marks, [this](const ProcessorMark& m) { return m.mark.time >= settled_; });
    erase_if(records.states, [this](const StateInterval& s) { return s.start >= settled_; });
    held_ = std::move(records);
    stopped_at_ = std::max(settled_, window_.from);
    finish(*stopped_at_);
}

void TransactionLog::close(Time end) {
    if (stopped()) return;
    settle_states(kNever);
    finish(end);
}

void TransactionLog::settle_states(Time at) {
    for (StateIntervals& intervals : intervals_)
        intervals.settle(at, [this](const StateInterval& i) { hold(i); });
}

void TransactionLog::hold(StateInterval interval) {
    interval.start = std::max(interval.start, window_.from);
    interval.end = std::min(interval.end, window_.to);
    if (!states_are_cut_ && interval.start < interval.end) held_.states.push_back(interval);
}

// Those that go on at `at` end there.
void TransactionLog::cut_states(Time at) {
    for (const StateIntervals& intervals : intervals_) hold(intervals.open(at));
    states_are_cut_ = true;
}

TransactionLog::Held TransactionLog::take_before(Time at) {
    return {take_over(held_.uses, at), take_over(held_.marks, at), take_over(held_.states, at)};
}

// Writes what is held, and ends the log.
void TransactionLog::finish(Time until) {
    cut_states(until);
    for (BusUse& use : held_.uses) use.duration = std::min(use.duration, until - use.start);
    for (StateInterval& interval : held_.states) interval.end = std::min(interval.end, until);
    write(held_);
    write_block(RecordType::end, std::vector<LogEnd>{{std::min(until, window_.to)}});
    file_.end();
    held_ = {};
}

void TransactionLog::write(const Held& records) {
    write_block(RecordType::bus, records.uses);
    write_block(RecordType::mark, records.marks);
    write_block(RecordType::state, records.states);
}

template <class Record>
void TransactionLog::write_block(RecordType type, const std::vector<Record>& records) {
    if (records.empty()) return;
    // What one processor told for one time stays as it was told.
    places_.clear();
    for (std::size_t i = 0; i < records.size(); ++i)
        places_.emplace_back(over(records[i]), std::uint64_t{processor_of(records[i])} << 32 | i);
    if (!std::is_sorted(places_.begin(), places_.end())) std::sort(places_.begin(), places_.end());
    if (places_.front().first < settled_)
        impossible("processor {}: an event at {} ps was told when all before {} ps was said to be",
                   places_.front().second >> 32, places_.front().first, settled_);
    bytes_.resize(2 * sizeof(std::uint32_t) + bytes_of(records));
    char* at = put_little_endian(bytes_.data(), static_cast<std::uint32_t>(type));
    at = put_little_endian(at, static_cast<std::uint32_t>(records.size()));
    for (const auto& [time, place] : places_)
        at = put_record(at, records[static_cast<std::uint32_t>(place)]);
    room_ -= std::min<std::uint64_t>(room_, bytes_of(records));
    file_.write(bytes_);
}

}  // namespace symsim
