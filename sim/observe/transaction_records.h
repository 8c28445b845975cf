// SPDX-License-Identifier: MIT
// The records of bus.log.zst, each field declared once: from one list come the bytes of a record
// and what the header says of them.
//
// A list hands each field to `visit(name, unit, value)`. The unit is that of the number, or the
// name of the table in the header that the number is an index of. Integers are little-endian and
// lie without gaps. Of a Time the difference to that of the record before is stored, and a block's
// records are stored as planes (byte_planes.h): bytes that are alike take zstd little time.
#pragma once

#include <array>
#include <boost/endian/conversion.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sim/base/types.h"
#include "sim/events/observer.h"
#include "sim/observe/state_intervals.h"
#include "sim/observe/trace_chunk.h"

namespace symsim {

enum class RecordType : std::uint32_t { bus = 0, mark = 1, state = 2, end = 3 };

// Of a probe point's mark the activity, and of a change of activity the probe.
constexpr std::uint8_t kNoName = 255;

// A change of activity, or a probe point that was passed.
struct ProcessorMark {
    ProcessorId processor = 0;
    TraceEvent event;
};

// The last record there is: the log holds all that was before `until`, and nothing later.
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

// Bytes of a record.
template <class Record>
constexpr std::size_t record_bytes() {
    std::size_t bytes = 0;
    for_each_field(Record{}, [&](auto, auto, auto value) { bytes += sizeof value; });
    return bytes;
}

// Behind what was put.
template <class Integer>
char* put_little_endian(char* at, Integer value) {
    const Integer bytes = boost::endian::native_to_little(value);
    std::memcpy(at, &bytes, sizeof bytes);
    return at + sizeof bytes;
}

template <class Field>
constexpr bool kStoredAsDifference = std::is_same_v<Field, Time>;

// Behind what was put; `before` has the times of the record before, at first 0.
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

}  // namespace symsim
