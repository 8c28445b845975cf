// SPDX-License-Identifier: MIT
// A run's configuration: TOML text to plain structs. Every key is declared once, in *_keys.cpp,
// with its type, unit, range, default and meaning.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/options.h"
#include "sim/base/time.h"
#include "sim/events/observer.h"
#include "sim/protocol/protocol.h"

namespace symsim {

// Axes of a figure.
enum class LogAxes : std::uint8_t { none, x, y, both };

struct Config {
    std::vector<std::filesystem::path> files;  // that it was read from: the config and its bases

    struct {
        std::string name;
        std::uint32_t processors;
        InterconnectKind interconnect;
    } machine;
    struct {
        double clock_mhz;
        Isa isa;
    } processor;
    struct {
        const Protocol* protocol;  // one of kProtocols
        std::uint32_t size_bytes;
        std::uint32_t ways;
        std::uint32_t line_bytes;
        std::uint32_t hit_wait_clocks;
        std::uint32_t write_buffer_depth;
        StorePolicy store_policy;
        UpdateExchange update_exchange;
    } cache;
    struct {
        double clock_mhz;
        std::uint32_t width_bytes;
        Arbitration arbitration;
        std::uint32_t arbitration_cycles;
        std::uint32_t request_cycles;
        std::uint32_t store_cycles;
        std::uint32_t unlock_cycles;
        std::uint32_t synchronise_cycles;
        std::uint32_t store_completion_cycles;
        LockedRequest locked_request;
        LockedClass locked_class;
        UnlockPolicy unlock;
        std::uint32_t line_unavailable_cycles;
        std::uint32_t owner_supply_cycles;
    } bus;
    struct {
        std::uint32_t size_mb;
        std::uint32_t latency_cycles;
        std::uint32_t controllers;
        std::uint32_t interleave_bytes;
        std::uint32_t read_busy_cycles;
        std::uint32_t store_busy_cycles;
        std::uint32_t read_pipe;
    } memory;
    struct {
        std::uint32_t count;
        std::uint32_t node_processors;
        NodeInside inside;
        Placement placement;
        std::uint32_t page_bytes;
        std::uint32_t block_bytes;
        std::uint32_t network_cache_kb;
        std::uint32_t network_cache_ways;
        std::uint32_t lookup_cycles;
        std::uint32_t home_buffer;
        std::uint32_t rings;
        std::uint32_t ring_bytes_per_cycle;
        std::uint32_t ring_header_bytes;
        std::uint32_t ring_hop_cycles;
        std::uint32_t ring_interface_cycles;
    } nodes;
    struct {
        std::uint32_t message_ns;
        std::uint32_t mask_ns;
    } slic;
    struct {
        bool present;
        std::uint32_t locks;
        std::uint32_t latency_ns;
        std::uint32_t occupancy_ns;
    } sync_bus;
    struct {
        bool present;
        std::uint32_t read_ns;
    } monitor;
    struct {
        bool present;
    } sub_page;
    struct {
        std::uint32_t instructions;  // 0: no preemption
        std::uint32_t on_processor;
        CountFrom from;
        std::uint32_t region;
    } preempt;
    struct {
        std::string holds;  // entries, to be parsed by parse_schedule()
        CountFrom from;
        std::uint32_t region;
    } schedule;
    struct {
        std::string image;
        std::string rom;
        std::uint32_t rom_address;
        bool code_anywhere;
        std::uint32_t post_port;
        std::uint32_t output_port;
        std::string stdin_file;  // guest.stdin
    } guest;
    struct {
        EngineKind engine;
        double limit_ms;
        std::uint32_t seed;
    } run;
    struct {
        double interval_us;
        bool vcd;
        double profile_us;
        bool transactions;
        std::uint32_t transactions_limit_mb;
        bool perfetto;
        std::uint32_t perfetto_limit_mb;
        struct {
            double from_us;
            double to_us;  // 0: the end of the run
            std::optional<ProbeKind> around;
            std::string around_value;  // empty: any
            double around_us;
            double last_ms;  // 0: not asked for
        } window;
    } observe;
    struct {
        std::string name;
        std::string title;
        std::string y;
        LogAxes log;
        std::string own;  // names with commas
    } figure;

    // A value as TOML text, and as the bare text that the guest is given.
    struct Value {
        std::string toml;
        std::string text;
    };
    std::vector<std::pair<std::string, Value>> guest_args;  // sorted by name
    // Keys to sweep, each with its values as a TOML array, and "repeats" with its number; in the
    // order of the file.
    std::vector<std::pair<std::string, std::string>> sweep;

    // Derived; checked when the config is loaded.
    Time processor_period() const;
    Time bus_period() const;
    Time run_limit() const;  // 0: none
    Time observe_interval() const;
    Time profile_period() const;  // 0: none
    std::uint64_t transactions_limit_bytes() const;
};

// Throws UserError naming file, line, column and key, or "--set", for whatever is wrong.
Config load_config(const std::filesystem::path& file, const std::vector<std::string>& overrides);

// The whole config as TOML, every key, which loads to the same config.
std::string print_config(const Config& config);

// The same without run.engine and run.translate, which change no result, and without the keys that
// are only in the results of a run that sets them (guest.stdin, guest.code_anywhere). So the files
// of a run show it.
std::string print_results_config(const Config& config);
std::vector<std::pair<std::string, std::string>> flat_results_config(const Config& config);

// One line per key for people.
std::string list_keys();

}  // namespace symsim
