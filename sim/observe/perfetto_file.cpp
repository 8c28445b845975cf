// SPDX-License-Identifier: MIT
#include "sim/observe/perfetto_file.h"

#include <cstring>
#include <protozero/pbf_writer.hpp>

namespace symsim {

using namespace perfetto;
using protozero::pbf_writer;

namespace {

constexpr std::uint64_t kPsPerNs = 1'000;

// TracePacket.trusted_packet_sequence_id, field 10: all packets belong to one sequence and share
// its interned strings. TracePacket.sequence_flags is field 13.
constexpr std::uint32_t kSequence = 1;
enum SequenceFlags : std::uint32_t { cleared = 1, needs_state = 2 };

// In the order of Note. The first kNotesOfAll are those of every trace.
constexpr std::array<std::string_view, 16> kNotes = {
    "start_rest_ps", "end_rest_ps", "processor", "address", "symbol", "size_bytes",
    "locked",        "wait_ps",     "thread",    "open",    "bin",    "value",
    "lock",          "holder",      "message",   "reason"};
constexpr std::size_t kNotesOfAll = 12;

// Fields of InternedData: event_categories 1, event_names 2, debug_annotation_string_values 29.
constexpr std::uint32_t field_of(Table table) {
    return table == Table::categories ? 1 : table == Table::names ? 2 : 29;
}
constexpr std::uint32_t kNoteNames = 3;  // InternedData.debug_annotation_names

// Replaces all but printable ASCII: protobuf strings are UTF-8, but a guest's symbols may have any
// bytes.
std::string as_ascii(std::string_view text) {
    std::string clean(text);
    for (char& c : clean)
        if (c < ' ' || c > '~') c = '?';
    return clean;
}

// Adds an entry to InternedData. EventCategory, EventName, DebugAnnotationName and InternedString
// have the same fields: iid 1, and name or str 2.
void add_interned(pbf_writer& data, std::uint32_t field, Name number, std::string_view text) {
    pbf_writer entry(data, field);
    entry.add_uint64(1, number);
    entry.add_string(2, as_ascii(text));
}

// Wire types of protobuf.
enum Wire : std::uint32_t { varint = 0, delimited = 2 };

// Writes a tag and a varint so that they end at `end`. Returns where they begin.
char* put_before(char* end, std::uint32_t field, Wire wire, std::uint64_t value) {
    const int bits = 64 - __builtin_clzll(value | 1);
    // Most values take one byte. For others the size is bits / 7, rounded up.
    char* const begin = end - 1 - (value < 0x80 ? 1 : (9 * bits + 64) / 64);
    *begin = static_cast<char>(field << 3 | wire);
    put_varint(begin + 1, value);
    return begin;
}

constexpr char kSequenceFields[] = {10 << 3 | varint, kSequence, 13 << 3 | varint, needs_state};

}  // namespace

Event& Event::fixed(std::uint32_t field, std::uint64_t value) {
    end_ = put_varint(room(), field << 3 | 1);
    for (int byte = 0; byte < 8; ++byte) *end_++ = static_cast<char>(value >> 8 * byte);
    return *this;
}

Event& Event::ratio(double value) {
    static_assert(sizeof(double) == sizeof(std::uint64_t));
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return fixed(44, bits);
}

// Writes from the event backwards, since each length comes before the bytes that it counts.
std::string_view Event::in_packet(std::uint64_t ns) {
    char* const end = end_;
    char* begin = bytes_.data() + kHead;
    begin =
        put_before(begin, 11, delimited, static_cast<std::uint64_t>(end - begin));  // .track_event
    begin -= sizeof kSequenceFields;
    std::memcpy(begin, kSequenceFields, sizeof kSequenceFields);
    begin = put_before(begin, 8, varint, ns);  // .timestamp
    // Trace.packet
    begin = put_before(begin, 1, delimited, static_cast<std::uint64_t>(end - begin));
    return {begin, static_cast<std::size_t>(end - begin)};
}

PerfettoFile::PerfettoFile(OutputFile& file) : file_(file) {
    std::string fields;
    pbf_writer packet(fields);
    packet.add_uint32(10, kSequence);
    packet.add_uint32(13, cleared);
    packet.add_bool(87, true);  // TracePacket.first_packet_on_sequence
    {
        pbf_writer data(packet, 12);  // TracePacket.interned_data
        for (std::size_t i = 0; i < kNotesOfAll; ++i)
            add_interned(data, kNoteNames, static_cast<Name>(i + 1), kNotes[i]);
    }
    write_packet(fields);
}

Track PerfettoFile::add_track(const TrackText& text) {
    constexpr std::uint32_t kExplicitOrder = 3;  // TrackDescriptor.ChildTracksOrdering.EXPLICIT
    const Track track = ++tracks_;
    std::string fields;
    pbf_writer packet(fields);
    packet.add_uint32(10, kSequence);
    {
        pbf_writer descriptor(packet, 60);  // TracePacket.track_descriptor
        descriptor.add_uint64(1, track);    // TrackDescriptor.uuid
        if (text.parent != 0) descriptor.add_uint64(5, text.parent);  // .parent_uuid
        descriptor.add_string(2, as_ascii(text.name));                // .name
        descriptor.add_uint32(11, kExplicitOrder);                    // .child_ordering
        descriptor.add_uint32(12, text.rank);                         // .sibling_order_rank
        if (text.process != 0 && text.thread == 0) {
            pbf_writer process(descriptor, 3);           // .process
            process.add_uint32(1, text.process);         // ProcessDescriptor.pid
            process.add_string(6, as_ascii(text.name));  // .process_name
        }
        if (text.thread != 0) {
            pbf_writer thread(descriptor, 4);           // .thread
            thread.add_uint32(1, text.process);         // ThreadDescriptor.pid
            thread.add_uint32(2, text.thread);          // .tid
            thread.add_string(5, as_ascii(text.name));  // .thread_name
        }
        if (text.unit) {
            pbf_writer counter(descriptor, 8);  // .counter
            counter.add_string(6, text.unit);   // CounterDescriptor.unit_name
        }
    }
    write_packet(fields);
    return track;
}

template <class Add>
void PerfettoFile::write_interned(Add add) {
    std::string fields;
    pbf_writer packet(fields);
    packet.add_uint32(10, kSequence);
    packet.add_uint32(13, needs_state);
    {
        pbf_writer data(packet, 12);
        add(data);
    }
    write_packet(fields);
}

void PerfettoFile::add_note_names(Note first) {
    if (!notes_.insert(first).second) return;
    write_interned([first](pbf_writer& data) {
        for (auto note = static_cast<Name>(first); note < static_cast<Name>(first) + 2; ++note)
            add_interned(data, kNoteNames, note, kNotes[note - 1]);
    });
}

Name PerfettoFile::intern(Table table, std::string_view text) {
    auto& known = interned_[static_cast<std::size_t>(table)];
    const auto found = known.find(text);
    if (found != known.end()) return found->second;
    const auto number = static_cast<Name>(known.size() + 1);
    known.emplace(text, number);
    write_interned([&](pbf_writer& data) { add_interned(data, field_of(table), number, text); });
    return number;
}

// Completes the packet of an event, with the rest of its time below a nanosecond as an annotation.
inline std::string_view PerfettoFile::packet(Time at, Event& event, Note rest) {
    const auto ps = static_cast<std::uint64_t>(at);
    if (ps % kPsPerNs != 0) event.note(rest, ps % kPsPerNs);
    return event.in_packet(ps / kPsPerNs);
}

void PerfettoFile::put(Time at, Event& event) {
    file_.write(event.in_packet(static_cast<std::uint64_t>(at) / kPsPerNs));
}

void PerfettoFile::slice(Event& begin, Time from, Time to, Track track) {
    // Both packets are written after both are built: reading bytes that were only just stored makes
    // the host wait.
    const std::string_view first = packet(from, begin, Note::start_rest_ps);
    Event end(perfetto::Type::slice_end, track);
    const std::string_view second = packet(to, end, Note::end_rest_ps);
    file_.write(first);
    file_.write(second);
}

void PerfettoFile::instant(Event& event, Time at) {
    file_.write(packet(at, event, Note::start_rest_ps));
}

void PerfettoFile::write_packet(std::string_view fields) {
    std::string packet;
    pbf_writer trace(packet);
    trace.add_message(1, fields.data(), fields.size());  // Trace.packet
    file_.write(packet);
}

}  // namespace symsim
