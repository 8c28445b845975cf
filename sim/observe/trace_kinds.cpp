// SPDX-License-Identifier: MIT
#include "sim/observe/trace_kinds.h"

#include "sim/observe/perfetto_writer.h"
#include "sim/observe/transaction_log.h"
#include "sim/observe/vcd_writer.h"

namespace symsim {
namespace {

template <class Sink>
TraceKind kind(const std::string& key, const std::string& option, RunFile file) {
    file.when = option + " = true";
    return {key, option, std::move(file),
            [](const TraceConfig& config) { return std::make_unique<Sink>(config); }};
}

}  // namespace

const std::vector<TraceKind>& trace_kinds() {
    static const std::vector<TraceKind> kinds = {
        kind<VcdWriter>("trace", "observe.vcd",
                        {"trace.vcd", "every use of the bus", "", "yes", nullptr, vcd_signals()}),
        kind<TransactionLog>(
            "transactions", "observe.transactions",
            {"bus.log.zst", "every use of the bus, mark and state", "", "yes, decompressed"}),
        kind<PerfettoWriter>(
            "perfetto", "observe.perfetto",
            {"trace.pftrace",
             "processors, threads, address spaces, locks, bus and interrupts for ui.perfetto.dev",
             "", "yes"}),
    };
    return kinds;
}

}  // namespace symsim
