# SPDX-License-Identifier: MIT
"""URPC Table I: the cost of thread operations at user level and in the kernel."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from symlab.errors import NotRun
from symlab.plot.curves import chosen
from symlab.plot.figure import Figure, Verdict, finished
from symlab.plot.repeats import averaged_quantities
from symlab_papers.claims import Claim, Judge, judges
from symlab_papers.measures.calls import NEAR, NS_PER_US

USER, KERNEL, CALLS, PROCESSES = IMAGES = (
    "urpc_threads", "urpc_kernel", "urpc_null", "urpc_processes",
)  # fmt: skip
LABELS = {USER: "FastThreads", KERNEL: "kernel threads"}
# Operation -> what the paper prints, in us: FastThreads, Taos.
TABLE: Mapping[str, tuple[float, float]] = {
    "procedure_call": (7, 7),
    "fork": (43, 1192),
    "fork_join": (102, 1574),
    "yield": (37, 57),
    "lock_pair": (27, 27),
    "ping_pong": (53, 271),
}
OPERATIONS = [*TABLE, "round_trip"]
USER_CALLS = (3.5, 15.5)  # procedure calls that a user-level operation costs, rounded 4 to 15
KERNEL_CALLS = 225
SWITCH_US, SWITCH_NEAR = 15.0, 0.2
MOVE_US = 55.0
MOVE_SWITCHES = 3.7
FORK_RATIO = 20
EQUAL = 0.05
# "Thousands, hundreds, and tens of us" (section 3.3.1): fork and join.
CLASSES_US = {"process": 1000, "kernel thread": 100, "user-level thread": 10}
TIMES_MORE = 20  # 1574 us of Taos are hundreds


def series(runs: pd.DataFrame) -> pd.DataFrame:
    """Tidy data, sorted: image, quantity (operation, or processors), value (us, or count), spread.

    round_trip: a processor to another space and back, each time with a switch of threads.
    """
    done = finished(
        runs, ["image", "processors", *(f"{operation}_ns" for operation in OPERATIONS)]
    ).copy()
    for operation in OPERATIONS:
        done[operation] = done[f"{operation}_ns"] / NS_PER_US
    columns = [*OPERATIONS, "processors"]
    return averaged_quantities(done, ["image"], columns).dropna()


def draw(ax: Axes, data: pd.DataFrame) -> None:
    operations = [*TABLE]
    columns: dict[str, list[float | None]] = {
        "FastThreads, paper": [TABLE[o][0] for o in operations],
        "FastThreads": [_values(data, USER).get(o) for o in operations],
        "Taos, paper": [TABLE[o][1] for o in operations],
        "kernel threads": [_values(data, KERNEL).get(o) for o in operations],
    }
    colours = ("#9ecae1", "#3182bd", "#fdae6b", "#e6550d")
    for i, (label, values) in enumerate(columns.items()):
        places = [o + (i - 1.5) * 0.2 for o in range(len(operations))]
        ax.bar(places, [v or 0 for v in values], 0.2, label=label, color=colours[i])
    ax.set_xticks(range(len(operations)), [o.replace("_", "\n") for o in operations])
    ax.set_yscale("log")
    ax.set_ylabel("Time (us)")


def _values(data: pd.DataFrame, image: str) -> dict[str, float]:
    values = chosen(data, image=image).set_index("quantity")["value"]
    return {str(name): float(value) for name, value in values.items()}


def _time(data: pd.DataFrame, image: str, operation: str) -> float:
    times = _values(data, image)
    if operation not in times:
        raise NotRun(f"{operation} of {image}")
    return times[operation]


def _times(claim: Claim, data: pd.DataFrame, image: str, operation: str) -> Verdict:
    paper = TABLE[operation][image == KERNEL]
    return claim.near(
        _time(data, image, operation), paper, NEAR * paper, what=f"{operation}, {LABELS[image]}"
    )


def _ratio(data: pd.DataFrame, operation: str) -> float:
    return _time(data, KERNEL, operation) / _time(data, USER, operation)


def _both(claim: str, operation: str) -> Judge:
    """The claim on the times of an operation in both columns, and on their ratio."""
    user, kernel = TABLE[operation]
    ratio = kernel / user

    @judges(claim)
    def judge(claim: Claim, data: pd.DataFrame) -> Verdict:
        return claim.all_of(
            _times(claim, data, USER, operation),
            _times(claim, data, KERNEL, operation),
            claim.near(_ratio(data, operation), ratio, NEAR * ratio, "", "kernel over user"),
        )

    return judge


@judges("URPC-04")
def urpc_04(claim: Claim, data: pd.DataFrame) -> Verdict:
    return _times(claim, data, USER, "fork")


@judges("URPC-05")
def urpc_05(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.all_of(
        _times(claim, data, KERNEL, "fork"),
        claim.at_least({"": _ratio(data, "fork")}, FORK_RATIO, "kernel over user"),
    )


@judges("URPC-08")
def urpc_08(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.all_of(
        _times(claim, data, USER, "lock_pair"),
        _times(claim, data, KERNEL, "lock_pair"),
        claim.at_most({"": abs(_ratio(data, "lock_pair") - 1)}, EQUAL, "difference"),
    )


@judges("URPC-10")
def urpc_10(claim: Claim, data: pd.DataFrame) -> Verdict:
    call = _time(data, USER, "procedure_call")
    operations = [o for o in TABLE if o != "procedure_call"]
    user = {f"{o}, {LABELS[USER]}": _time(data, USER, o) / call for o in operations}
    kernel = {f"{o}, {LABELS[KERNEL]}": _time(data, KERNEL, o) / call for o in operations}
    return claim.all_of(
        claim.between(user, *USER_CALLS, "{}"), claim.at_most(kernel, KERNEL_CALLS, "{}")
    )


# A yield saves and restores the registers, and puts the thread into the ready queue in between.
@judges("URPC-12")
def urpc_12(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.near(_time(data, USER, "yield"), SWITCH_US, SWITCH_NEAR * SWITCH_US)


@judges("URPC-13")
def urpc_13(claim: Claim, data: pd.DataFrame) -> Verdict:
    switch = _time(data, USER, "yield")
    move = (_time(data, CALLS, "round_trip") - switch) / 2
    return claim.all_of(
        claim.near(move, MOVE_US, NEAR * MOVE_US),
        claim.near(move / switch, MOVE_SWITCHES, NEAR * MOVE_SWITCHES, "yields"),
    )


@judges("URPC-28")
def urpc_28(claim: Claim, data: pd.DataFrame) -> Verdict:
    times = {
        name: _time(data, image, "fork_join") / CLASSES_US[name]
        for name, image in zip(CLASSES_US, (PROCESSES, KERNEL, USER), strict=True)
    }
    return claim.between(times, 1, TIMES_MORE, "{}, times its order")


@judges("URPC-30")
def urpc_30(claim: Claim, data: pd.DataFrame) -> Verdict:
    return claim.all_of(
        claim.between({"": _time(data, USER, "processors")}, 1, 1, "user-level threads"),
        claim.at_least({"": _time(data, KERNEL, "processors")}, 2, "kernel threads"),
    )


FIGURE = Figure(
    series,
    draw,
    (
        urpc_04, urpc_05, _both("URPC-06", "fork_join"), _both("URPC-07", "yield"), urpc_08,
        _both("URPC-09", "ping_pong"), urpc_10, urpc_12, urpc_13, urpc_28, urpc_30,
    ),
    tidy=True,
)  # fmt: skip
