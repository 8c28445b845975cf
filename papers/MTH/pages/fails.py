# SPDX-License-Identifier: MIT
"""What the page on MTH's claims that fail quotes of papers/MTH/results/."""

from symlab_papers.documents.data import Data, Frame, curves, percent, significant

CEN, MCS = "central-pools", "memory-conscious"


def tables(data: Data) -> dict[str, list[str]]:
    return {}


def numbers(data: Data) -> dict[str, str]:
    return {**_jacobi(data), **_couples(data), **_affinity(data), **_locks(data)}


def _jacobi(data: Data) -> dict[str, str]:
    """Speedups as simulated, and with processors four times as fast."""
    found: dict[str, str] = {}
    for name, part in (("j", "figure-14"), ("fast", "figure-14-fast")):
        speedup = curves(data.csv(f"MTH/{part}"), "strategy", "processors", "speedup")
        found |= {f"{name}-cen-{p}": f"{speedup(CEN, p):.1f}" for p in (8, 16, 32)}
        found[f"{name}-ratio"] = f"{speedup(MCS, 16) / speedup(CEN, 16):.2f}"
    alone = curves(data.csv("MTH/figure-14"), "strategy", "processors", "speedup")
    near = curves(data.csv("MTH/figure-14-neighbours"), "strategy", "processors", "speedup")
    return found | {
        "vtime-alone": f"{alone('vtime', 1):.2f}",
        "vtime-neighbours": f"{near('vtime', 1):.2f}",
    }


def _couples(data: Data) -> dict[str, str]:
    rate = curves(data.csv("MTH/figure-15-apart"), "strategy", "processors", "locks_per_second")
    near = curves(data.csv("MTH/figure-15"), "strategy", "processors", "locks_per_second")
    return {f"apart-{p}": f"{rate(MCS, p) / 1000:.0f}" for p in (8, 9, 32)} | {
        f"together-{p}": f"{near(MCS, p) / 1000:.0f}" for p in (8, 9)
    }


def _affinity(data: Data) -> dict[str, str]:
    gain = curves(data.csv("MTH/section-7.2-synthetic"), "affinity", "processors", "gain")
    lock_ns = curves(data.csv("MTH/section-7.2-overhead"), "affinity", "threads", "lock_ns")
    none, vtime, reload = (lock_ns(model, 32) for model in ("none", "vtime", "reload"))
    jacobi = _gains(data, "figure-16")
    small = _gains(data, "figure-16-small")
    return {
        "couples-vtime": percent(gain("vtime", 1)),
        "couples-reload": percent(-gain("reload", 1)),
        "reload-times": significant(reload / none, 2),
        "vtime-less": percent(1 - vtime / none, 1),
        "vtime-1": percent(-jacobi["vtime", 1], 1),
        "vtime-32": percent(jacobi["vtime", 32], 1),
        "reload-32": percent(jacobi["reload", 32], 1),
        "small-least": percent(small["vtime"].min(), 1),
        "small-most": percent(small["vtime"].max(), 1),
    }


def _gains(data: Data, part: str) -> Frame:
    return data.csv(f"MTH/{part}").set_index(["affinity", "processors"])["gain"]


def _locks(data: Data) -> dict[str, str]:
    runs = data.csv("MTH/section-6.2-runs").set_index(["lock", "processors"])
    misses = curves(data.csv("MTH/section-6.2"), "lock", "processors", "misses")
    most = runs.loc[("read", 32)]
    each = 1 / most["handoffs_to_others"]
    return {
        "reads": f"{most['spin_read_transactions'] * each:.0f}",
        "exchanges": f"{most['spin_locked_read_transactions'] * each:.0f}",
        "read-2": f"{misses('read', 2):.0f}",
        "xchgb-8": f"{misses('xchgb', 8):.0f}",
        "xchgb-32": f"{misses('xchgb', 32):.0f}",
    }
