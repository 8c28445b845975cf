// SPDX-License-Identifier: MIT
#include "sim/observe/perfetto_file.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

namespace symsim {

using perfetto::Event;
using perfetto::Name;
using perfetto::Note;
using perfetto::Table;
using perfetto::Track;
using protozero::pbf_writer;

namespace {

constexpr Time kPsPerNs = 1'000;

enum Wire : std::uint32_t { varint = 0, fixed64 = 1, delimited = 2 };

char* put_tag(char* at, std::uint32_t field, Wire wire) {
    return at + protozero::add_varint_to_buffer(at, field << 3 | wire);
}
char* put_number(char* at, std::uint64_t value) {
    return at + protozero::add_varint_to_buffer(at, value);
}

// TracePacket.trusted_packet_sequence_id 10: all packets are of one sequence, whose strings are
// interned together. TracePacket.sequence_flags 13.
constexpr std::uint32_t kSequence = 1;
enum SequenceFlags : std::uint32_t { cleared = 1, needs_state = 2 };

constexpr std::array<std::string_view, 12> kNotes = {
    "start_rest_ps", "end_rest_ps", "processor", "address", "symbol", "size_bytes",
    "locked",        "wait_ps",     "thread",    "open",    "bin",    "value"};

// InternedData.event_categories 1, .event_names 2, .debug_annotation_string_values 29.
constexpr std::uint32_t field_of(Table table) {
    return table == Table::categories ? 1 : table == Table::names ? 2 : 29;
}
constexpr std::uint32_t kNoteNames = 3;  // InternedData.debug_annotation_names

// Protobuf's strings are UTF-8, and a guest's symbols may be anything.
std::string as_ascii(std::string_view text) {
    std::string clean(text);
    for (char& c : clean)
        if (c < ' ' || c > '~') c = '?';
    return clean;
}

// EventCategory, EventName, DebugAnnotationName and InternedString alike: iid 1, name or str 2.
void add_interned(pbf_writer& data, std::uint32_t field, Name number, std::string_view text) {
    pbf_writer entry(data, field);
    entry.add_uint64(1, number);
    entry.add_string(2, as_ascii(text));
}

}  // namespace

Event& Event::fixed(std::uint32_t field, std::uint64_t value) {
    char* at = put_tag(bytes_.data() + size_, field, fixed64);
    for (int byte = 0; byte < 8; ++byte) *at++ = static_cast<char>(value >> 8 * byte);
    size_ = static_cast<std::size_t>(at - bytes_.data());
    return *this;
}

Event& Event::ratio(double value) {
    static_assert(sizeof(double) == sizeof(std::uint64_t));
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return fixed(44, bits);
}

Event& Event::annotation(Note name, std::uint32_t field, std::uint64_t value) {
    // TrackEvent.debug_annotations, its length (a byte), DebugAnnotation.name_iid.
    char* const length = put_tag(bytes_.data() + size_, 4, delimited);
    char* end = put_tag(length + 1, 1, varint);
    *end++ = static_cast<char>(name);
    end = put_number(put_tag(end, field, varint), value);
    *length = static_cast<char>(end - length - 1);
    size_ = static_cast<std::size_t>(end - bytes_.data());
    return *this;
}

std::string_view Event::in_packet(Time at) {
    const auto timestamp = static_cast<std::uint64_t>(at / kPsPerNs);
    const std::size_t body = size_ - kHead;
    // Four tags, sequence and flags, of a byte each, and three numbers.
    const std::size_t fields = 6 + static_cast<std::size_t>(protozero::length_of_varint(timestamp) +
                                                            protozero::length_of_varint(body));
    const std::size_t packet = fields + body;
    char* const begin = bytes_.data() + kHead - fields - 1 - protozero::length_of_varint(packet);
    char* end = put_number(put_tag(begin, 1, delimited), packet);  // Trace.packet
    end = put_number(put_tag(end, 8, varint), timestamp);          // TracePacket.timestamp
    end = put_number(put_tag(end, 10, varint), kSequence);
    end = put_number(put_tag(end, 13, varint), needs_state);
    end = put_number(put_tag(end, 11, delimited), body);  // TracePacket.track_event
    return {begin, static_cast<std::size_t>(end - begin) + body};
}

PerfettoFile::PerfettoFile(const std::filesystem::path& path) : file_(path) {
    std::string fields;
    pbf_writer packet(fields);
    packet.add_uint32(10, kSequence);
    packet.add_uint32(13, cleared);
    packet.add_bool(87, true);  // TracePacket.first_packet_on_sequence
    {
        pbf_writer data(packet, 12);  // TracePacket.interned_data
        for (std::size_t i = 0; i < kNotes.size(); ++i)
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
        if (text.unit) {
            pbf_writer counter(descriptor, 8);  // .counter
            counter.add_string(6, text.unit);   // CounterDescriptor.unit_name
        }
    }
    write_packet(fields);
    return track;
}

Name PerfettoFile::intern(Table table, std::string_view text) {
    auto& known = interned_[static_cast<std::size_t>(table)];
    const auto found = known.find(text);
    if (found != known.end()) return found->second;
    const auto number = static_cast<Name>(known.size() + 1);
    known.emplace(text, number);
    std::string fields;
    pbf_writer packet(fields);
    packet.add_uint32(10, kSequence);
    packet.add_uint32(13, needs_state);
    {
        pbf_writer data(packet, 12);
        add_interned(data, field_of(table), number, text);
    }
    write_packet(fields);
    return number;
}

void PerfettoFile::slice(Event& begin, Time from, Time to, Track track) {
    if (from % kPsPerNs != 0)
        begin.note(Note::start_rest_ps, static_cast<std::uint64_t>(from % kPsPerNs));
    put(from, begin);
    Event end(perfetto::Type::slice_end, track);
    if (to % kPsPerNs != 0) end.note(Note::end_rest_ps, static_cast<std::uint64_t>(to % kPsPerNs));
    put(to, end);
}

void PerfettoFile::instant(Event& event, Time at) {
    if (at % kPsPerNs != 0)
        event.note(Note::start_rest_ps, static_cast<std::uint64_t>(at % kPsPerNs));
    put(at, event);
}

void PerfettoFile::write_packet(std::string_view fields) {
    std::string packet;
    pbf_writer trace(packet);
    trace.add_message(1, fields.data(), fields.size());  // Trace.packet
    file_.write(packet);
}

}  // namespace symsim
