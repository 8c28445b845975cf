// SPDX-License-Identifier: MIT
#include "sim/machine/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include "sim/base/failure.h"
#include "sim/bus/bus.h"
#include "sim/bus/crossbar.h"
#include "sim/config/schedule_text.h"
#include "sim/image/image.h"
#include "sim/image/linux_program.h"
#include "sim/nodes/nodes.h"
#include "sim/protocol/protocol.h"

namespace symsim {

namespace {

// A probe's operand: the address of the symbol named `text`, or `text` as a number.
std::uint32_t operand(const std::string& text, const Symbols& symbols) {
    if (const Symbol* symbol = symbols.find(text)) return symbol->address;
    const bool hex = text.compare(0, 2, "0x") == 0;
    std::uint32_t number = 0;
    const char* const begin = text.data() + (hex ? 2 : 0);
    const char* const end = text.data() + text.size();
    const auto [after, error] = std::from_chars(begin, end, number, hex ? 16 : 10);
    if (begin == end || after != end || error != std::errc())
        throw UserError(fmt::format(
            "observe.window.around_value: the guest has {} {}; give a symbol of its own, or a "
            "number from 0 to 4294967295, as 3 or 0x103840",
            symbols.ambiguous(text) ? "several things called" : "nothing called", text));
    return number;
}

}  // namespace

InterconnectConfig interconnect_config(const Config& config) {
    return {config.bus, config.memory, config.cache.geometry.line_bytes,
            config.cache.protocol->lines_have_owners(),
            /*filter_snoops=*/config.run.engine == EngineKind::fast};
}

NodeMachineConfig nodes_config(const Config& config) {
    NodeMachineConfig nodes{interconnect_config(config), config.nodes};
    nodes.filter_snoops = false;  // the nodes know by themselves which cache has a line
    return nodes;
}

std::unique_ptr<Interconnect> make_interconnect(const Config& config, Memory& memory,
                                                CodePageWatch& code, DeviceSpace& devices,
                                                Observer& observer) {
    switch (config.machine.interconnect) {
        case InterconnectKind::crossbar:
            return std::make_unique<Crossbar>(interconnect_config(config), memory, code, devices,
                                              observer);
        case InterconnectKind::nodes:
            return std::make_unique<Nodes>(nodes_config(config), memory, code, devices, observer);
        case InterconnectKind::bus:
            break;
    }
    return std::make_unique<Bus>(interconnect_config(config), memory, code, devices, observer);
}

unsigned interconnect_resources(const Config& config) {
    if (config.machine.interconnect == InterconnectKind::crossbar) return config.machine.processors;
    return std::max<std::size_t>(interconnect_table(config).size(), 1);
}

ResourceTable interconnect_table(const Config& config) {
    if (config.machine.interconnect != InterconnectKind::nodes) return {};
    return Resources::table(nodes_config(config));
}

// Bus and crossbar are one node.
Topology topology(const Config& config) {
    if (config.machine.interconnect == InterconnectKind::nodes)
        return {config.nodes.count, config.nodes.node_processors};
    return {1, config.machine.processors};
}

ControllerConfig controller_config(const Config& config) {
    // On nodes, an upgrade takes effect when its answer is at the processor.
    const bool on_nodes = config.machine.interconnect == InterconnectKind::nodes;
    return {config.cache,
            config.bus,
            config.processor.period(),
            config.machine.processors,
            topology(config),
            on_nodes ? 0 : config.bus.request_cycles + config.bus.synchronise_cycles,
            config.sub_page.present,
            /*rom=*/{}};
}

std::vector<Schedule> schedules(const Config& config, bool keeps_counting) {
    const unsigned processors = config.machine.processors;
    auto entries = by_processor(parse_schedule(config.schedule.holds, processors), processors);
    const bool preempts = config.preempt.instructions > 0;
    if (preempts)
        entries[config.preempt.on_processor].push_back({ScheduleEntry::At::instruction,
                                                        ScheduleEntry::What::interrupt,
                                                        config.preempt.instructions, 0});
    const CountFrom from = preempts ? config.preempt.from : config.schedule.from;
    std::optional<std::uint32_t> region;
    if (from == CountFrom::region)
        region = preempts ? config.preempt.region : config.schedule.region;
    std::vector<Schedule> all;
    for (std::vector<ScheduleEntry>& of_processor : entries) {
        if (of_processor.empty() && !keeps_counting)
            all.emplace_back();
        else
            all.emplace_back(std::move(of_processor), region, keeps_counting);
    }
    return all;
}

WindowConfig window_config(const Config& config, const Symbols& symbols) {
    const auto& asked = config.observe.window;
    const auto time = [](double us) { return nearest_tick(us * kMicrosecond); };
    WindowConfig window;
    window.fixed.from = time(asked.from_us);
    if (asked.to_us > 0) window.fixed.to = time(asked.to_us);
    window.last = time(asked.last_ms * 1'000);
    if (!asked.around) return window;
    window.around.emplace();
    window.around->kind = *asked.around;
    window.around->span = time(asked.around_us);
    if (!asked.around_value.empty()) window.around->value = operand(asked.around_value, symbols);
    return window;
}

Image load_guest(const Config& config) {
    const std::uint64_t memory_bytes = std::uint64_t{config.memory.size_mb} << 20;
    if (!config.guest.rom.empty())
        return load_rom(config.guest.rom, config.guest.rom_address, memory_bytes);
    if (config.guest.image.empty())
        throw UserError(
            "guest.image: no guest is named; give the path of an ELF file, or the name "
            "of a built guest such as counter-read; or name a ROM in guest.rom");
    const std::string name = expand_image_name(config.guest.image, guest_arguments(config));
    // Built guests are in a folder beside the program: build/release/guest/ for
    // build/release/symsim.
    std::error_code unknown;  // set if /proc is not mounted
    const auto build = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
    const std::filesystem::path path = find_image(name, build);
    std::vector<std::uint8_t> file = read_image(path);
    if (!is_linux_program(file)) {
        if (!config.guest.files.empty())
            throw UserError("guest.files: only a Linux program has files; take the key out");
        return parse_image(std::move(file), path, memory_bytes);
    }
    Image kernel = load_image(find_image("linux", build, build / "guest"), memory_bytes);
    return with_program(
        std::move(kernel),
        {path, std::move(file), split_words(config.guest.argv, "guest.argv"),
         split_words(config.guest.env, "guest.env"), read_given_files(config.guest.files)},
        memory_bytes);
}

bool reports_calls(const Config& config, const Image& image) {
    return image.linux_program != 0 && config.observe.profile_period() > 0;
}

}  // namespace symsim
