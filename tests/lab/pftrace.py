# SPDX-License-Identifier: MIT
"""Reads a trace.pftrace with Perfetto's own protobuf classes, as far as the tests need it."""

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

PS_PER_NS = 1000
NEEDS_STATE = pb.TracePacket.SequenceFlags.SEQ_NEEDS_INCREMENTAL_STATE
CLEARED = pb.TracePacket.SequenceFlags.SEQ_INCREMENTAL_STATE_CLEARED

Value = int | str


@dataclass
class Slice:
    """A slice or an instant, with times in ps.

    `path`: names of the parent tracks and its track, without `machine`.
    """

    path: tuple[str, ...]
    name: str
    category: str
    start: int
    end: int
    notes: dict[str, Value]
    flows: list[int]
    end_flows: list[int]

    @property
    def duration(self) -> int:
        return self.end - self.start


@dataclass
class Trace:
    slices: list[Slice] = field(default_factory=list)
    instants: list[Slice] = field(default_factory=list)
    counters: dict[tuple[str, ...], list[tuple[int, float]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def on(self, *path: str) -> list[Slice]:
        return [s for s in self.slices if s.path == path]


def read_trace(path: Path) -> Trace:
    """Reads the trace; fails if Perfetto's trace processor would report an error."""
    raw = pb.Trace()
    raw.ParseFromString(path.read_bytes())
    tracks: dict[int, pb.TrackDescriptor] = {}
    tables: dict[str, dict[int, str]] = defaultdict(dict)
    trace = Trace()
    events = []
    for number, packet in enumerate(raw.packet):
        assert packet.trusted_packet_sequence_id == 1
        assert bool(packet.sequence_flags & CLEARED) == (number == 0)
        for table, entries in packet.interned_data.ListFields():
            for entry in entries:
                text = entry.str.decode() if table.name.endswith("values") else entry.name
                assert entry.iid not in tables[table.name], "interned twice"
                tables[table.name][entry.iid] = text
        if packet.HasField("track_descriptor"):
            assert packet.track_descriptor.uuid not in tracks
            assert packet.track_descriptor.parent_uuid in {0, *tracks}
            tracks[packet.track_descriptor.uuid] = packet.track_descriptor
        if packet.HasField("track_event"):
            assert packet.sequence_flags & NEEDS_STATE
            assert packet.track_event.track_uuid in tracks, "a track that is not described"
            events.append(packet)

    def track_path(uuid: int) -> tuple[str, ...]:
        track = tracks[uuid]
        above = track_path(track.parent_uuid) if track.parent_uuid else ()
        return (*above, track.name) if above or track.name != "machine" else (track.name,)

    def notes_of(event: pb.TrackEvent) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for note in event.debug_annotations:
            kind = note.WhichOneof("value")
            value = getattr(note, kind)
            if kind == "string_value_iid":
                value = tables["debug_annotation_string_values"][value]
            found[tables["debug_annotation_names"][note.name_iid]] = value
        return found

    open_slices: dict[int, list[Slice]] = defaultdict(list)
    # The trace processor sorts by time; events at the same time keep the order of the file.
    for packet in sorted(events, key=lambda packet: packet.timestamp):
        event = packet.track_event
        path_ = track_path(event.track_uuid)
        path_ = path_[1:] if path_[0] == "machine" else path_
        notes = notes_of(event)
        if event.type == pb.TrackEvent.TYPE_COUNTER:
            ratio = event.HasField("double_counter_value")
            value = event.double_counter_value if ratio else event.counter_value
            trace.counters[path_].append((packet.timestamp * PS_PER_NS, value))
        elif event.type == pb.TrackEvent.TYPE_SLICE_END:
            done = open_slices[event.track_uuid].pop()
            done.end = packet.timestamp * PS_PER_NS + int(notes.get("end_rest_ps", 0))
            trace.slices.append(done)
        else:
            start = packet.timestamp * PS_PER_NS + int(notes.pop("start_rest_ps", 0))
            categories = [tables["event_categories"][iid] for iid in event.category_iids]
            new = Slice(
                path_,
                tables["event_names"][event.name_iid],
                categories[0] if categories else "",
                start,
                start,
                notes,
                list(event.flow_ids),
                list(event.terminating_flow_ids),
            )
            if event.type == pb.TrackEvent.TYPE_INSTANT:
                trace.instants.append(new)
            else:
                assert event.type == pb.TrackEvent.TYPE_SLICE_BEGIN
                assert not open_slices[event.track_uuid], "slices of one track overlap"
                open_slices[event.track_uuid].append(new)
    assert not any(open_slices.values()), "a slice without an end"
    return trace
