// SPDX-License-Identifier: MIT
// The keys of a run: its guest, when it ends and what of it is shown.
#include "sim/config/make_key.h"
#include "sim/events/observer.h"

namespace symsim {

namespace {

// A kind of probe point, or none.
ChoiceKey probe_choice() {
    ChoiceKey key;
    key.standard = 0;
    key.names = {"none"};
    for (const ProbePoint& point : kProbePoints) key.names.emplace_back(point.name);
    key.set = [](Config& c, std::size_t n) {
        c.observe.window.around.reset();
        if (n > 0) c.observe.window.around = kProbePoints[n - 1].kind;
    };
    key.get = [](const Config& c) {
        for (std::size_t n = 0; n < kProbePoints.size(); ++n)
            if (c.observe.window.around == kProbePoints[n].kind) return n + 1;
        return std::size_t{0};
    };
    return key;
}

}  // namespace

std::vector<Key> run_keys() {
    return {
        {"preempt.instructions", "instructions",
         IntegerKey{MEMBER(preempt, instructions), 0, 0, 4294967295u},
         "The timer's interrupt arrives at one processor once, after it has retired this number of "
         "instructions; 0: never."},
        {"preempt.on_processor", "",
         IntegerKey{MEMBER(preempt, on_processor), 0, 0, kMaxProcessors - 1},
         "Processor at which that interrupt arrives."},
        {"preempt.from", "",
         choice<CountFrom>(MEMBER(preempt, from), CountFrom::start, {"start", "region"}),
         "Where preempt.instructions begins to count: at the start of the run, or at that "
         "processor's first region_begin probe point with the number preempt.region."},
        {"preempt.region", "", IntegerKey{MEMBER(preempt, region), 0, 0, 4294967295u},
         "Number of the region at whose beginning the count starts; only with preempt.from = "
         "region."},
        {"schedule.holds", "", TextKey{MEMBER(schedule, holds), ""},
         "What holds processors up, and where: entries PROCESSOR (access|instruction) N (hold "
         "NS|stores NS|interrupt), separated by commas; empty: nothing."},
        {"schedule.from", "",
         choice<CountFrom>(MEMBER(schedule, from), CountFrom::start, {"start", "region"}),
         "Where the entries of schedule.holds begin to count: at the start of the run, or at each "
         "processor's first region_begin probe point with the number schedule.region."},
        {"schedule.region", "", IntegerKey{MEMBER(schedule, region), 0, 0, 4294967295u},
         "Number of the region at whose beginning the count starts; only with schedule.from = "
         "region."},
        {"guest.image", "", TextKey{MEMBER(guest, image), ""},
         "The guest program: an i386 ELF file, or the name of a built guest; {name} stands for "
         "guest.args.name."},
        {"guest.rom", "", TextKey{MEMBER(guest, rom), ""},
         "Instead of guest.image: a ROM, which starts in real mode at its last 16 bytes, or a boot "
         "sector."},
        {"guest.rom_address", "", IntegerKey{MEMBER(guest, rom_address), 0xF0000, 0, 0x3FFF'FFF0},
         "Address of guest.rom in memory, a multiple of 16. The ROM also appears right below 4 "
         "GB."},
        {"guest.code_anywhere", "", FlagKey{MEMBER(guest, code_anywhere), false},
         "Whether the guest may execute memory outside the code of its image; a ROM always may. "
         "false: this is a failure of the guest."},
        {"guest.post_port", "", IntegerKey{MEMBER(guest, post_port), 0x80, 0, 0xFFFF},
         "I/O port of progress (POST) codes: the summary has each byte written there, with its "
         "time."},
        {"guest.output_port", "", IntegerKey{MEMBER(guest, output_port), 0xE9, 0, 0xFFFF},
         "I/O port of text output: each byte written there goes to the console."},
        {"guest.stdin", "", TextKey{MEMBER(guest, stdin_file), ""},
         "File that the guest reads as its standard input; empty: no input."},
        {"run.engine", "",
         choice<EngineKind>(MEMBER(run, engine), EngineKind::fast, {"fast", "reference"}),
         "The engine that simulates time. Both write the same results; fast needs less host time."},
        {"run.limit_ms", "ms", RealKey{MEMBER(run, limit_ms), 0.0, 0.0, 9e6},
         "Simulated time at which symsim ends the run; 0: no limit."},
        {"run.seed", "", IntegerKey{MEMBER(run, seed), 1, 0, 4294967295u},
         "Seed of the guest's random numbers."},
        {"observe.interval_us", "us", RealKey{MEMBER(observe, interval_us), 100.0, 0.1, 1e9},
         "Length of the intervals of bus.csv."},
        {"observe.vcd", "", FlagKey{MEMBER(observe, vcd), false},
         "Whether to write every bus transaction to trace.vcd."},
        {"observe.profile_us", "us", RealKey{MEMBER(observe, profile_us), 0.0, 0.0, 1e9},
         "Time between two samples of every processor in profile.folded; 0: no samples."},
        {"observe.transactions", "", FlagKey{MEMBER(observe, transactions), false},
         "Whether to write every use of the bus, mark and state to bus.log.zst."},
        {"observe.transactions_limit_mb", "MB",
         IntegerKey{MEMBER(observe, transactions_limit_mb), 4096, 1, 1048576},
         "Size of the records, before compression, at which bus.log.zst stops."},
        {"observe.perfetto", "", FlagKey{MEMBER(observe, perfetto), false},
         "Whether to write processors, threads, locks, bus and interrupts to trace.pftrace."},
        {"observe.perfetto_limit_mb", "MB",
         IntegerKey{MEMBER(observe, perfetto_limit_mb), 300, 4, 1048576},
         "Size at which trace.pftrace ends, in 2^20 bytes."},
        {"observe.window.from_us", "us", RealKey{MEMBER(observe, window.from_us), 0.0, 0.0, 9e9},
         "Simulated time at which traces begin."},
        {"observe.window.to_us", "us", RealKey{MEMBER(observe, window.to_us), 0.0, 0.0, 9e9},
         "Simulated time at which traces end; 0: the end of the run."},
        {"observe.window.around", "", probe_choice(),
         "Instead of fixed times: traces show the run around the first probe point of this kind."},
        {"observe.window.around_value", "", TextKey{MEMBER(observe, window.around_value), ""},
         "Operand of that probe point: a symbol of the guest or a number; empty: any."},
        {"observe.window.around_us", "us",
         RealKey{MEMBER(observe, window.around_us), 1000.0, 0.001, 1e9},
         "Time that traces show before and after that probe point."},
        {"observe.window.last_ms", "ms", RealKey{MEMBER(observe, window.last_ms), 0.0, 0.0, 9e6},
         "Instead of fixed times: traces show this long before the end of the run, for example "
         "before a failure; 0: off."},
        {"figure.name", "", TextKey{MEMBER(figure, name), ""},
         "Figure of symlab that draws the sweep of this file; empty: a plain plot."},
        {"figure.title", "", TextKey{MEMBER(figure, title), ""},
         "Title of the plain plot; empty: the name of the sweep."},
        {"figure.y", "", TextKey{MEMBER(figure, y), ""},
         "Column of the sweep's table that the plain plot draws; empty: elapsed_us."},
        {"figure.log", "",
         choice<LogAxes>(MEMBER(figure, log), LogAxes::none, {"none", "x", "y", "both"}),
         "Which axes of the plain plot are logarithmic."},
        {"figure.own", "", TextKey{MEMBER(figure, own), ""},
         "Curves that the plain plot draws thicker than the others: their names, separated by "
         "commas."},
    };
}

}  // namespace symsim
