// SPDX-License-Identifier: MIT
#include "sim/observe/transaction_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>

#include "sim/base/activity.h"
#include "sim/base/failure.h"
#include "sim/base/json.h"
#include "sim/base/probe_point.h"
#include "sim/base/transaction_kind.h"

namespace symsim {

namespace {

// The fastest of the regular levels, because a trace must keep up with the run.
constexpr int kLevel = 1;

std::size_t checked(std::size_t result) {
    if (ZSTD_isError(result) != 0) impossible("zstd: {}", ZSTD_getErrorName(result));
    return result;
}

}  // namespace

ZstdFrame::ZstdFrame(OutputFile& file)
    : file_(file), context_(ZSTD_createCCtx()), compressed_(ZSTD_CStreamOutSize(), 0) {
    if (!context_) throw std::bad_alloc();
    checked(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel));
    checked(ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1));
}

void ZstdFrame::compress(std::string_view bytes, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool more = true; more && !file_.failed();) {
        ZSTD_outBuffer out{compressed_.data(), compressed_.size(), 0};
        const std::size_t left =
            checked(ZSTD_compressStream2(context_.get(), &out, &in, directive));
        file_.write(std::string_view(compressed_.data(), out.pos));
        more = directive == ZSTD_e_end ? left != 0 : in.pos < in.size;
    }
}

namespace {

// How many records are serialised before they are transposed into planes. There are enough that the
// host has completed its stores to a record before it loads the record. They still fit its cache.
constexpr std::size_t kAtATime = 64;

template <class Record>
std::uint64_t bytes_of(const std::vector<Record>& records) {
    return records.size() * record_bytes<Record>();
}

// The version of the log's format alone. In version 1, records were stored one after the other
// instead of as planes.
constexpr int kLogVersion = 2;

template <class Record>
Json record_json(RecordType type, const char* name) {
    Json::Array fields;
    for_each_field(Record{}, [&](const char* field, const char* unit, auto value) {
        // Types are written as in numpy: little-endian, unsigned, number of bytes.
        fields.push_back(Json::Object{
            {"name", field},
            {"type", fmt::format("<u{}", sizeof value)},
            {"unit", unit},
            {"stored", kStoredAsDifference<decltype(value)> ? "difference" : "value"}});
    });
    return Json::Object{{"type", index(type)}, {"name", name}, {"fields", fields}};
}

template <class Names>
Json names_json(const Names& names) {
    Json::Object json;
    for (std::size_t i = 0; i < names.size(); ++i) json.emplace_back(std::to_string(i), names[i]);
    return json;
}

Json probes_json(bool of_linux) {
    Json::Object json;
    for (const ProbePoint& point : kProbePoints)
        if (of_linux || !is_linux(point.kind))
            json.emplace_back(std::to_string(index(point.kind)), point.name);
    return json;
}

// One line of JSON with a newline: what the log has, and the names of its numbers.
std::string transaction_header(const RunFacts& run, const std::vector<NamedRange>& symbols) {
    Json::Array ranges;
    for (const NamedRange& range : symbols)
        ranges.push_back(Json::Array{range.begin, range.end, range.origin, range.name});
    const Json json = Json::Object{
        {"format", "symsim transaction log"},
        {"schema_version", kLogVersion},
        {"processors", run.processors},
        {"blocks",
         "type <u4, number of records <u4, then the records: of bus by time, else by processor; "
         "first the first byte of each, then the second byte of each, and so on"},
        {"layout", "planes"},
        {"records", Json::Array{run.resources > 1 ? record_json<ResourceUse>(RecordType::bus, "bus")
                                                  : record_json<BusUse>(RecordType::bus, "bus"),
                                record_json<ProcessorMark>(RecordType::mark, "marks"),
                                record_json<StateInterval>(RecordType::state, "states"),
                                record_json<LogEnd>(RecordType::end, "end")}},
        {"no_name", kNoName},
        {"names", Json::Object{{"kinds", names_json(kTransactionKindNames)},
                               {"activities", names_json(kActivityNames)},
                               {"states", names_json(kProcessorStateNames)},
                               {"probes", probes_json(run.is_linux())}}},
        {"symbols_are", "begin, end (behind the last address), address offsets count from, name"},
        {"symbols", ranges}};
    return json.text() + "\n";
}

}  // namespace

TransactionLog::TransactionLog(const TraceConfig& config)
    : TraceSink(config),
      frame_(file_),
      several_resources_(config.run.resources > 1),
      room_(config.max_bytes) {
    for (ProcessorId p = 0; p < config.run.processors; ++p) intervals_.emplace_back(p);
    frame_.write(transaction_header(config.run, config.symbols));
}

inline void TransactionLog::add_state(const StateInterval& interval) {
    const Time start = std::max(interval.start, window_.from);
    const Time end = std::min(interval.end, window_.to);
    if (states_are_cut_ || start >= end) return;
    StateInterval& added = states_.emplace_back();  // built in place, as in TraceFeed::entered()
    added.start = start;
    added.end = end;
    added.processor = interval.processor;
    added.state = interval.state;
}

void TransactionLog::take(const TraceChunk& chunk) {
    if (stopped()) return;
    for (ProcessorId p = 0; p < intervals_.size(); ++p) {
        const auto take = [this](const StateInterval& i) { add_state(i); };
        StateIntervals& intervals = intervals_[p];
        for (const TraceEvent& event : chunk.processors[p]) {
            if (event.what == TraceEvent::What::state)
                intervals.enter(static_cast<ProcessorState>(event.code), event.time, take);
            else if (event.what != TraceEvent::What::interrupt && window_.contains(event.time))
                marks_.push_back({p, event});
        }
        intervals.flush_before(chunk.to, take);
    }
    if (chunk.to >= window_.to) cut_states(window_.to);
    for (const BusUse& use : chunk.uses)
        if (window_.contains(use.start)) uses_.push_back(use);
    const auto under_way = std::find_if(uses_.begin(), uses_.end(), [&](const BusUse& use) {
        return &use == &uses_.back() || use.start + use.duration >= chunk.to;
    });
    const auto ended = static_cast<std::size_t>(under_way - uses_.begin());
    const std::size_t use_bytes =
        several_resources_ ? record_bytes<ResourceUse>() : record_bytes<BusUse>();
    if (ended * use_bytes + bytes_of(marks_) + bytes_of(states_) <= room_) return write(ended);
    // The size limit is reached. The whole chunk is dropped, so that all three types of records end
    // at the same time.
    const auto erase_if = [](auto& records, auto predicate) {
        records.erase(std::remove_if(records.begin(), records.end(), predicate), records.end());
    };
    erase_if(uses_, [&](const BusUse& use) { return use.start >= chunk.from; });
    marks_.clear();
    erase_if(states_, [&](const StateInterval& state) { return state.start >= chunk.from; });
    stopped_at_ = std::max(chunk.from, window_.from);
    finish(*stopped_at_);
}

void TransactionLog::close(const RunEnd& end) {
    if (!stopped()) finish(end.time);
}

// Adds the states under way, cut off at `at`.
void TransactionLog::cut_states(Time at) {
    for (const StateIntervals& intervals : intervals_) add_state(intervals.open(at));
    states_are_cut_ = true;
}

// Writes the remaining records, cut off at `until`, and ends the log.
void TransactionLog::finish(Time until) {
    cut_states(until);
    for (StateInterval& interval : states_) interval.end = std::min(interval.end, until);
    for (BusUse& use : uses_) use.duration = std::min(use.duration, until - use.start);
    write(uses_.size());
    const LogEnd end{std::min(until, window_.to)};
    write_block<LogEnd>(RecordType::end, &end, 1);
    frame_.end();
}

// Writes the first `uses` bus uses, and all marks and states.
void TransactionLog::write(std::size_t uses) {
    if (several_resources_)
        write_block<ResourceUse>(RecordType::bus, uses_.data(), uses);
    else
        write_block<BusUse>(RecordType::bus, uses_.data(), uses);
    write_block<ProcessorMark>(RecordType::mark, marks_.data(), marks_.size());
    write_block<StateInterval>(RecordType::state, states_.data(), states_.size());
    uses_.erase(uses_.begin(), uses_.begin() + static_cast<std::ptrdiff_t>(uses));
    marks_.clear();
    states_.clear();
}

template <class Layout, class Record>
void TransactionLog::write_block(RecordType type, const Record* records, std::size_t count) {
    if (count == 0) return;
    const std::size_t size = record_bytes<Layout>();
    const std::size_t head = 2 * sizeof(std::uint32_t), bytes = count * size;
    bytes_.resize(std::max(bytes_.size(), head + bytes));
    put_little_endian(put_little_endian(bytes_.data(), static_cast<std::uint32_t>(type)),
                      static_cast<std::uint32_t>(count));
    std::array<Time, 3> before{};
    std::array<char, kAtATime * record_bytes<Layout>()> some;
    for (std::size_t done = 0; done < count; done += kAtATime) {
        const std::size_t now = std::min(count - done, kAtATime);
        char* at = some.data();
        for (std::size_t n = 0; n < now; ++n) {
            const Layout& record = records[done + n];
            at = put_record(at, record, before);
        }
        put_in_planes(some.data(), now, size, bytes_.data() + head + done, count);
    }
    room_ -= std::min<std::uint64_t>(room_, bytes);
    frame_.write({bytes_.data(), head + bytes});
}

}  // namespace symsim
