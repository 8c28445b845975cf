# SPDX-License-Identifier: MIT
"""Interrupts in trace.pftrace for programs of tests/guest: messages, senders and receivers."""

import itertools
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pftrace import Slice, Trace, read_trace
from symlab import run

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SYMSIM_BINARY", "")
PS_PER_US = 1_000_000
PROCESSORS = 3
SENDER, CONTROLLERS = "send", ("interrupt controllers",)
NMI_VECTOR, TIMER_VECTOR, BIN_VECTORS = 0x02, 0x47, 0x40  # bin n has the vector BIN_VECTORS + n

pytestmark = pytest.mark.skipif(not BINARY, reason="SYMSIM_BINARY names no simulator")


def guest_run(folder: Path, image: str, processors: int, **settings: Any) -> Trace:
    """The trace of a run; checks that both engines write the same bytes."""
    guest = Path(str(BINARY)).resolve().parent / "guest-tests" / f"{image}.elf"
    settings |= {"guest.image": str(guest), "machine.processors": processors}
    settings |= {"observe.perfetto": True}
    for engine in ("fast", "reference"):
        machine = ROOT / "configs" / "machines" / "symmetry-a.toml"
        summary = run(
            machine,
            settings={**settings, "run.engine": engine},
            out=folder / engine,
            simulator=BINARY,
        )
        assert summary["guest"]["exit_status"] == 0
    for name in ("trace.pftrace", "summary.json"):
        fast, reference = (folder / engine / name for engine in ("fast", "reference"))
        assert fast.read_bytes() == reference.read_bytes(), name
    return read_trace(folder / "fast" / "trace.pftrace")


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> Trace:
    return guest_run(tmp_path_factory.mktemp("messages"), "messages", PROCESSORS)


def interrupts(trace: Trace, processor: int) -> list[Slice]:
    """The interrupts that the processor took and those that it sent, in order of time."""
    path = (f"processor {processor}", "interrupts")
    return sorted((s for s in trace.instants if s.path == path), key=lambda s: s.start)


def vector_of(instant: Slice) -> int:
    return int(instant.name.removeprefix("interrupt "), 16)


def test_each_message_has_a_flow_from_its_sender_to_its_receivers(messages: Trace) -> None:
    sent: dict[int, tuple[int, Slice]] = {}  # id of the flow -> sender, instant
    taken: dict[int, tuple[int, Slice]] = {}
    for processor in range(PROCESSORS):
        for instant in interrupts(messages, processor):
            if instant.name.startswith(SENDER):
                (flow,) = instant.flows
                assert flow not in sent
                sent[flow] = processor, instant
            else:
                (flow,) = instant.end_flows
                assert flow not in taken
                taken[flow] = processor, instant
    assert len(messages.on(*CONTROLLERS)) == len(sent)
    unanswered: list[Slice] = []
    for message in messages.on(*CONTROLLERS):
        (flow,) = message.end_flows
        sender, instant = sent.pop(flow)
        assert message.notes["processor"] == sender
        assert message.notes["bin"] == instant.notes["bin"]
        assert instant.name == ("send NMI" if message.name == "NMI" else "send")
        assert instant.start <= message.start < message.end
        for flow in message.flows:
            if flow not in taken:
                unanswered.append(message)
                continue
            _, instant = taken.pop(flow)
            notes: dict[str, Any] = message.notes
            nmi = message.name == "NMI"
            assert vector_of(instant) == (NMI_VECTOR if nmi else BIN_VECTORS + notes["bin"])
            assert instant.start >= message.end
    assert not sent and not taken, "a flow without its other end"
    # In the guest's function `waiting`, two messages for bin 0 are gathered and taken as one.
    assert [m.notes["bin"] for m in unanswered] == [0] * PROCESSORS


def test_the_numbers_of_messages_are_those_the_guest_sent_and_took(messages: Trace) -> None:
    """The numbers come from the functions of tests/guest/messages.c, in this order: ping_pong,
    to_all, join, waiting and full."""
    count, rounds, accepted, queued = PROCESSORS, 20, 256, 300
    sent = Counter((m.name, m.notes["bin"]) for m in messages.on(*CONTROLLERS))
    assert sent == {
        ("NMI", 0): 3,
        ("interrupt", 0): 2 * count,
        ("interrupt", 1): rounds * count + queued,
        ("interrupt", 2): count,
        ("interrupt", 3): 3 + 2 + 1,
        ("interrupt", 4): 2 * count,
        ("interrupt", 5): 2 * count,
        ("interrupt", 6): count,
    }
    refused = [m.notes["bin"] for m in messages.on(*CONTROLLERS) if not m.flows]
    assert Counter(refused) == {1: queued - accepted, 3: 2}
    taken = Counter(
        vector_of(instant)
        for processor in range(count)
        for instant in interrupts(messages, processor)
        if not instant.name.startswith(SENDER)
    )
    assert taken == {
        NMI_VECTOR: 3,
        BIN_VECTORS + 0: count,
        BIN_VECTORS + 1: rounds * count + accepted,
        BIN_VECTORS + 2: count * count,
        BIN_VECTORS + 3: 3 + count,
        BIN_VECTORS + 4: 2 * count,
        BIN_VECTORS + 5: 2 * count,
        BIN_VECTORS + 6: count,
    }


def test_a_timer_interrupts_without_a_message(tmp_path: Path) -> None:
    """The ticks of tests/guest/timer.c, as counted below.

    Six ticks wake a halted processor, three interrupt a loop, and one is gathered. It repeats them
    at 1000 Hz, and then the six at 5000 Hz.
    """
    hz = 500
    trace = guest_run(tmp_path, "timer", 2, **{"guest.args.hz": hz})
    assert trace.on(*CONTROLLERS) == []
    for processor in range(2):
        ticks = interrupts(trace, processor)
        assert [vector_of(tick) for tick in ticks] == [TIMER_VECTOR] * (2 * (6 + 3 + 1) + 6)
        assert not any(tick.flows or tick.end_flows for tick in ticks)
        steps = [b.start - a.start for a, b in itertools.pairwise(ticks[:6])]
        assert all(abs(step - 1e6 / hz * PS_PER_US) < 100 * PS_PER_US for step in steps), steps
