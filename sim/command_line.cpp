// SPDX-License-Identifier: MIT
#include "sim/command_line.h"

#include <fmt/format.h>

#include <array>
#include <boost/program_options.hpp>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/base/failure.h"
#include "sim/config/config.h"

namespace symsim {

namespace po = boost::program_options;

namespace {

constexpr const char* kUsage =
    "usage: symsim CONFIG [--set KEY=VALUE]... [--out FOLDER] [options]\n"
    "\n"
    "Builds the multiprocessor that the TOML file CONFIG describes, runs its guest program to the\n"
    "end, and leaves what it measured in a folder.\n";

constexpr const char* kExitCodes =
    "\nexit codes: 0 the guest ended with status 0   1 with another   2 mistake in config, image\n"
    "or arguments   3 the guest crashed   4 deadlock   5 time limit reached   6 an output could\n"
    "not be written   130 interrupted   134 error in symsim itself\n";

Time parse_time(const std::string& text) {
    constexpr std::array<std::pair<std::string_view, Time>, 4> kUnits = {
        {{"ns", 1'000}, {"us", kMicrosecond}, {"ms", kMillisecond}, {"s", 1'000 * kMillisecond}}};
    constexpr double kMostTime = 1e18;
    std::size_t digits = 0;
    double number = -1;
    try {
        number = std::stod(text, &digits);
    } catch (const std::logic_error&) {
        // What is no number stays negative.
    }
    for (const auto& [unit, length] : kUnits)
        if (const double ps = number * static_cast<double>(length);
            ps >= 1 && ps < kMostTime && text.substr(digits) == unit)
            return std::llround(ps);
    throw UserError(fmt::format(
        "command line: --checkpoint-at {}: a time is a positive number and its unit, ns, us, ms "
        "or s: 350us; at most a million seconds",
        text));
}

}  // namespace

std::optional<CommandLine> parse_command_line(int argc, char** argv) {
    CommandLine line;
    std::string config;
    std::string out, restore;
    std::vector<std::string> checkpoints;
    int port = 0;
    po::options_description shown("options");
    shown.add_options()("set", po::value(&line.overrides)->composing()->value_name("KEY=VALUE"),
                        "override a key of the config; may be given again")(
        "out", po::value(&out)->value_name("FOLDER"),
        "folder of the results (default: results/ and the config's name)")(
        "quiet,q", "print nothing but errors")("json", "print summary.json instead of a summary")(
        "check", "validate config and image, and do not run")(
        "gdb", po::value(&port)->value_name("PORT"),
        "wait for GDB at this port of 127.0.0.1 (0: any that is free), and let it debug the guest")(
        "checkpoint-at", po::value(&checkpoints)->composing()->value_name("TIME"),
        "save the state at this simulated time (350us, 12.5ms, 1s); may be given again")(
        "restore", po::value(&restore)->value_name("FILE"), "go on from a checkpoint")(
        "print-config", "print the resolved config, which reproduces the run")(
        "list-keys", "print every key with type, unit, range, default and meaning")(
        "version", "print the version")("help,h", "print this text");
    po::options_description all;
    all.add(shown).add_options()("config", po::value(&config));
    po::positional_options_description positional;
    positional.add("config", 1);

    po::variables_map given;
    try {
        po::store(po::command_line_parser(argc, argv).options(all).positional(positional).run(),
                  given);
        po::notify(given);
    } catch (const po::error& error) {
        throw UserError(fmt::format("command line: {}; see symsim --help", error.what()));
    }
    if (given.count("help")) {
        std::ostringstream text;
        text << shown;
        fmt::print("{}\n{}{}", kUsage, text.str(), kExitCodes);
        return std::nullopt;
    }
    if (given.count("version")) {
        fmt::print("symsim {}\n", SYMSIM_VERSION);
        return std::nullopt;
    }
    if (given.count("list-keys")) {
        fmt::print("{}", list_keys());
        return std::nullopt;
    }
    if (config.empty())
        throw UserError(
            "command line: no config file given; try configs/quickstart.toml, or "
            "symsim --help");
    line.config = config;
    if (!out.empty()) line.out = out;
    if (given.count("gdb")) {
        if (port < 0 || port > 0xffff)
            throw UserError(
                fmt::format("command line: --gdb {}: a port is a number from 0 to 65535", port));
        line.gdb = static_cast<std::uint16_t>(port);
    }
    for (const std::string& text : checkpoints) line.checkpoint_at.push_back(parse_time(text));
    if (!restore.empty()) line.restore = restore;
    line.quiet = given.count("quiet") > 0;
    line.json = given.count("json") > 0;
    line.check = given.count("check") > 0;
    line.print_config = given.count("print-config") > 0;
    return line;
}

}  // namespace symsim
