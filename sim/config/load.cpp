// SPDX-License-Identifier: MIT
// Loads TOML files and --set options into a checked Config. First all values are collected by their
// full names ("machine.processors"), each with its place. A file's own values replace inherited
// ones, and --set replaces both.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <system_error>

#include "sim/base/failure.h"
#include "sim/config/config.h"
#include "sim/config/given.h"
#include "sim/config/keys.h"
#include "sim/config/toml_text.h"

namespace symsim {

namespace {

namespace fs = std::filesystem;

// refuse_name() reports the place of a wrong key, refuse() the place of a wrong value.
[[noreturn]] void refuse_name(const Given& given, const std::string& name, const std::string& why) {
    throw UserError(fmt::format("{}: {}: {}", place(given.file, given.name), name, why));
}
[[noreturn]] void refuse(const Given& given, const toml::node& value, const std::string& name,
                         const std::string& why) {
    throw UserError(fmt::format("{}: {}: {}", place(given.file, value.source()), name, why));
}

constexpr std::string_view kArguments = "guest.args.";
constexpr std::int64_t kMostRepeats = 10000;

bool begins_with(const std::string& text, std::string_view prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

bool is_file(const fs::path& path) {
    std::error_code error;  // no exception for a path that the host cannot look up
    return fs::is_regular_file(path, error);
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

// Collects the values of a table. Nested tables become names with dots. An array is a value, and so
// is a table where a value is expected.
void gather(const std::shared_ptr<const toml::table>& document, const toml::table& table,
            const std::string& prefix, const fs::path& file, Values& values) {
    struct Entry {
        const toml::key* key;
        const toml::node* node;
    };
    std::vector<Entry> entries;
    for (const auto& [key, node] : table) entries.push_back({&key, &node});
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.key->source().begin < b.key->source().begin;
    });
    for (const Entry& entry : entries) {
        const std::string own(entry.key->str());
        const std::string name = prefix.empty() ? own : prefix + "." + own;
        Given given{file, entry.key->source(), {document, entry.node}};
        const toml::table* inner = entry.node->as_table();
        if (!inner || find_key(name) || begins_with(name, kArguments))
            values.put(name, std::move(given));
        else if (inner->empty() && !is_table(name))
            refuse_name(given, name, "there is no such table; symsim --list-keys prints all");
        else
            gather(document, *inner, name, file, values);
    }
}

// Reads the values of the file's base first, then the file's own, which replace them.
void read_file(const fs::path& file, const std::string& wanted_by, std::set<fs::path>& open,
               Values& values) {
    if (!is_file(file)) {
        std::error_code error;
        throw UserError(
            fmt::format("{}config file {} {}; give the path of a TOML file, such as "
                        "configs/quickstart.toml",
                        wanted_by, file.string(),
                        fs::is_directory(file, error) ? "is a folder" : "does not exist"));
    }
    if (!open.insert(fs::weakly_canonical(file)).second)
        throw UserError(fmt::format("{}{} inherits from itself", wanted_by, file.string()));
    const auto document = std::make_shared<toml::table>();
    try {
        *document = toml::parse_file(file.string());
    } catch (const toml::parse_error& error) {
        throw UserError(
            fmt::format("{}: not TOML: {}", place(file, error.source()), error.description()));
    }
    if (const toml::node* base = document->get("base")) {
        const std::string where = place(file, base->source());
        const auto name = base->value_exact<std::string>();
        if (!name) throw UserError(fmt::format("{}: base: must be the path of a TOML file", where));
        read_file((file.parent_path() / *name).lexically_normal(), where + ": base: ", open,
                  values);
        document->erase("base");
    }
    gather(document, *document, "", file, values);
}

void read_override(const std::string& text, Values& values) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw UserError(fmt::format("--set {}: must be KEY=VALUE", text));
    const std::string name = text.substr(0, text.find_last_not_of(' ', equals - 1) + 1);
    const std::string value = text.substr(equals + 1);
    const auto document = std::make_shared<toml::table>();
    try {
        *document = toml::parse("value = " + value);
    } catch (const toml::parse_error&) {
    }
    // Text that is not one TOML value is taken as a string: a bare word, or several values.
    if (document->size() != 1) {
        try {
            *document = toml::parse("value = " + toml_string(value));
        } catch (const toml::parse_error&) {
            throw UserError(fmt::format("--set {}: the value is not UTF-8", name));
        }
    }
    values.put(name, {{}, {}, {document, document->get("value")}});
}

[[noreturn]] void refuse_value(const Given& given, const Key& key, const toml::node& value) {
    refuse(given, value, key.name,
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

Config::Value argument(const Given& given, const std::string& name, const toml::node& value) {
    const std::string own = name.substr(kArguments.size());
    const auto in_a_word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    if (own.empty() || std::isdigit(static_cast<unsigned char>(own[0])) ||
        !std::all_of(own.begin(), own.end(), in_a_word))
        refuse_name(given, name,
                    "the name of a guest argument is letters, digits and _, no digit first");
    if (own == "processors" || own == "seed")
        refuse_name(given, name,
                    fmt::format("every guest is told this anyway; set {} or take another name",
                                own == "seed" ? "run.seed" : "machine.processors"));
    if (!value.is_string() && !value.is_integer() && !value.is_boolean())
        refuse(given, value, name, "must be a string, an integer, true or false");
    const std::string text = value.is_string() ? *value.value<std::string>() : as_toml(value);
    // The guest receives its arguments as lines, one each, up to a NUL.
    if (text.find_first_of(std::string_view("\n\0", 2)) != std::string::npos)
        refuse(given, value, name, "must be one line; take the line break or NUL out");
    return {as_toml(value), text};
}

void set_sweep(const Given& given, const std::string& name, Config& config) {
    const std::string axis = name.substr(kSweep.size());
    const std::vector<std::string> keys = keys_of_axis(axis);
    for (const std::string& key : keys)
        if (!find_key(key) && !begins_with(key, kArguments))
            refuse_name(given, name,
                        fmt::format("there is no key {}; did you mean {}?", key, nearest_key(key)));
    const toml::array* values = given.value->as_array();
    if (!values || values->empty())
        refuse(given, *given.value, name, "must be an array of the values to sweep over");
    Config scratch = config;
    const auto check = [&](const std::string& key, const toml::node& value) {
        if (const Key* known = find_key(key))
            set_value(given, *known, value, scratch);
        else
            argument(given, key, value);
    };
    for (const toml::node& value : *values) {
        const toml::array* together = value.as_array();
        if (keys.size() == 1) {
            check(keys[0], value);
        } else if (!together || together->size() != keys.size()) {
            refuse(given, value, name,
                   fmt::format("must be arrays of {} values, one for each key", keys.size()));
        } else {
            for (std::size_t k = 0; k < keys.size(); ++k) check(keys[k], *together->get(k));
        }
    }
    config.sweep.emplace_back(axis, as_toml(*values));
}

void set_repeats(const Given& given, Config& config) {
    const auto n = given.value->value_exact<std::int64_t>();
    if (!n || *n < 1 || *n > kMostRepeats)
        refuse(given, *given.value, kRepeats,
               fmt::format("{} does not fit; it must be an integer from 1 to {} (seeds a point)",
                           as_toml(*given.value), kMostRepeats));
    config.sweep.emplace_back("repeats", as_toml(*given.value));
}

void set(const std::string& name, const Given& given, Config& config) {
    if (begins_with(name, kArguments)) {
        config.guest_args.emplace_back(name.substr(kArguments.size()),
                                       argument(given, name, *given.value));
    } else if (name == kRepeats) {
        set_repeats(given, config);
    } else if (begins_with(name, kSweep)) {
        set_sweep(given, name, config);
    } else if (const Key* key = find_key(name)) {
        set_value(given, *key, *given.value, config);
    } else if (is_table(name)) {
        refuse(given, *given.value, name, "is a table of keys and has no value itself");
    } else {
        refuse_name(given, name,
                    fmt::format("there is no such key; did you mean {}? symsim --list-keys "
                                "prints all",
                                nearest_key(name)));
    }
}

// guest.image with arguments put in for names in braces. A value that is put in is not expanded
// again, since it may contain braces itself.
std::string with_arguments(const Config& config) {
    std::string name = config.guest.image;
    for (std::size_t at = name.find('{'); at != std::string::npos; at = name.find('{', at + 1)) {
        for (const auto& [argument, value] : config.guest_args) {
            const std::string braced = "{" + argument + "}";
            if (name.compare(at, braced.size(), braced) != 0) continue;
            name.replace(at, braced.size(), value.text);
            at += value.text.size() - 1;
            break;
        }
    }
    return name;
}

// The folder of the config file that gives this key; empty if no file does.
fs::path folder_of(const Values& values, const std::string& key) {
    const auto given = values.by_name.find(key);
    return given == values.by_name.end() ? fs::path() : given->second.file.parent_path();
}

// A guest's path may be relative to the config file that names it. Such a path is replaced by one
// that is valid from the working folder.
void resolve_image(const Values& values, Config& config) {
    const fs::path folder = folder_of(values, "guest.image");
    const std::string name = with_arguments(config);
    const auto there = [](const fs::path& p) { return is_file(p) || is_file(p.string() + ".elf"); };
    if (!folder.empty() && !there(name) && there(folder / name))
        config.guest.image = (folder / config.guest.image).string();
}
void resolve_rom(const Values& values, Config& config) {
    const fs::path folder = folder_of(values, "guest.rom");
    const std::string name = config.guest.rom;
    if (!folder.empty() && !name.empty() && !is_file(name) && is_file(folder / name))
        config.guest.rom = (folder / name).string();
}

}  // namespace

Config load_config(const fs::path& file, const std::vector<std::string>& overrides) {
    Values values;
    std::set<fs::path> open;
    read_file(file, "", open, values);
    for (const std::string& text : overrides) read_override(text, values);
    Config config = default_config();
    for (const std::string& name : values.order) set(name, values.by_name.at(name), config);
    std::sort(config.guest_args.begin(), config.guest_args.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    check_together(values, config);
    resolve_image(values, config);
    resolve_rom(values, config);
    return config;
}

}  // namespace symsim
