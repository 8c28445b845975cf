// SPDX-License-Identifier: MIT
#include "sim/run/trace_files.h"

#include "sim/image/probe_records.h"
#include "sim/machine/build.h"
#include "sim/observe/perfetto_writer.h"
#include "sim/observe/transaction_log.h"
#include "sim/observe/vcd_writer.h"

namespace symsim {

namespace {

PerfettoConfig perfetto_config(const Config& config, const Image& image,
                               const std::filesystem::path& path) {
    PerfettoConfig perfetto;
    perfetto.path = path;
    perfetto.max_bytes = std::size_t{config.observe.perfetto_limit_mb} << 20;
    perfetto.processors = config.machine.processors;
    perfetto.name_of = [&](Address a) { return image.symbols.describe(a); };
    perfetto.symbols = image.symbols.ranges();
    perfetto.processes = has_processes(image);
    perfetto.spaces = space_names(image);
    perfetto.resources = interconnect_resources(config);
    perfetto.table = interconnect_table(config);
    return perfetto;
}

}  // namespace

TraceSinks make_trace_sinks(const Config& config, const Image& image,
                            const std::filesystem::path& folder) {
    TraceSinks sinks;
    const unsigned resources = interconnect_resources(config);
    if (config.observe.vcd)
        sinks.push_back(std::make_unique<VcdWriter>(folder / "trace.vcd", resources, kMaxVcdBytes,
                                                    interconnect_table(config)));
    if (config.observe.perfetto)
        sinks.push_back(std::make_unique<PerfettoWriter>(
            perfetto_config(config, image, folder / "trace.pftrace")));
    if (config.observe.transactions)
        sinks.push_back(std::make_unique<TransactionLog>(
            TransactionLogConfig{folder / "bus.log.zst", config.machine.processors,
                                 std::uint64_t{config.observe.transactions_limit_mb} << 20,
                                 image.symbols.ranges(), resources}));
    return sinks;
}

}  // namespace symsim
