// SPDX-License-Identifier: MIT
// Checks the values that read.cpp has collected, one by one, and puts them into a Config.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>
#include <system_error>

#include "sim/base/failure.h"
#include "sim/base/input_file.h"
#include "sim/config/config.h"
#include "sim/config/given.h"
#include "sim/config/keys.h"
#include "sim/config/lock_names.h"
#include "sim/config/toml_text.h"
#include "sim/image/given_files.h"
#include "sim/image/image_name.h"
#include "sim/image/linux_program.h"

namespace symsim {

namespace {

namespace fs = std::filesystem;

std::string as_toml(const toml::node& node) {
    if (const auto text = node.value_exact<std::string>()) return toml_string(*text);
    if (const auto real = node.value_exact<double>()) return toml_real(*real);
    if (const auto* array = node.as_array()) {
        std::string all;
        for (const toml::node& element : *array)
            all += (all.empty() ? "" : ", ") + as_toml(element);
        return "[" + all + "]";
    }
    if (const auto* table = node.as_table()) {
        std::string all;
        for (const auto& [key, value] : *table)
            all += (all.empty() ? "" : ", ") + toml_string(std::string(key.str())) + " = " +
                   as_toml(value);
        return "{" + all + "}";
    }
    std::ostringstream text;
    node.visit([&](const auto& value) { text << value; });
    return text.str();
}

[[noreturn]] void refuse_value(const Given& given, const Key& key, const toml::node& value) {
    refuse(given, value, key.name,
           fmt::format("{} does not fit; it must be {}{}", as_toml(value), what_fits(key),
                       key.unit.empty() ? "" : " (" + key.unit + ")"));
}

void set_value(const Given& given, const Key& key, const toml::node& value) {
    if (const auto* k = std::get_if<IntegerKey>(&key.type)) {
        const auto n = value.value_exact<std::int64_t>();
        if (!n || *n < k->lowest || *n > k->highest || (k->power_of_two && (*n & (*n - 1)) != 0))
            refuse_value(given, key, value);
        *k->member = static_cast<std::uint32_t>(*n) << k->shift;
    } else if (const auto* k = std::get_if<RealKey>(&key.type)) {
        const auto x = value.is_number() ? value.value<double>() : std::nullopt;
        if (!x || !(*x >= k->lowest && *x <= k->highest)) refuse_value(given, key, value);
        *k->member = *x;
    } else if (const auto* k = std::get_if<FlagKey>(&key.type)) {
        const auto flag = value.value_exact<bool>();
        if (!flag) refuse_value(given, key, value);
        *k->member = *flag;
    } else if (const auto* k = std::get_if<TextKey>(&key.type)) {
        const auto text = value.value_exact<std::string>();
        if (!text) refuse_value(given, key, value);
        *k->member = *text;
    } else if (const auto* k = std::get_if<ChoiceKey>(&key.type)) {
        const auto text = value.value_exact<std::string>();
        const auto found = std::find(k->names.begin(), k->names.end(), text.value_or(""));
        if (!text || found == k->names.end()) refuse_value(given, key, value);
        k->set(static_cast<std::size_t>(found - k->names.begin()));
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
                    fmt::format("every guest gets this anyway; set {} or take another name",
                                own == "seed" ? "run.seed" : "machine.processors"));
    if (!value.is_string() && !value.is_integer() && !value.is_boolean())
        refuse(given, value, name, "must be a string, an integer, true or false");
    const std::string text = value.is_string() ? *value.value<std::string>() : as_toml(value);
    // The guest receives its arguments as lines, one each, up to a NUL.
    if (text.find_first_of(std::string_view("\n\0", 2)) != std::string::npos)
        refuse(given, value, name, "must be one line; take the line break or NUL out");
    return {as_toml(value), text};
}

void set(const std::string& name, const Given& given, Config& config,
         const std::vector<Key>& keys) {
    if (begins_with(name, kArguments)) {
        config.guest_args.emplace_back(name.substr(kArguments.size()),
                                       argument(given, name, *given.value));
    } else if (const Key* key = find_key(keys, name)) {
        set_value(given, *key, *given.value);
    } else if (is_table(name)) {
        refuse(given, *given.value, name, "is a table of keys and has no value itself");
    } else {
        refuse_name(given, name,
                    fmt::format("there is no such key; {}symsim --list-keys prints all",
                                did_you_mean(name)));
    }
}

// guest.image with arguments put in for names in braces. What is wrong with it is said when the
// image is loaded.
std::string with_arguments(const Config& config) {
    try {
        return expand_image_name(config.guest.image, guest_arguments(config));
    } catch (const UserError&) {
        return config.guest.image;
    }
}

// The folder of the config file that gives this key; empty if no file does.
fs::path folder_of(const Values& values, const std::string& key) {
    const auto given = values.by_name.find(key);
    return given == values.by_name.end() ? fs::path() : given->second.file.parent_path();
}

// Replaces an alias of a lock by the lock's name, in an image of symsim and in the argument that
// selects one. So the results have the lock's name.
void resolve_lock(Config& config) {
    config.guest.image = image_of_lock(config.guest.image);
    if (config.guest.image.find("{lock}") == std::string::npos) return;
    for (auto& [argument, value] : config.guest_args) {
        if (argument != "lock" || lock_name(value.text) == value.text) continue;
        value.text = lock_name(value.text);
        value.toml = toml_string(value.text);
    }
}

// A guest's path may be relative to the config file that names it. Such a path is replaced by one
// that is valid from the working folder. An image that is in neither folder is one of symsim.
void resolve_image(const Values& values, Config& config) {
    const fs::path folder = folder_of(values, "guest.image");
    const std::string name = with_arguments(config);
    const auto there = [](const fs::path& p) { return is_file(p) || is_file(p.string() + ".elf"); };
    if (there(name)) return;
    if (!folder.empty() && there(folder / name))
        config.guest.image = (folder / config.guest.image).string();
    else
        resolve_lock(config);
}
void resolve_rom(const Values& values, Config& config) {
    const fs::path folder = folder_of(values, "guest.rom");
    const std::string name = config.guest.rom;
    if (!folder.empty() && !name.empty() && !is_file(name) && is_file(folder / name))
        config.guest.rom = (folder / name).string();
}
// The same for guest.stdin and guest.files. --set counts as if the config file gave the key, so
// that the values of a sweep are found beside the file too. A file that is missing is reported
// here, where the key's place is known.
template <class IsThere>
fs::path input_of(const Values& values, const fs::path& config_file, const std::string& key,
                  const fs::path& name, const IsThere& is_there, const std::string& fix) {
    std::error_code error;
    if (fs::exists(name, error)) return name;
    const Given& given = values.by_name.at(key);
    const fs::path beside = (given.file.empty() ? config_file : given.file).parent_path() / name;
    if (!is_there(beside))
        refuse(given, *given.value, key,
               fmt::format("there is no file {}, nor {}; {}", name.string(), beside.string(), fix));
    return beside;
}
bool is_file_or_folder(const fs::path& path) {
    std::error_code error;
    return is_file(path) || fs::is_directory(path, error);
}
void resolve_inputs(const Values& values, const fs::path& file, Config& config) {
    auto& guest = config.guest;
    if (!guest.stdin_file.empty())
        guest.stdin_file = input_of(values, file, "guest.stdin", guest.stdin_file, is_file,
                                    "give the path of a file, seen from the working folder or "
                                    "from the config, or \"\" for no input")
                               .string();
    std::vector<std::string> words;
    for (const GivenName& name :
         given_names(guest.files, where(values, "guest.files") + ": guest.files"))
        words.push_back(name.inside + "=" +
                        input_of(values, file, "guest.files", name.host, is_file_or_folder,
                                 "write INSIDE=PATH, with a path seen from the working folder or "
                                 "from the config")
                            .string());
    guest.files = join_words(words);
}

}  // namespace

GuestArguments guest_arguments(const Config& config) {
    GuestArguments arguments;
    for (const auto& [name, value] : config.guest_args) arguments[name] = value.text;
    if (config.guest.scheduler != Scheduler::spread)
        arguments["scheduler"] = kSchedulers[index(config.guest.scheduler)];
    return arguments;
}

Config load_config(const fs::path& file, const std::vector<std::string>& overrides) {
    const Values values = read_values(file, overrides);
    Config config;
    config.files = values.files;
    const std::vector<Key> keys = keys_of(config);
    for (const std::string& name : values.order) set(name, values.by_name.at(name), config, keys);
    std::sort(config.guest_args.begin(), config.guest_args.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    check_together(values, config);
    resolve_image(values, config);
    resolve_rom(values, config);
    resolve_inputs(values, file, config);
    return config;
}

}  // namespace symsim
