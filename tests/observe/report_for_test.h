// SPDX-License-Identifier: MIT
// A small run for the tests of the output formats, recorded through the Observer interface. The
// numbers that these tests expect were calculated by hand from this list of events.
//
// The run has two processors, lasts 25 us, and has intervals of 10 us. Processor 0 acquires the
// lock, and its read crosses the border at 10 us. Processor 1 spins for the lock from 3 us to the
// end of the run.
#pragma once

#include <optional>

#include "sim/base/activity.h"
#include "sim/base/probe_point.h"
#include "sim/base/transaction_kind.h"
#include "sim/observe/recorder.h"
#include "tests/observe/support.h"

namespace symsim::testing {

constexpr Address kLockForTest = 0x1040;

inline void play(Recorder& recorder) {
    // The events of processor 1 are reported first, although they are later.
    recorder.passed(1, {probe(3 * kUs, ProbeKind::lock_attempt, kLockForTest),
                        change(3 * kUs, Activity::spin)});
    recorder.waiting(1, 4 * kUs);
    recorder.used(use(4 * kUs, 5 * kUs, 500'000, 1, TransactionKind::locked_read, Activity::spin));
    recorder.served(1, 5 * kUs);
    recorder.resumed(1, 6 * kUs);

    recorder.passed(
        0, {change(1 * kUs, Activity::user), probe(1 * kUs, ProbeKind::lock_attempt, kLockForTest),
            probe(2 * kUs, ProbeKind::lock_acquired, kLockForTest),
            change(2 * kUs, Activity::critical)});
    recorder.waiting(0, 7 * kUs);
    recorder.used(use(7 * kUs, 9 * kUs, 2 * kUs, 0, TransactionKind::read, Activity::critical));
    recorder.served(0, 9 * kUs);
    recorder.used(reply(12 * kUs, 13 * kUs, 1 * kUs, 0));
    recorder.resumed(0, 14 * kUs);
    recorder.passed(0, {probe(16 * kUs, ProbeKind::lock_release, kLockForTest),
                        change(16 * kUs, Activity::user)});
    recorder.halted(0, 20 * kUs);
}

inline RunReport report_for_test() {
    RecorderConfig config{{1}, 100 * kMicrosecond};
    config.run.processors = 2;
    config.interval = 10 * kUs;
    Recorder recorder(config);
    play(recorder);
    recorder.finish(25 * kUs);
    RunReport report;
    recorder.fill(report, [](Address) { return "counter_lock"; });
    report.instructions = {100, 23};
    report.guest.image = "counter-xchgb.elf";
    report.guest.sha256 = "00ff";
    report.guest.compiler = "gcc 12.2.0";
    report.guest.flags = "-m32 -O2";
    report.guest.exit_status = 0;
    report.guest.results = {{"elapsed_us", "24"}, {"rate", "1.5"}, {"order", "b a"}};
    report.config = {{"machine.name", "Symmetry A"},
                     {"machine.processors", "2"},
                     {"processor.clock_mhz", "16.0"},
                     {"observe.vcd", "false"},
                     {"guest.args.lock", "\"8\""}};
    report.host.cpu_s = 0.5;
    report.host.wall_s = 0.75;
    return report;
}

}  // namespace symsim::testing
