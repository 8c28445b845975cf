// SPDX-License-Identifier: MIT
#include "sim/run/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cmath>
#include <sstream>
#include <string_view>

#include "sim/base/exit_code.h"
#include "sim/base/failure.h"
#include "sim/base/standard_streams.h"
#include "sim/config/config.h"
#include "sim/config/toml_text.h"
#include "sim/image/linux_program.h"
#include "sim/run/describe.h"

namespace symsim {

namespace po = boost::program_options;

namespace {

constexpr unsigned kColumns = 80;  // the help fits a terminal of 80 columns and 24 lines

constexpr const char* kSynopsis =
    "symsim CONFIG|PROGRAM [--set KEY=VALUE]... [options] [-- ARGUMENTS]";
constexpr const char* kSummary =
    "Simulates the machine of the TOML file CONFIG, or the Linux program PROGRAM on\n"
    "the default machine; writes the results to a folder.";
constexpr const char* kExample = "symsim configs/quickstart.toml --set machine.processors=4";

// Joins words to lines of at most kColumns.
std::string wrapped(const std::vector<std::string>& words) {
    std::string text;
    std::size_t column = 0;
    for (const std::string& word : words) {
        const bool fits = column + 1 + word.size() <= kColumns;
        if (!text.empty()) text += fits ? ' ' : '\n';
        column = fits ? column + 1 + word.size() : word.size();
        text += word;
    }
    return text;
}

std::string exit_codes() {
    std::vector<std::string> words = {"exit codes:"};
    for (const ExitCode& exit : kExitCodes)
        words.push_back(fmt::format("{} {}{}", static_cast<int>(exit.code), exit.brief,
                                    &exit == &kExitCodes.back() ? "" : ","));
    return wrapped(words);
}

std::string help_text(const po::options_description& options) {
    std::ostringstream listed;
    listed << options;
    return fmt::format("usage: {}\n{}\n\n{}example: {}\n{}\n", kSynopsis, kSummary, listed.str(),
                       kExample, exit_codes());
}

Usage usage_of(const po::options_description& options) {
    Usage usage{kSynopsis, kSummary, kExample, {}};
    for (const auto& option : options.options()) {
        // format_name() gives "-q [ --quiet ]" for an option with a short name.
        const std::string shown = option->format_name();
        usage.options.push_back({"--" + option->long_name(),
                                 shown.substr(0, 2) == "--" ? "" : shown.substr(0, 2),
                                 option->format_parameter(), option->description()});
    }
    return usage;
}

Time parse_time(const std::string& text) {
    constexpr std::array<std::pair<std::string_view, Time>, 4> kUnits = {
        {{"ns", 1'000}, {"us", kMicrosecond}, {"ms", kMillisecond}, {"s", 1'000 * kMillisecond}}};
    constexpr double kMostTime = 1e18;
    std::size_t digits = 0;
    double number = -1;
    try {
        number = std::stod(text, &digits);
    } catch (const std::logic_error&) {
        // `text` begins with no number: `number` stays negative and is refused below.
    }
    for (const auto& [unit, length] : kUnits)
        if (const double ps = number * static_cast<double>(length);
            ps >= 1 && ps < kMostTime && text.substr(digits) == unit)
            return std::llround(ps);
    throw UserError(fmt::format(
        "command line: --gdb-at {}: a time is a positive number and its unit, ns, us, ms "
        "or s: 350us; at most a million seconds",
        text));
}

// Values of the options as the user wrote them.
struct Texts {
    std::string config;
    std::vector<std::string> overrides;
    std::string out, gdb_at;
    int port = 0;
};

po::options_description options(Texts& texts) {
    po::options_description shown(kColumns);
    shown.add_options()("set", po::value(&texts.overrides)->composing()->value_name("KEY=VALUE"),
                        "override a key of the config; may be repeated")(
        "out", po::value(&texts.out)->value_name("FOLDER"),
        "folder of the results (default: results/CONFIG's name)")(
        "quiet,q", "print nothing but errors")("json", "print summary.json instead of a summary")(
        "strict", "fail if the guest never asks for an argument (exit 2)")(
        "check", "validate config and image, and do not run")(
        "gdb", po::value(&texts.port)->value_name("PORT"),
        "wait for GDB at this port of 127.0.0.1 (0: any free)")(
        "gdb-at", po::value(&texts.gdb_at)->value_name("TIME"),
        "with --gdb: stop for GDB at TIME (350us, 12ms)")(
        "schedules", "run the schedules of standard input, print JSON")(
        "serve", "run the command lines of standard input, print JSON")(
        "print-config", "print the resolved config, which reproduces the run")(
        "list-keys", "print every key: unit, range, default, meaning")(
        "describe", "print keys, files, columns, probes, ... as JSON")(
        "version", "print the version")("help,h", "print this text");
    return shown;
}

po::variables_map parse(const std::vector<std::string>& arguments,
                        const po::options_description& shown, Texts& texts) {
    po::options_description all;
    all.add(shown).add_options()("config", po::value(&texts.config));
    po::positional_options_description positional;
    positional.add("config", 1);
    po::variables_map given;
    try {
        po::store(po::command_line_parser(arguments).options(all).positional(positional).run(),
                  given);
        po::notify(given);
    } catch (const po::error& error) {
        throw UserError(fmt::format("command line: {}; see symsim --help", error.what()));
    }
    return given;
}

// Whether the user asked for a text instead of a run. Prints the text.
bool print_instead(const po::variables_map& given, const po::options_description& shown) {
    for (const char* const alone : {"version", "list-keys", "describe"})
        if (given.count(alone) && given.size() > 1 && !given.count("help"))
            throw UserError(
                fmt::format("command line: --{} prints all, and takes nothing else", alone));
    if (given.count("help"))
        print_out(help_text(shown));
    else if (given.count("version"))
        print_out(fmt::format("symsim {}\n", SYMSIM_VERSION));
    else if (given.count("list-keys"))
        print_out(list_keys());
    else if (given.count("describe"))
        print_out(describe(usage_of(shown)));
    else
        return false;
    return true;
}

}  // namespace

std::optional<CommandLine> parse_command_line(const std::vector<std::string>& arguments) {
    Texts texts;
    const po::options_description shown = options(texts);
    const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
    const po::variables_map given = parse({arguments.begin(), dashes}, shown, texts);
    if (print_instead(given, shown)) return std::nullopt;
    CommandLine line;
    line.serve = given.count("serve") > 0;
    if (line.serve) {
        if (given.size() > 1)
            throw UserError(
                "command line: --serve takes nothing else; give config and options on standard "
                "input");
        return line;
    }
    if (texts.config.empty())
        throw UserError(
            "command line: no config file given; try configs/quickstart.toml, or "
            "symsim --help");
    line.config = texts.config;
    line.overrides = texts.overrides;
    if (dashes != arguments.end())
        line.overrides.push_back("guest.argv=" +
                                 toml_string(join_words({std::next(dashes), arguments.end()})));
    if (!texts.out.empty()) line.out = texts.out;
    if (given.count("gdb")) {
        if (texts.port < 0 || texts.port > 0xffff)
            throw UserError(fmt::format(
                "command line: --gdb {}: a port is a number from 0 to 65535", texts.port));
        line.gdb = static_cast<std::uint16_t>(texts.port);
    }
    if (given.count("gdb-at")) {
        line.gdb_at = parse_time(texts.gdb_at);
        if (!line.gdb) throw UserError("command line: --gdb-at needs --gdb PORT");
    }
    line.quiet = given.count("quiet") > 0;
    line.json = given.count("json") > 0;
    line.strict = given.count("strict") > 0;
    line.check = given.count("check") > 0;
    line.schedules = given.count("schedules") > 0;
    line.print_config = given.count("print-config") > 0;
    return line;
}

}  // namespace symsim
