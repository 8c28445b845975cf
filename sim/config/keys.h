// SPDX-License-Identifier: MIT
// The keys of a config, made from the lists of fields of its structs (sim/base/fields.h). Loading,
// printing, --list-keys and --describe all use them.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/config/config.h"

namespace symsim {

struct IntegerKey {
    std::uint32_t* member;
    std::uint32_t lowest;
    std::uint32_t highest;
    bool power_of_two = false;
    unsigned shift = 0;  // the member is the value times 2 to the power of this
};
struct RealKey {
    double* member;
    double lowest;
    double highest;
};
struct FlagKey {
    bool* member;
};
struct TextKey {
    std::string* member;
};
struct ChoiceKey {
    std::vector<std::string> names;
    std::function<std::size_t()> get;  // the number of the name
    std::function<void(std::size_t)> set;
};

struct Key {
    std::string name;
    std::string unit;  // empty: none
    std::variant<IntegerKey, RealKey, FlagKey, TextKey, ChoiceKey> type;
    std::string meaning;  // one sentence
    InResults in_results;
};

// The keys of this config. They point to its members.
std::vector<Key> keys_of(Config& config);
// The keys of a config that has the default of each.
const std::vector<Key>& all_keys();
// Null: there is none of this name.
const Key* find_key(const std::vector<Key>& keys, const std::string& name);
// Whether there are keys in a table of this name.
bool is_table(const std::string& name);
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

// What its values are: "integer", "power of two", "number", "flag", "text" or "choice".
std::string type_of(const Key& key);
// Lowest and highest value. Empty for keys that are no numbers.
std::optional<std::array<double, 2>> range_of(const Key& key);
// The allowed values as text: "an integer from 1 to 64".
std::string what_fits(const Key& key);
// All allowed values as bare words of the command line. Empty for keys that are numbers or text.
std::vector<std::string> values_of(const Key& key);
// The value that the key's config has, as TOML.
std::string value_text(const Key& key);

}  // namespace symsim
