// SPDX-License-Identifier: MIT
// From TOML files and --set to a checked Config. Values are gathered by their full names first
// ("machine.processors"), own ones over inherited ones, each with the place it stands at.
#include <fmt/format.h>

#include <toml++/toml.h>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "sim/base/failure.h"
#include "sim/config/config.h"
#include "sim/config/keys.h"
#include "sim/config/toml_text.h"

namespace symsim {

namespace {

namespace fs = std::filesystem;

struct Given {
    std::string where;  // "configs/a.toml:3:14", or "--set"
    fs::path folder;    // of the file
    std::shared_ptr<toml::node> value;
};

// In the order in which names first appear, since that of [sweep] is the order of its grid.
struct Values {
    std::map<std::string, Given> by_name;
    std::vector<std::string> order;

    void put(const std::string& name, Given given) {
        if (by_name.insert_or_assign(name, std::move(given)).second) order.push_back(name);
    }
};

[[noreturn]] void refuse(const Given& given, const std::string& name, const std::string& why) {
    throw UserError(fmt::format("{}: {}: {}", given.where, name, why));
}

std::string place(const fs::path& file, const toml::source_region& source) {
    return fmt::format("{}:{}:{}", file.string(), source.begin.line, source.begin.column);
}

std::string as_toml(const toml::node& node) {
    if (const auto text = node.value_exact<std::string>()) return toml_string(*text);
    if (const auto real = node.value_exact<double>()) return toml_real(*real);
    if (const auto* array = node.as_array()) {
        std::string all;
        for (const toml::node& element : *array)
            all += (all.empty() ? "" : ", ") + as_toml(element);
        return "[" + all + "]";
    }
    std::ostringstream text;
    node.visit([&](const auto& value) { text << value; });
    return text.str();
}

// Nested tables become names with dots; arrays are values.
void gather(const toml::table& table, const std::string& prefix, const fs::path& file,
            Values& values) {
    std::vector<std::pair<std::string, const toml::node*>> entries;
    for (const auto& [key, node] : table) entries.emplace_back(std::string(key.str()), &node);
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return a.second->source().begin < b.second->source().begin;
    });
    for (const auto& [key, node] : entries) {
        const std::string name = prefix.empty() ? key : prefix + "." + key;
        if (const toml::table* inner = node->as_table()) {
            gather(*inner, name, file, values);
            continue;
        }
        Given given{place(file, node->source()), file.parent_path(), nullptr};
        node->visit([&](const auto& value) {
            given.value = std::make_shared<std::decay_t<decltype(value)>>(value);
        });
        values.put(name, std::move(given));
    }
}

// The base's values first, then the file's own over them.
void read_file(const fs::path& file, const std::string& wanted_by, std::set<fs::path>& open,
               Values& values) {
    if (!fs::is_regular_file(file))
        throw UserError(
            fmt::format("{}config file {} does not exist; give the path of a TOML file, "
                        "such as configs/quickstart.toml",
                        wanted_by, file.string()));
    if (!open.insert(fs::weakly_canonical(file)).second)
        throw UserError(fmt::format("{}base {} inherits from itself", wanted_by, file.string()));
    toml::table table;
    try {
        table = toml::parse_file(file.string());
    } catch (const toml::parse_error& error) {
        throw UserError(
            fmt::format("{}: not TOML: {}", place(file, error.source()), error.description()));
    }
    if (const toml::node* base = table.get("base")) {
        const std::string where = place(file, base->source());
        const auto name = base->value_exact<std::string>();
        if (!name) throw UserError(fmt::format("{}: base: must be the path of a TOML file", where));
        read_file((file.parent_path() / *name).lexically_normal(), where + ": base: ", open,
                  values);
        table.erase("base");
    }
    gather(table, "", file, values);
}

void read_override(const std::string& text, Values& values) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw UserError(fmt::format("--set {}: must be KEY=VALUE", text));
    const std::string name = text.substr(0, equals);
    const std::string value = text.substr(equals + 1);
    toml::table parsed;
    try {
        parsed = toml::parse("value = " + value);
    } catch (const toml::parse_error&) {
        parsed.insert_or_assign("value", value);  // a bare word is a string
    }
    Given given{"--set", {}, nullptr};
    parsed.get("value")->visit(
        [&](const auto& v) { given.value = std::make_shared<std::decay_t<decltype(v)>>(v); });
    values.put(name, std::move(given));
}

[[noreturn]] void refuse_value(const Given& given, const Key& key, const toml::node& value) {
    refuse(given, key.name,
           fmt::format("{} does not fit; it must be {}{}", as_toml(value), what_fits(key),
                       key.unit.empty() ? "" : " (" + key.unit + ")"));
}

void set_value(const Given& given, const Key& key, const toml::node& value, Config& config) {
    if (const auto* k = std::get_if<IntegerKey>(&key.type)) {
        const auto n = value.value_exact<std::int64_t>();
        if (!n || *n < k->lowest || *n > k->highest || (k->power_of_two && (*n & (*n - 1)) != 0))
            refuse_value(given, key, value);
        k->member(config) = static_cast<std::uint32_t>(*n);
    } else if (const auto* k = std::get_if<RealKey>(&key.type)) {
        const auto x = value.is_number() ? value.value<double>() : std::nullopt;
        if (!x || !(*x >= k->lowest && *x <= k->highest)) refuse_value(given, key, value);
        k->member(config) = *x;
    } else if (const auto* k = std::get_if<FlagKey>(&key.type)) {
        const auto flag = value.value_exact<bool>();
        if (!flag) refuse_value(given, key, value);
        k->member(config) = *flag;
    } else if (const auto* k = std::get_if<TextKey>(&key.type)) {
        const auto text = value.value_exact<std::string>();
        if (!text) refuse_value(given, key, value);
        k->member(config) = *text;
    } else if (const auto* k = std::get_if<ChoiceKey>(&key.type)) {
        const auto text = value.value_exact<std::string>();
        const auto found = std::find(k->names.begin(), k->names.end(), text.value_or(""));
        if (!text || found == k->names.end()) refuse_value(given, key, value);
        k->set(config, static_cast<std::size_t>(found - k->names.begin()));
    }
}

constexpr std::string_view kArguments = "guest.args.";
constexpr std::string_view kSweep = "sweep.";

bool begins_with(const std::string& text, std::string_view prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

Config::Value argument(const Given& given, const std::string& name, const toml::node& value) {
    for (const char c : name.substr(kArguments.size()))
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_')
            refuse(given, name, "the name of a guest argument has letters, digits and _ only");
    if (!value.is_string() && !value.is_integer() && !value.is_boolean())
        refuse(given, name, "must be a string, an integer, true or false");
    return {as_toml(value), value.is_string() ? *value.value<std::string>() : as_toml(value)};
}

void set_sweep(const Given& given, const std::string& name, Config& config) {
    const std::string swept = name.substr(kSweep.size());
    const toml::array* values = given.value->as_array();
    if (!values || values->empty())
        refuse(given, name, "must be an array of the values to sweep over");
    const Key* key = find_key(swept);
    if (!key && !begins_with(swept, kArguments))
        refuse(given, name,
               fmt::format("there is no key {}; did you mean {}?", swept, nearest_key(swept)));
    Config scratch = config;
    for (const toml::node& value : *values) {
        if (key)
            set_value(given, *key, value, scratch);
        else
            argument(given, swept, value);
    }
    config.sweep.emplace_back(swept, as_toml(*values));
}

void set(const std::string& name, const Given& given, Config& config) {
    if (begins_with(name, kArguments)) {
        config.guest_args.emplace_back(name.substr(kArguments.size()),
                                       argument(given, name, *given.value));
    } else if (begins_with(name, kSweep)) {
        set_sweep(given, name, config);
    } else if (const Key* key = find_key(name)) {
        set_value(given, *key, *given.value, config);
    } else {
        refuse(given, name,
               fmt::format("there is no such key; did you mean {}? symsim --list-keys "
                           "prints all",
                           nearest_key(name)));
    }
}

std::string where(const Values& values, const std::string& name) {
    const auto found = values.by_name.find(name);
    return found == values.by_name.end() ? "default" : found->second.where;
}

// What one key alone cannot tell.
void check_together(const Values& values, const Config& config) {
    for (const std::string name : {"processor.clock_mhz", "bus.clock_mhz"}) {
        const double mhz =
            name == "bus.clock_mhz" ? config.bus.clock_mhz : config.processor.clock_mhz;
        const double period = 1e6 / mhz;
        if (std::abs(period - std::round(period)) > 1e-6 * period)
            throw UserError(fmt::format(
                "{}: {}: a clock of {} MHz has a period of {:.3f} ps, and time is counted in whole "
                "ones; take {:.6f} MHz",
                where(values, name), name, mhz, period, 1e6 / std::round(period)));
    }
    if (config.cache.size_bytes < config.cache.ways * config.cache.line_bytes)
        throw UserError(fmt::format(
            "{}: cache.size_bytes: {} bytes are less than one set of {} ways with lines of {} "
            "bytes; make it at least {}",
            where(values, "cache.size_bytes"), config.cache.size_bytes, config.cache.ways,
            config.cache.line_bytes, config.cache.ways * config.cache.line_bytes));
    if (config.processor.isa != "i386")
        throw UserError(fmt::format("{}: processor.isa: \"{}\" is not one there is; take \"i386\"",
                                    where(values, "processor.isa"), config.processor.isa));
}

// A guest named relative to the config that names it is written down as seen from here.
void settle_image(const Values& values, Config& config) {
    const auto given = values.by_name.find("guest.image");
    if (given == values.by_name.end() || given->second.folder.empty()) return;
    std::string name = config.guest.image;
    for (const auto& [argument, value] : config.guest_args) {
        const std::string braced = "{" + argument + "}";
        for (auto at = name.find(braced); at != std::string::npos; at = name.find(braced))
            name.replace(at, braced.size(), value.text);
    }
    const fs::path beside = given->second.folder / name;
    const auto there = [](const fs::path& p) {
        return fs::is_regular_file(p) || fs::is_regular_file(p.string() + ".elf");
    };
    if (!there(name) && there(beside))
        config.guest.image = (given->second.folder / config.guest.image).string();
}

}  // namespace

Config load_config(const fs::path& file, const std::vector<std::string>& overrides) {
    Values values;
    std::set<fs::path> open;
    read_file(file, "", open, values);
    for (const std::string& text : overrides) read_override(text, values);
    Config config = standard_config();
    for (const std::string& name : values.order) set(name, values.by_name.at(name), config);
    std::sort(config.guest_args.begin(), config.guest_args.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    check_together(values, config);
    settle_image(values, config);
    return config;
}

}  // namespace symsim
