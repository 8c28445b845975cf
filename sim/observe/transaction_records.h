// SPDX-License-Identifier: MIT
// The records of bus.log.zst. Each for_each_field() declares the fields of one record type once.
// Both the bytes of a record and the description in the file's header are made from it.
//
// for_each_field() calls `visit(name, unit, value)` for each field. The unit is that of the number,
// or the name of the header's table that the number is an index into. Integers are little-endian
// without gaps. A Time is stored as its difference to the same field of the previous record. The
// records of a block are stored as byte planes: the first byte of each record, then the second byte
// of each record, and so on. With both, similar bytes are adjacent and zstd takes little time.
#pragma once

#include <array>
#include <boost/endian/conversion.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "sim/base/activity.h"
#include "sim/base/observer.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/trace_sink.h"

namespace symsim {

static_assert(kMaxProcessors <= 256, "a record has one byte for the number of a processor");

enum class RecordType : std::uint32_t { bus = 0, mark = 1, state = 2, end = 3 };

// The activity in the mark of a probe point, and the probe in the mark of a change of activity.
constexpr std::uint8_t kNoName = 255;

// A mark: a change of activity, or a probe point that was passed.
struct ProcessorMark {
    ProcessorId processor = 0;
    TraceEvent event;
};

// A use where the interconnect has several resources.
struct ResourceUse {
    ResourceUse() = default;
    ResourceUse(const BusUse& one) : use(one) {}
    BusUse use;
};

// A state of a processor. The intervals of a processor partition its time.
struct StateInterval {
    Time start = 0;
    Time end = 0;
    ProcessorId processor = 0;
    ProcessorState state = ProcessorState::executing;
};

// An engine may report a state of zero length, or the same state twice in a row. These reports make
// no interval of their own, so all engines give the same intervals. TransactionLog calls enter()
// for each state in order of time, flush_before() at the end of each chunk, and open() where the
// log ends.
class StateIntervals {
  public:
    // The processor starts at time 0 in state executing.
    explicit StateIntervals(ProcessorId processor) : processor_(processor) {}

    // Passes the interval that ended before `at` to `take`, if there is one that has not been
    // passed yet. Call it when all events before `at` are known; enter() calls it as well.
    template <class Take>
    void flush_before(Time at, Take&& take) {
        if (at <= entered_ || next_ == state_) return;
        if (entered_ > start_) take(StateInterval{start_, entered_, processor_, state_});
        start_ = entered_;
        state_ = next_;
    }
    // The processor enters `state` at `at`.
    template <class Take>
    void enter(ProcessorState state, Time at, Take&& take) {
        flush_before(at, take);
        entered_ = at;
        next_ = state;
    }

    // The interval under way at `at`, cut off there. Call flush_before(at) before. Its length may
    // be zero.
    StateInterval open(Time at) const { return {start_, at, processor_, state_}; }

  private:
    ProcessorId processor_;
    // In state_ from start_ to entered_, in next_ from entered_ on.
    ProcessorState state_ = ProcessorState::executing;
    ProcessorState next_ = ProcessorState::executing;
    Time start_ = 0;
    Time entered_ = 0;
};

// The last record of the log: the log contains everything before `until` and nothing later.
struct LogEnd {
    Time until = 0;
};

template <class Visit>
constexpr void for_each_field(const BusUse& use, Visit&& visit) {
    visit("grant_ps", "ps", use.start);
    visit("duration_ps", "ps", use.duration);
    visit("posted_ps", "ps", use.posted);
    visit("address", "", use.address);
    visit("processor", "", static_cast<std::uint8_t>(use.processor));
    visit("kind", "kinds", static_cast<std::uint8_t>(use.kind));
    visit("activity", "activities", static_cast<std::uint8_t>(use.activity));
    visit("size_bytes", "bytes", use.size);
    visit("reply", "", static_cast<std::uint8_t>(use.reply));
    visit("locked", "", static_cast<std::uint8_t>(use.locked));
}

template <class Visit>
constexpr void for_each_field(const ResourceUse& used, Visit&& visit) {
    for_each_field(used.use, visit);
    visit("resource", "", used.use.resource);
}

template <class Visit>
constexpr void for_each_field(const ProcessorMark& passed, Visit&& visit) {
    const TraceEvent& event = passed.event;
    const bool probe = event.what == TraceEvent::What::probe;
    visit("time_ps", "ps", event.time);
    visit("address", "", event.address);
    visit("value", "", event.value);
    visit("processor", "", static_cast<std::uint8_t>(passed.processor));
    visit("activity", "activities", probe ? kNoName : event.code);
    visit("probe", "probes", probe ? event.code : kNoName);
}

template <class Visit>
constexpr void for_each_field(const StateInterval& interval, Visit&& visit) {
    visit("start_ps", "ps", interval.start);
    visit("end_ps", "ps", interval.end);
    visit("processor", "", static_cast<std::uint8_t>(interval.processor));
    visit("state", "states", static_cast<std::uint8_t>(interval.state));
}

template <class Visit>
constexpr void for_each_field(const LogEnd& end, Visit&& visit) {
    visit("until_ps", "ps", end.until);
}

// The size of a record in bytes.
template <class Record>
constexpr std::size_t record_bytes() {
    std::size_t bytes = 0;
    for_each_field(Record{}, [&](auto, auto, auto value) { bytes += sizeof value; });
    return bytes;
}

// Writes the integer to `at`. Returns the position after it.
template <class Integer>
char* put_little_endian(char* at, Integer value) {
    const Integer bytes = boost::endian::native_to_little(value);
    std::memcpy(at, &bytes, sizeof bytes);
    return at + sizeof bytes;
}

template <class Field>
constexpr bool kStoredAsDifference = std::is_same_v<Field, Time>;

// Writes a record to `at`. Returns the position after it. `before` has the times of the previous
// record, 0 for the first, and gets those of this one.
template <class Record>
char* put_record(char* at, const Record& record, std::array<Time, 3>& before) {
    std::size_t times = 0;
    for_each_field(record, [&](auto, auto, auto value) {
        if constexpr (kStoredAsDifference<decltype(value)>)
            at = put_little_endian(
                at, static_cast<std::uint64_t>(value - std::exchange(before[times++], value)));
        else
            at = put_little_endian(at, value);
    });
    return at;
}

// Transposes `count` contiguous records into planes. Plane n begins `n * apart` bytes after the
// first plane. `planes` points to where the first byte of the first record belongs, so a block can
// be filled piece by piece.
void put_in_planes(const char* records, std::size_t count, std::size_t record_bytes, char* planes,
                   std::size_t apart);

}  // namespace symsim
