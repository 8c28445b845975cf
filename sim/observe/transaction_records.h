// SPDX-License-Identifier: MIT
// The records of bus.log.zst. Each for_each_field() declares the fields of one record type once.
// Both the bytes of a record and the description in the file's header are made from it.
//
// for_each_field() calls `visit(name, unit, value)` for each field. The unit is that of the number,
// or the name of the header's table that the number is an index into. Integers are little-endian
// without gaps. A Time is stored as its difference to the same field of the previous record. The
// records of a block are stored as byte planes (byte_planes.h). With both, similar bytes are
// adjacent and zstd takes little time.
#pragma once

#include <array>
#include <boost/endian/conversion.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sim/base/observer.h"
#include "sim/base/types.h"
#include "sim/observe/state_intervals.h"
#include "sim/observe/trace_chunk.h"

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

}  // namespace symsim
