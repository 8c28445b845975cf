// SPDX-License-Identifier: MIT
// Writes the file trace.pftrace: a sequence of packets, which are Perfetto's protobuf messages. The
// field numbers come from Perfetto's protos/perfetto/trace/*.proto. Comments give the field names.
//
// Perfetto counts nanoseconds, so times are rounded down to nanoseconds. A slice or instant keeps
// the remainder in its annotation start_rest_ps or end_rest_ps, unless it is 0. A slice
// begins at ts * 1000 + start_rest_ps picoseconds.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "sim/base/activity.h"
#include "sim/base/failure.h"
#include "sim/base/time.h"
#include "sim/base/types.h"
#include "sim/observe/observe_config.h"
#include "sim/observe/output_file.h"

namespace symsim {

namespace perfetto {

using Track = std::uint32_t;  // TrackDescriptor.uuid: small numbers make short packets
using Name = std::uint32_t;   // number of an interned string within its Table

// TrackEvent.Type
enum class Type : std::uint8_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };

// The names of DebugAnnotations. The values are the interned numbers of the names.
enum class Note : std::uint8_t {
    start_rest_ps = 1,
    end_rest_ps,
    processor,
    address,
    symbol,
    size_bytes,
    locked,
    wait_ps,
    thread,
    open,
    bin,
    value,
    lock,
    holder,
    message,
    reason
};

// Writes a protobuf varint, which has seven bits a byte. Nearly all take one or two bytes.
inline char* put_varint(char* to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
    *to++ = static_cast<char>(value);
    return to;
}

// A TrackEvent under construction. Strings are interned, so each field takes few bytes. An event
// has no more notes than there are names, and flows beyond kMostFlows are left out: so it has a
// largest size.
class Event {
  public:
    // A message to all processors comes from one and goes to each.
    static constexpr unsigned kMostFlows = kMaxProcessors + 1;

    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    Event(Type type, Track track) {
        number(9, static_cast<std::uint64_t>(type));  // TrackEvent.type
        number(11, track);                            // TrackEvent.track_uuid
    }
    Event& name(Name name) { return number(10, name); }                // TrackEvent.name_iid
    Event& category(Name category) { return number(3, category); }     // TrackEvent.category_iids
    Event& counter(std::uint64_t value) { return number(30, value); }  // TrackEvent.counter_value
    Event& ratio(double value);  // TrackEvent.double_counter_value
    // DebugAnnotations: uint_value, pointer_value, string_value_iid.
    Event& note(Note name, std::uint64_t value) { return annotation(name, 3, value); }
    Event& pointer(Note name, std::uint64_t value) { return annotation(name, 7, value); }
    Event& text(Note name, Name value) { return annotation(name, 17, value); }
    Event& flow(std::uint64_t id) { return end_of_flow(47, id); }      // TrackEvent.flow_ids
    Event& end_flow(std::uint64_t id) { return end_of_flow(48, id); }  // .terminating_flow_ids
    // Completes the packet that contains the event: puts TracePacket.timestamp and the other fields
    // in front of it.
    std::string_view in_packet(std::uint64_t ns);

  private:
    // The most bytes that in_packet() puts in front of the event.
    static constexpr std::size_t kHead = 24;
    // The most bytes of a field: an annotation has four bytes and two varints, a tag and 64 bits.
    static constexpr std::size_t kField = 4 + 2 + 10;
    static constexpr std::size_t kFlow = 2 + 8;
    // Type, track, name, category, a value, and the notes.
    static constexpr std::size_t kFields = (5 + static_cast<std::size_t>(Note::reason)) * kField;

    // A guest decides how many flows there are, and the callers about all other fields.
    char* room() {
        if (end_ > bytes_.data() + bytes_.size() - kField)
            impossible("an event of Perfetto has more fields than there are");
        return end_;
    }
    // A field of wire type 0: tag and value, both varints.
    Event& number(std::uint32_t field, std::uint64_t value) {
        end_ = put_varint(put_varint(room(), field << 3), value);
        return *this;
    }
    Event& end_of_flow(std::uint32_t field, std::uint64_t id) {
        return flows_++ < kMostFlows ? fixed(field, id) : *this;
    }
    // A field of wire type 1: tag and eight bytes.
    Event& fixed(std::uint32_t field, std::uint64_t value);
    // TrackEvent.debug_annotations: tag, length, DebugAnnotation.name_iid, value.
    Event& annotation(Note name, std::uint32_t field, std::uint64_t value) {
        char* const begin = room();
        begin[0] = 4 << 3 | 2;
        begin[2] = 1 << 3;
        begin[3] = static_cast<char>(name);
        end_ = put_varint(put_varint(begin + 4, field << 3), value);
        begin[1] = static_cast<char>(end_ - begin - 2);
        return *this;
    }

    std::array<char, kHead + kFields + kMostFlows * kFlow> bytes_;
    char* end_ = bytes_.data() + kHead;
    unsigned flows_ = 0;
};

// The tables of interned strings.
enum class Table : std::uint8_t { categories, names, strings };

}  // namespace perfetto

class PerfettoFile {
  public:
    explicit PerfettoFile(OutputFile& file);

    struct TrackText {
        perfetto::Track parent = 0;  // 0: none
        std::string name;
        unsigned rank = 0;           // order among the tracks with the same parent
        const char* unit = nullptr;  // for a counter track; nullptr: not a counter
        // For Perfetto's tables of processes and threads; 0: neither. A thread has both.
        unsigned process = 0;
        unsigned thread = 0;
    };
    perfetto::Track add_track(const TrackText& text);
    // The number of a string. The string is written to the file at its first use.
    perfetto::Name intern(perfetto::Table table, std::string_view text);

    // The names of notes that only a guest with processes or address spaces needs. Call it before
    // each use.
    void add_notes_of_processes() { add_note_names(perfetto::Note::lock); }
    void add_notes_of_spaces() { add_note_names(perfetto::Note::message); }

    // Writes an event without an annotation for the remainder of its time; for counters.
    void put(Time at, perfetto::Event& event);
    // Writes begin and end of a slice. `begin` is its begin event.
    void slice(perfetto::Event& begin, Time from, Time to, perfetto::Track track);
    void instant(perfetto::Event& event, Time at);

    std::size_t bytes() const { return file_.bytes(); }

  private:
    void write_packet(std::string_view fields);
    // Interned strings. `add(data)` adds them to InternedData.
    template <class Add>
    void write_interned(Add add);
    // Of `first` and the note after it, at the first call.
    void add_note_names(perfetto::Note first);
    static std::string_view packet(Time at, perfetto::Event& event, perfetto::Note rest);

    OutputFile& file_;
    perfetto::Track tracks_ = 0;
    std::array<std::map<std::string, perfetto::Name, std::less<>>, 3> interned_;
    std::set<perfetto::Note> notes_;  // added by add_note_names()
};

// A processor's track has its number as rank; the machine's other tracks come after them.
constexpr unsigned kRankAfterProcessors = (kMaxProcessors / 100 + 1) * 100;

struct PerfettoView {
    PerfettoView(OutputFile& out, const Window& shown) : file(out), window(shown) {
        using perfetto::Table;
        machine = file.add_track({0, "machine"});
        for (std::size_t a = 0; a < kActivities; ++a) {
            activity_names[a] = file.intern(Table::names, kActivityNames[a]);
            activity_categories[a] = file.intern(Table::categories, kActivityNames[a]);
        }
        for (std::size_t s = 0; s < kProcessorStates; ++s)
            state_names[s] = file.intern(Table::names, kProcessorStateNames[s]);
    }

    // Writes the part of a slice that is within the window. A slice of zero length is shown whole
    // or not at all. `begin` is the begin event, complete except for its time.
    void slice(perfetto::Event& begin, Time from, Time to, perfetto::Track track) {
        if (!shows(from, to)) return;
        file.slice(begin, std::max(from, window.from), std::min(to, window.to), track);
    }
    bool shows(Time from, Time to) const {
        return from == to ? window.contains(from)
                          : std::max(from, window.from) < std::min(to, window.to);
    }

    PerfettoFile file;
    const Window& window;         // the part of the run that the trace shows
    perfetto::Track machine = 0;  // the parent of all tracks
    std::array<perfetto::Name, kActivities> activity_names{};
    std::array<perfetto::Name, kActivities> activity_categories{};
    std::array<perfetto::Name, kProcessorStates> state_names{};
};

}  // namespace symsim
