// SPDX-License-Identifier: MIT
// Checks that go beyond the range of a single key, mostly for keys that do not fit together.
#include <fmt/format.h>

#include <cmath>

#include "sim/base/failure.h"
#include "sim/base/observer.h"
#include "sim/config/given.h"
#include "sim/config/schedule_text.h"

namespace symsim {

namespace {

// Where to report a conflict between two keys: where `b` is given, else where `a` is. `a` often
// comes from a base file.
std::string where_either(const Values& values, const std::string& a, const std::string& b) {
    return where(values, values.by_name.count(b) != 0 ? b : a);
}

void check_guest(const Values& values, const Config& config) {
    const auto& guest = config.guest;
    if (!guest.image.empty() && !guest.rom.empty())
        throw UserError(fmt::format(
            "{}: guest.rom: the machine starts one guest, and guest.image is set too ({}); take "
            "one out, or set guest.image = \"\"",
            where(values, "guest.rom"), where(values, "guest.image")));
    if (guest.rom_address % 16 != 0)
        throw UserError(fmt::format(
            "{}: guest.rom_address: {:#x} is not a multiple of 16, at which segments of real mode "
            "begin; take {:#x}",
            where(values, "guest.rom_address"), guest.rom_address, guest.rom_address & ~15u));
    if (guest.post_port == guest.output_port)
        throw UserError(fmt::format(
            "{}: guest.output_port: port {:#x} is guest.post_port already ({}); give each a port "
            "of its own",
            where_either(values, "guest.post_port", "guest.output_port"), guest.output_port,
            where(values, "guest.post_port")));
}

void check_window(const Values& values, const Config& config) {
    const auto& window = config.observe.window;
    if (window.to_us > 0 && window.to_us <= window.from_us)
        throw UserError(fmt::format(
            "{}: observe.window.to_us: a window that begins at {} us cannot end at {} us ({}); "
            "make it end later, or 0 for the end of the run",
            where_either(values, "observe.window.from_us", "observe.window.to_us"), window.from_us,
            window.to_us, where(values, "observe.window.from_us")));
    const bool around = window.around.has_value();
    if (!around && !window.around_value.empty())
        throw UserError(fmt::format(
            "{}: observe.window.around_value: no probe point is looked for; set "
            "observe.window.around to its kind, such as lock_acquired, or take the value out",
            where(values, "observe.window.around_value")));
    std::vector<std::string> set;
    if (window.from_us > 0) set.emplace_back("observe.window.from_us");
    if (window.to_us > 0) set.emplace_back("observe.window.to_us");
    const bool fixed = !set.empty();
    if (around) set.emplace_back("observe.window.around");
    if (window.last_ms > 0) set.emplace_back("observe.window.last_ms");
    if (set.size() > 1 && !(fixed && !around && window.last_ms == 0))
        throw UserError(fmt::format(
            "{}: {}: there is one window, and {} asks for another ({}); take one of them out",
            where(values, set.back()), set.back(), set.front(), where(values, set.front())));
}

void check_preempt(const Values& values, const Config& config) {
    const auto& preempt = config.preempt;
    if (preempt.instructions > 0 && preempt.on_processor >= config.machine.processors)
        throw UserError(fmt::format(
            "{}: preempt.on_processor: there is no processor {}: the machine has {} "
            "(machine.processors), numbered from 0; take one of 0 to {}",
            where_either(values, "machine.processors", "preempt.on_processor"),
            preempt.on_processor, config.machine.processors, config.machine.processors - 1));
}

void check_schedule(const Values& values, const Config& config) {
    const std::string name = "schedule.holds";
    if (config.schedule.holds.empty()) return;
    if (config.preempt.instructions > 0)
        throw UserError(fmt::format(
            "{}: {}: preempt.instructions ({}) asks for an interrupt too; write it as an entry, "
            "\"{} instruction {} interrupt\", and take the other out",
            where(values, name), name, where(values, "preempt.instructions"),
            config.preempt.on_processor, config.preempt.instructions));
    try {
        parse_schedule(config.schedule.holds, config.machine.processors);
    } catch (const UserError& error) {
        throw UserError(fmt::format("{}: {}: {}", where(values, name), name, error.what()));
    }
}

// What a machine of nodes must have.
void check_nodes(const Values& values, const Config& config) {
    if (config.machine.interconnect != InterconnectKind::nodes) return;
    const auto& nodes = config.nodes;
    if (!config.cache.protocol->lines_have_owners() || config.cache.protocol->has(LineState::owned))
        throw UserError(fmt::format(
            "{}: cache.protocol: between nodes a line that is stored to has one owner, and memory "
            "has what several caches share; take \"write-back\" or \"illinois\"",
            where_either(values, "machine.interconnect", "cache.protocol")));
    if (config.machine.processors > nodes.count * nodes.node_processors)
        throw UserError(fmt::format(
            "{}: machine.processors: {} nodes of {} processors "
            "(nodes.count, nodes.node_processors) "
            "have room for {}, not for {}",
            where_either(values, "nodes.count", "machine.processors"), nodes.count,
            nodes.node_processors, nodes.count * nodes.node_processors, config.machine.processors));
    if (nodes.block_bytes < config.cache.geometry.line_bytes ||
        nodes.block_bytes > 4 * config.cache.geometry.line_bytes)
        throw UserError(fmt::format(
            "{}: nodes.block_bytes: a block of {} bytes does not consist of 1, 2 or 4 lines of {} "
            "bytes (cache.line_bytes); take {}, {} or {}",
            where_either(values, "cache.line_bytes", "nodes.block_bytes"), nodes.block_bytes,
            config.cache.geometry.line_bytes, config.cache.geometry.line_bytes,
            2 * config.cache.geometry.line_bytes, 4 * config.cache.geometry.line_bytes));
    if (nodes.network_cache_bytes < nodes.network_cache_ways * nodes.block_bytes)
        throw UserError(fmt::format(
            "{}: nodes.network_cache_ways: {} KB are less than one set of {} blocks of {} bytes; "
            "make nodes.network_cache_kb larger",
            where_either(values, "nodes.network_cache_kb", "nodes.network_cache_ways"),
            nodes.network_cache_bytes >> 10, nodes.network_cache_ways, nodes.block_bytes));
    const unsigned ways = nodes.inside == NodeInside::bus ? 1 : nodes.node_processors;
    const unsigned links = nodes.count > 1 ? nodes.rings : 0;
    const unsigned resources = nodes.count * (ways + config.memory.controllers + links);
    if (resources > kMaxResources)
        throw UserError(fmt::format(
            "{}: nodes.count: {} nodes with {} paths, {} memory controllers and {} rings are {} "
            "resources, and symsim measures {} at most; take fewer rings or controllers, or "
            "nodes.inside = \"bus\"",
            where(values, "nodes.count"), nodes.count, ways, config.memory.controllers, links,
            resources, kMaxResources));
}

}  // namespace

void check_together(const Values& values, const Config& config) {
    for (const std::string name : {"processor.clock_mhz", "bus.clock_mhz"}) {
        const double mhz =
            name == "bus.clock_mhz" ? config.bus.clock_mhz : config.processor.clock_mhz;
        const double period = 1e6 / mhz;
        // The tolerance covers rounding to the twelve digits that the message prints, so that the
        // frequency it advises is accepted.
        if (std::abs(period - std::round(period)) > 1e-11 * period)
            throw UserError(fmt::format(
                "{}: {}: a clock of {} MHz has a period of {:.3f} ps, and time is counted in whole "
                "ones; take {:.12g} MHz",
                where(values, name), name, mhz, period, 1e6 / std::round(period)));
    }
    if (config.cache.geometry.size_bytes <
        config.cache.geometry.ways * config.cache.geometry.line_bytes)
        throw UserError(fmt::format(
            "{}: cache.size_bytes: {} bytes are less than one set of {} ways with lines of {} "
            "bytes; make it at least {}",
            where(values, "cache.size_bytes"), config.cache.geometry.size_bytes,
            config.cache.geometry.ways, config.cache.geometry.line_bytes,
            config.cache.geometry.ways * config.cache.geometry.line_bytes));
    check_nodes(values, config);
    check_guest(values, config);
    check_window(values, config);
    check_preempt(values, config);
    check_schedule(values, config);
}

}  // namespace symsim
