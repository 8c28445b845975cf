# SPDX-License-Identifier: MIT
"""One run of a schedule: its accesses to shared memory, its probe points, and their order.

Two accesses of different processors conflict if they have a byte in common and one of them writes.
Runs in which each location sees the same accesses in the same order, but for reads between the same
two writes, are one and the same execution (A. Mazurkiewicz, "Trace theory", 1987): `order` is equal
for them.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

LOAD, STORE, LOCKED_LOAD, LOCKED_STORE = range(4)
PROBE = 256  # kind of an event: PROBE + number of the probe point
FIELDS = 9  # integers of an event
NEVER = 1 << 62  # later than each time of a run


class Access(NamedTuple):
    """`order_ps`: when it takes effect, NEVER for a store that stays in the write buffer. `t_ps`:
    when the processor begins it. `access`: its number on its processor; of an exchange that of its
    load. `locked`: a read-modify-write. `write`: whether memory changes hands; not so if a
    read-modify-write leaves the value. `value`: read, or of a store, written."""

    order_ps: int
    processor: int
    write: bool
    address: int
    size: int
    access: int
    t_ps: int
    eip: int
    locked: bool
    value: int
    stored: int | None


class Probe(NamedTuple):
    """A processor passes a probe point. `kind`: ProbeKind; `access`: of the last access before."""

    t_ps: int
    processor: int
    kind: int
    operand: int
    access: int
    eip: int


class Trace:
    """A run. `accesses`: in the order in which they take effect. `probes`: in order of time.
    `holds`: (start_ps, end_ps) of each entry of the schedule, None if it was not reached.
    `begin_ps`, `end_ps`: of the checked part. `status`, `exit_status`, `message`, `positions`,
    `unused_arguments`: as the simulator gives them."""

    def __init__(self, result: dict[str, Any]) -> None:
        self.status: str = result["status"]
        self.exit_status: int = result["exit_status"]
        self.message: str = result["message"]
        self.begin_ps: int = result["begin_ps"]
        self.end_ps: int = result["end_ps"]
        self.holds: list[tuple[int, int] | None] = [h and tuple(h) for h in result["holds"]]
        self.positions: list[list[Any]] = result["positions"]
        self.unused_arguments: list[dict[str, str]] = result.get("unused_arguments", [])
        self.accesses: list[Access] = []
        self.probes: list[Probe] = []
        self._read(result["events"])

    def _read(self, events: Sequence[int]) -> None:
        accesses, probes = self.accesses, self.probes
        locked: dict[int, tuple[int, ...]] = {}  # processor -> its locked load
        for event in zip(*[iter(events)] * FIELDS, strict=True):
            t, processor, kind, address, size, value, number, done, eip = event
            if kind == LOAD:
                accesses.append(
                    Access(t, processor, False, address, size, number, t, eip, False, value, None)
                )
            elif kind >= PROBE:
                probes.append(Probe(t, processor, kind - PROBE, value, number, eip))
            elif kind == LOCKED_LOAD:
                if processor in locked:
                    accesses.append(_alone(locked[processor]))
                locked[processor] = event
            else:
                order = done if done >= 0 else NEVER
                first = locked.pop(processor, None) if kind == LOCKED_STORE else None
                if first is not None and first[3] == address and first[8] == eip:
                    accesses.append(
                        Access(
                            order, processor, value != first[5], address, size, first[6], first[0],
                            eip, True, first[5], value,
                        )
                    )  # fmt: skip
                    continue
                if first is not None:
                    accesses.append(_alone(first))
                accesses.append(
                    Access(
                        order, processor, True, address, size, number, t, eip,
                        kind == LOCKED_STORE, value, value,
                    )
                )  # fmt: skip
        accesses += [_alone(first) for first in locked.values()]
        accesses.sort()

    def conflicts(self) -> list[Access]:
        """The accesses that an access of another processor follows with which they conflict."""
        found = []
        later: dict[int, list[dict[int, int]]] = defaultdict(lambda: [{}, {}])
        for access in reversed(self.accesses):
            mine, conflicting = access.processor, False
            for word, mask in words(access.address, access.size):
                reads, writes = later[word]
                for others in (writes, reads) if access.write else (writes,):
                    for processor, bytes_ in others.items():
                        if processor != mine and bytes_ & mask:
                            conflicting = True
                own = writes if access.write else reads
                own[mine] = own.get(mine, 0) | mask
            if conflicting:
                found.append(access)
        found.reverse()
        return found

    def order(self) -> int:
        """A number that is the same for runs with the same order of conflicting accesses."""
        places: dict[int, list[Any]] = {}
        for access in self.accesses:
            for word, mask in words(access.address, access.size):
                place = places.get(word)
                if place is None:
                    place = places[word] = [[], 0]
                if access.write:
                    done = (place[1], access.processor, mask, access.stored)
                    place[0].append(done)
                    place[1] = 0
                else:
                    place[1] |= 1 << access.processor
        return hash(
            tuple((word, tuple(done), rest) for word, (done, rest) in sorted(places.items()))
        )


def words(address: int, size: int) -> list[tuple[int, int]]:
    """The aligned words of four bytes of an access: number of the word, mask of its bytes."""
    word, shift = address >> 2, address & 3
    mask = ((1 << size) - 1) << shift
    if mask < 16:
        return [(word, mask)]
    return [(word + i, mask >> 4 * i & 15) for i in range((shift + size + 3) // 4)]


def _alone(load: tuple[int, ...]) -> Access:
    """A locked load whose store is not in the log."""
    t, processor, _, address, size, value, number, _, eip = load
    return Access(t, processor, False, address, size, number, t, eip, True, value, None)
