// SPDX-License-Identifier: MIT
// The table of config keys. Each key is declared only here, with its type, unit, range, default and
// meaning (*_keys.cpp). Loading, printing, --list-keys and --describe all use this table.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/config/config.h"

namespace symsim {

struct IntegerKey {
    std::uint32_t& (*member)(Config&);
    std::uint32_t standard;
    std::uint32_t lowest;
    std::uint32_t highest;
    bool power_of_two = false;
};
struct RealKey {
    double& (*member)(Config&);
    double standard;
    double lowest;
    double highest;
};
struct FlagKey {
    bool& (*member)(Config&);
    bool standard;
};
struct TextKey {
    std::string& (*member)(Config&);
    std::string standard;
};
// Enumerators have the same numbers as their names in `names`.
struct ChoiceKey {
    std::function<void(Config&, std::size_t)> set;
    std::function<std::size_t(const Config&)> get;
    std::size_t standard;
    std::vector<std::string> names;
};

struct Key {
    std::string name;
    std::string unit;  // empty: none
    std::variant<IntegerKey, RealKey, FlagKey, TextKey, ChoiceKey> type;
    std::string meaning;  // one sentence
};

const std::vector<Key>& all_keys();
const Key* find_key(const std::string& name);
// Whether there are keys in a table of this name.
bool is_table(const std::string& name);
// The key, or keys, of "sweep.SIZE.KEY", an override in another size of a sweep, by which symlab
// reproduces a paper. Empty if the name is no such.
std::string key_of_size(const std::string& name);

// A part of a config that is not in the table of keys, such as guest.args.NAME.
struct FreeKey {
    std::string name;
    std::string fits;
    std::string meaning;
};
const std::vector<FreeKey>& free_keys();

// The key whose name is most similar to `name`: the guess at what the user meant. An abbreviation
// of a key's last part comes first. Empty if no name is similar.
std::optional<std::string> nearest_key(const std::string& name);
// The guess as a question, "did you mean X? ", or "".
std::string did_you_mean(const std::string& name);

Config default_config();
// The allowed values as text: "an integer from 1 to 64".
std::string what_fits(const Key& key);
// All allowed values as bare words of the command line. Empty for keys that are numbers or text.
std::vector<std::string> values_of(const Key& key);
// The value as TOML.
std::string value_text(const Key& key, const Config& config);

}  // namespace symsim
